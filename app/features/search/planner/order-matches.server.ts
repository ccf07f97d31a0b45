import { type RawBuilder, sql } from 'kysely';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import { percentBelowUsual } from '#app/features/deals/deal-conditions.server.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import type { SearchTerms } from './search-terms.server.ts';
import { hasPartsInTitle } from './texts-of.server.ts';

interface Wanted {
  terms: SearchTerms;
  sort: SearchSort;
}

/** Returns the first of those found with `foundColumns`, in the requested order. */
export function firstInOrder(
  { terms, sort }: Wanted,
  found: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    with found as materialized (${found})
    ${sort === 'relevance' ? byRelevance(terms, limit) : sql`select id, is_expired, sale_price from found order by is_expired, ${ordersOf[sort]} limit ${limit}`}`;
}

/** A job sets the flag; between two runs the date decides. */
export const hasLapsed = sql<boolean>`(is_expired or coalesce(expires_at <= now(), false))`;

export const ordersOf = {
  best: sql`tier, created_at desc, id desc`,
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  price_low: sql`sale_price, id`,
  price_high: sql`sale_price desc, id desc`,
};

/**
 * Returns few columns, since thousands of rows are sorted: those for the order, not those for the
 * search.
 */
export function foundColumns({ terms, sort }: Wanted, isPriced: boolean): RawBuilder<unknown> {
  return sql`id, ${hasLapsed} as is_expired, created_at, ${isPriced ? sql`sale_price` : sql`0 as sale_price`}, ${sort === 'relevance' ? tierOf(terms) : sort === 'best' ? sql`-${percentBelowUsual}` : sql`0`} as tier`;
}

/**
 * Ranks: the title itself, titles that begin with it, whole words in the title, whole words
 * anywhere, parts of the title, the rest.
 */
function tierOf(terms: SearchTerms): RawBuilder<number> {
  return sql`case when title = ${terms.text} then 0
                  when title like ${startsWithPattern(terms.text)} then 1
                  when search @@ ${terms.titleQuery}::tsquery then 2
                  when search @@ ${terms.wholeQuery}::tsquery then ${wordsAnywhere}::int
                  when ${hasPartsInTitle(terms.words)} then 4
                  else 5 end`;
}

const wordsAnywhere = 3;

/**
 * Sorts equal ranks by newest. Words found in descriptions only are ranked by full text, which
 * costs 8 microseconds per row, too much for all.
 */
function byRelevance(terms: SearchTerms, limit: number): RawBuilder<unknown> {
  return sql`
    select id, is_expired from (select * from found order by is_expired, tier, created_at desc, id desc limit ${limit}) best
     order by is_expired, tier,
              case when tier = ${wordsAnywhere}::int then (
                select ts_rank(search, ${terms.wholeQuery}::tsquery) from deal_texts where deal_id = best.id) end desc,
              created_at desc, id desc`;
}
