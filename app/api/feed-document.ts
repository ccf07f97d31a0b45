/** A feed independent of RSS or JSON. Paths begin with a slash; the writers add the origin. */
export interface FeedDocument {
  title: string;
  description: string;
  /** The page that this feed belongs to. */
  homePath: string;
  /** The query of the feed's own address with its `?`, or empty. */
  query: string;
  entries: FeedEntry[];
}

export interface FeedEntry {
  /** Never changes, so that no reader shows an entry twice. */
  permanentPath: string;
  path: string;
  title: string;
  /** Sanitised HTML. */
  html: string;
  /** Plain text; `null` if `html` has nothing more. */
  summary: string | null;
  /** An address, or a path on this site. */
  image: string | null;
  author: string | null;
  publishedAt: Date;
  changedAt: Date;
  categories: string[];
}
