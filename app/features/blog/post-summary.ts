import type { listLatestPosts } from './blog-queries.server.ts';

/** A published post as lists show it: `shown_at` is when it was published, else when it was written. */
export type PostSummary = Awaited<ReturnType<typeof listLatestPosts>>[number];

/** `November 3, 2026` in the site's time zone. */
export function formatPostDate(shownAt: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(shownAt);
}
