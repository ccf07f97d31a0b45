import { storedGtin } from '#app/features/deals/gtin.ts';
import { findDealByLink } from '#app/features/search/find-typed-address.server.ts';
import { type MatchedBy, namesOneDeal } from '#app/features/search/match-product.server.ts';
import {
  type AskedProduct,
  readNamedProduct,
} from '#app/features/search/read-asked-product.server.ts';
import { findDealIdsByName } from '#app/features/search/search-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { findDealsByAsin } from './find-deals-by-asin.server.ts';
import type { ListedProduct } from './listed-product.ts';

export type ListMatch = MatchedBy | 'asin';

/** The deal of a product, or the reason why none was found. */
export type ListedDeal =
  | { state: 'found'; id: number; by: ListMatch }
  | { state: 'unknown' }
  /** The limit on searches by name was reached. */
  | { state: 'not searched' }
  | { state: 'refused'; why: string };

/** The maximum number of searches, each of which costs as much as 20 lookups by link. */
const mostSearches = 300;
const atOnce = 4;

interface Wanted {
  product: ListedProduct;
  asked: AskedProduct;
  found: ListedDeal | null;
}

/**
 * Finds the deals of a list in its order, as the price check does: by link, by ASIN or GTIN, then
 * by words. Every lookup uses an index.
 */
export async function findListedDeals(
  db: Db,
  products: readonly ListedProduct[],
  origin: string,
): Promise<ListedDeal[]> {
  const wanted = products.map((product) => readWanted(product, origin));
  const open = () => wanted.filter(({ found }) => found === null);
  await each(open(), async (one) => {
    const deal = one.asked.host === '' ? null : await findDealByLink(db, one.asked);
    if (deal) one.found = { state: 'found', id: deal.id, by: 'link' };
  });
  const byAsin = await findDealsByAsin(
    db,
    open().map(({ product }) => product),
  );
  for (const one of open()) {
    const id = byAsin.get(one.product);
    if (id !== undefined) one.found = { state: 'found', id, by: 'asin' };
  }
  await findByGtin(db, open());
  await findByWords(db, open());
  return wanted.map(({ found }) => found ?? { state: 'unknown' });
}

function readWanted(product: ListedProduct, origin: string): Wanted {
  const named = readNamedProduct({ url: product.link, title: product.title }, origin);
  if (named.ok) return { product, asked: named.product, found: null };
  const rest = readNamedProduct({ title: product.title }, origin);
  const isNamed = product.asin + product.gtin + product.title !== '';
  return rest.ok && isNamed
    ? { product, asked: rest.product, found: null }
    : { product, asked: nothing, found: { state: 'refused', why: named.error } };
}

const nothing: AskedProduct = { host: '', rest: '', gtins: [], words: '' };

async function findByGtin(db: Db, wanted: readonly Wanted[]): Promise<void> {
  const gtinsOf = ({ product, asked }: Wanted) =>
    [product.gtin, ...asked.gtins].flatMap((gtin) => storedGtin(gtin) ?? []);
  const rows = await ask(db).rows<{ gtin: string; id: number }>`
    select distinct on (gtin) gtin, id from deals
     where gtin = any(${wanted.flatMap(gtinsOf)}::text[]) and is_active
     order by gtin, is_expired, sale_price, id`;
  const ids = new Map(rows.map(({ gtin, id }) => [gtin, id]));
  for (const one of wanted) {
    const id = gtinsOf(one)
      .map((gtin) => ids.get(gtin))
      .find((known) => known !== undefined);
    if (id !== undefined) one.found = { state: 'found', id, by: 'gtin' };
  }
}

async function findByWords(db: Db, wanted: readonly Wanted[]): Promise<void> {
  const byWords = Map.groupBy(
    wanted.filter(({ asked }) => asked.words !== ''),
    ({ asked }) => asked.words,
  );
  const searched = [...byWords].slice(0, mostSearches);
  for (const [, same] of [...byWords].slice(mostSearches)) {
    for (const one of same) one.found = { state: 'not searched' };
  }
  await each(searched, async ([words, same]) => {
    const ids = await findDealIdsByName(db, words);
    const [id] = ids;
    if (id === undefined || !namesOneDeal(words, ids.length)) return;
    for (const one of same) one.found = { state: 'found', id, by: 'words' };
  });
}

/** Processes items in order, a few at a time, so that other requests get connections, too. */
async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<void>) {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await act(item);
    }),
  );
}
