import { readWatchLink } from '#app/features/price-alerts/watch-link.server.ts';
import { findWatcher } from '#app/features/price-alerts/watcher-queries.server.ts';
import type { Db } from '#database/connect.ts';

/** Returns the guest subscriber whose emailed link opened the page. */
export async function readWatcher(db: Db, request: Request) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const id = await readWatchLink(db, 'manage', token);
  return id === null ? null : findWatcher(db, id);
}
