import { redirect } from 'react-router';
import type { AlertOwner } from '#app/features/price-alerts/alert-owner.server.ts';
import { watchMessages } from '#app/features/watched-searches/watch-messages.ts';
import {
  changeWatchedSearch,
  deleteWatchedSearch,
  markSeen,
} from '#app/features/watched-searches/watched-search-queries.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { overList } from './alert-notices.ts';
import { refuseAct } from './change-alert.server.ts';

export const searchIntents = ['stop-search', 'delete-search', 'seen-search'];

/**
 * `id` is one of the owner's own watched searches; any other one is treated as missing.
 * `seen-search` redirects to the search.
 */
export async function changeSearch(
  { db, rowId, intent }: Post,
  owner: AlertOwner,
  listPath: string,
) {
  const id = rowId('id') ?? 0;
  if (intent === 'seen-search') {
    const address = await markSeen(db, owner, id);
    if (address === null) return refuseAct(watchMessages.gone, 404);
    throw redirect(address, 303);
  }
  const isDone =
    intent === 'stop-search'
      ? await changeWatchedSearch(db, owner, id, { is_active: false })
      : await deleteWatchedSearch(db, owner, id);
  if (!isDone) return refuseAct(watchMessages.gone, 404);
  const word = intent === 'stop-search' ? 'search-stopped' : 'search-deleted';
  throw redirect(overList(listPath, word), 303);
}
