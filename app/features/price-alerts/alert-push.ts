/** What a push message says, as the service worker reads it (public/sw.js). */
export interface AlertPush {
  title: string;
  body: string;
  /** One of ours. */
  path: string;
  /** A later message of the same alert takes the place of an earlier one. */
  tag: string;
}
