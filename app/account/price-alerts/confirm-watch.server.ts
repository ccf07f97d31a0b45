import { confirmAlert } from '#app/features/price-alerts/confirm-alert.server.ts';
import type { WatchRequest } from '#app/features/price-alerts/watcher-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import {
  confirmSearch,
  type SearchRequest,
} from '#app/features/watched-searches/confirm-search.server.ts';
import { isOfProduct } from '#app/features/watched-searches/watchable.ts';
import type { Db } from '#database/connect.ts';

/** Starts an alert or a watched search. Returns the key of the notice that its list page shows. */
export async function confirmWatch(db: Db, asked: WatchRequest | SearchRequest) {
  if ('deal' in asked) {
    const outcome = await confirmAlert(db, asked.id);
    return outcome.ok ? { ...outcome, word: outcome.hasFired ? 'fired' : 'created' } : outcome;
  }
  const { currency } = await readSiteSettings(db);
  const outcome = await confirmSearch(db, asked.id, currency);
  const word = isOfProduct(asked.address) ? 'watched-product' : 'watched';
  return outcome.ok ? { ...outcome, word } : outcome;
}
