import type { listLatestPosts } from './blog-queries.server.ts';

/** A published post in lists; `shown_at` is its publication or else creation time. */
export type PostSummary = Awaited<ReturnType<typeof listLatestPosts>>[number];
