/** A feed independent of RSS or JSON. Paths begin with a slash; the writers add the origin. */
export interface FeedDocument {
  title: string;
  description: string;
  /** The page that this feed belongs to. */
  homePath: string;
  /** The query of the feed's own URL with its `?`, or empty. */
  query: string;
  entries: FeedEntry[];
}

export interface FeedEntry {
  /** A path that never changes, so that no reader shows an entry twice. */
  permanentPath: string;
  path: string;
  title: string;
  /** The content as sanitized HTML. */
  html: string;
  /** The summary as plain text. `null` if `html` has nothing more. */
  summary: string | null;
  /** The picture's URL, or a path on this site. */
  image: string | null;
  author: string | null;
  publishedAt: Date;
  changedAt: Date;
  categories: string[];
  /** The entry as a calendar event. Absent if the feed has no calendar. */
  event?: CalendarEvent;
}

export interface CalendarEvent {
  /** The part of the UID before the host. */
  id: string;
  endsAt: Date;
  title: string;
  text: string;
  /** A number that grows with every change, and the time of the last one. */
  sequence: number;
  changedAt: Date;
}
