import { type RawBuilder, sql } from 'kysely';
import { percentBelowUsual, unitRank } from '#app/features/deals/deal-conditions.server.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import type { SearchTerms } from './search-terms.server.ts';
import { hasPartsInTitle, hasWordsInTitle } from './texts-of.server.ts';

interface Wanted {
  terms: SearchTerms;
  sort: SearchSort;
}

/** Whether deals have the words, or only parts of words. */
type Matched = 'words' | 'parts';

/** Returns the first of the deals found with `foundColumns`, in the requested order. */
export function firstInOrder(
  { sort }: Wanted,
  found: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    with found as materialized (${found})
    select id, is_expired, tier, created_at from found order by is_expired, ${ordersOf[sort]} limit ${limit}`;
}

/** Whether a deal has expired. A job sets the flag; between its runs, the date decides. */
export const hasLapsed = sql<boolean>`(is_expired or coalesce(expires_at <= now(), false))`;

export const ordersOf = {
  relevance: sql`tier, created_at desc, id desc`,
  best: sql`tier, created_at desc, id desc`,
  unit_price: sql`tier, created_at desc, id desc`,
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  price_low: sql`sale_price, id`,
  price_high: sql`sale_price desc, id desc`,
};

/**
 * Returns only the columns for the order, not those for the search, since thousands of rows are
 * sorted.
 */
export function foundColumns(
  { terms, sort }: Wanted,
  matched: Matched,
  isPriced: boolean,
): RawBuilder<unknown> {
  return sql`id, ${hasLapsed} as is_expired, created_at, ${isPriced ? sql`sale_price` : sql`0 as sale_price`}, ${tierIn(sort, terms, matched)} as tier`;
}

/** Returns the first expression of the order, or 0 if the order uses only columns. */
function tierIn(sort: SearchSort, terms: SearchTerms, matched: Matched): RawBuilder<number> {
  if (sort === 'relevance') return tierOf(terms, matched);
  if (sort === 'best') return sql`-${percentBelowUsual}`;
  return sort === 'unit_price' ? sql`coalesce(${unitRank}, 'infinity')` : sql`0`;
}

/**
 * Returns a preliminary order, before `rankMatches` reads the titles: exact title, whole words in
 * the title, whole words anywhere, parts in the title, the rest.
 */
function tierOf(terms: SearchTerms, matched: Matched): RawBuilder<number> {
  // Each word comparison reads the deal's index entry, so none is repeated.
  return matched === 'words'
    ? sql`case when title = ${terms.text} then 0 when ${hasWordsInTitle(terms)} then 1 else 2 end`
    : sql`case when title = ${terms.text} then 0 when ${hasPartsInTitle(terms.words)} then 3 else 4 end`;
}
