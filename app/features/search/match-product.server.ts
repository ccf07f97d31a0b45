import { listDealsByIds, type DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import {
  type DealDetail,
  findDealById,
  findDealIdsByGtin,
  findSiblingIds,
} from '#app/features/deals/deal-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { findDealByLink } from './find-typed-address.server.ts';
import type { AskedProduct } from './read-asked-product.server.ts';
import { findDealIdsByName, findSimilarDealIds } from './search-queries.server.ts';

/** The way a deal was found. */
export type MatchedBy = 'link' | 'gtin' | 'words';

export interface ProductMatch {
  /** `null` if no deal is known to be this product. */
  found: { by: MatchedBy; deal: DealDetail } | null;
  /** Other deals of its product, or, if it has none, other deals with the same GTIN. */
  others: DealSummary[];
  /** Deals with similar names, if nothing was found. */
  nearest: DealSummary[];
}

const mostOthers = 8;
const mostNearest = 8;
/** Words that find more deals than this do not identify a product. */
const mostNamed = 5;
const fewestWords = 2;

/** Finds the deal of a product by its link, then by its GTIN, then by its words. */
export async function matchProduct(db: Db, product: AskedProduct): Promise<ProductMatch> {
  const linked = await findDealByLink(db, product);
  const byLink = linked && (await findDealById(db, linked.id));
  if (byLink) return await withOthers(db, 'link', byLink);
  for (const gtin of product.gtins) {
    const [id] = await findDealIdsByGtin(db, gtin, 1);
    const deal = id === undefined ? null : await findDealById(db, id);
    if (deal) return await withOthers(db, 'gtin', deal);
  }
  if (product.words === '') return { found: null, others: [], nearest: [] };
  const ids = await findDealIdsByName(db, product.words);
  const [named] = namesOneDeal(product.words, ids.length) ? ids : [];
  const deal = named === undefined ? null : await findDealById(db, named);
  if (deal) return await withOthers(db, 'words', deal);
  const similar = ids.length > 0 ? ids : await findSimilarDealIds(db, product.words);
  const nearest = await listDealsByIds(db, similar.slice(0, mostNearest));
  return { found: null, others: [], nearest };
}

/** Returns whether these words identify the first of the deals that they find. */
export function namesOneDeal(words: string, found: number): boolean {
  return found <= mostNamed && words.split(' ').length >= fewestWords;
}

async function withOthers(db: Db, by: MatchedBy, deal: DealDetail): Promise<ProductMatch> {
  let ids = await findSiblingIds(db, deal.id, mostOthers);
  if (ids.length === 0 && deal.gtin !== null)
    ids = await findDealIdsByGtin(db, deal.gtin, mostOthers + 1);
  const others = await listDealsByIds(
    db,
    ids.filter((id) => id !== deal.id),
  );
  return {
    found: { by, deal },
    others: others.filter(({ is_expired }) => !is_expired).slice(0, mostOthers),
    nearest: [],
  };
}
