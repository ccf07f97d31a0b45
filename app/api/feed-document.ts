/** A feed before it is RSS or JSON. Paths begin with a slash; the writers put the origin before them. */
export interface FeedDocument {
  title: string;
  description: string;
  /** The page whose feed this is. */
  homePath: string;
  /** The query of the feed's own address, with its `?`, or empty. */
  query: string;
  entries: FeedEntry[];
}

export interface FeedEntry {
  /** Never changes, so that no reader shows an entry twice. */
  permanentPath: string;
  path: string;
  title: string;
  /** HTML, safe to show. */
  html: string;
  /** Plain text; only where `html` is more than that. */
  summary: string | null;
  /** An address, or a path of ours. */
  image: string | null;
  author: string | null;
  publishedAt: Date;
  changedAt: Date;
  categories: string[];
}
