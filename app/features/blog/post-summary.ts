import type { listLatestPosts } from './blog-queries.server.ts';

/** A published post as lists show it: `shown_at` is when it was published, else when it was written. */
export type PostSummary = Awaited<ReturnType<typeof listLatestPosts>>[number];
