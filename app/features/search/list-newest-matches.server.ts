import { type DealSummary, listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { findMatchingDeals } from './find-matching-deals.server.ts';
import { readSearchTerms } from './search-terms.server.ts';

/** The newest live deals a query matches, for its feed. `query` is clean (`cleanSearchText`) and not empty. */
export async function listNewestMatches(
  db: Db,
  query: string,
  limit: number,
): Promise<DealSummary[]> {
  const terms = await readSearchTerms(db, query);
  const { ids } = await findMatchingDeals(db, terms, { sort: 'newest', filter: {} });
  // Expired deals stand behind the live ones.
  const deals = await listDealsByIds(db, ids.slice(0, limit));
  return deals.filter((deal) => !deal.is_expired);
}
