import type { listLatestPosts } from './blog-queries.server.ts';

/** A published post in lists. `shown_at` is the publication time, or else the creation time. */
export type PostSummary = Awaited<ReturnType<typeof listLatestPosts>>[number];
