import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold } from '#app/platform/fold.ts';
import { conditionOf } from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchTerms } from './search-terms.server.ts';

/**
 * Up to this many deals with the words are all read and ranked; for more frequent words only the
 * first are.
 */
export const wordsReadAll = 2_000;
/** The limit of counting: the more precise the count, the fewer days are needed to find enough. */
const wordsCounted = 1.5 * wordsReadAll;
/** Up to this many deals are read directly instead of intersecting with a large index. */
const wordsRare = 5_000;
/**
 * For a word in up to this many deals, the newest are found in the index; for more frequent ones,
 * by scanning the newest.
 */
const wordsIndexed = 60_000;
/** The number of word index entries read in the time of one deal. */
const entriesPerDeal = 10;

interface Expected {
  /** The search terms. */
  terms: SearchTerms;
  /** The approximate number of deals with the words that pass the filter. */
  expected: number;
  /** The approximate number with the words, without the filter. */
  inAll: number;
  /** Whether the words are rare enough to find the newest by their index. */
  isIndexed: boolean;
  /**
   * Whether they are so rare that all are read instead of intersecting with the filters' indexes.
   */
  isRare: boolean;
  /** Whether only deals that end soon are requested, and these are far rarer than the words. */
  isEndingRarer: boolean;
}

/**
 * Estimates how many deals have the words and pass the filter. Rare words are counted, because
 * PostgreSQL only guesses: it assumes a fixed share for unknown words, and that several words are
 * independent ("gift card" is forty times as frequent as that). A word that is
 * frequent itself is not searched as a prefix, which takes three times as long.
 */
export async function expectDeals(
  db: Db,
  terms: SearchTerms,
  filter: DealFilter,
): Promise<Expected> {
  const expecting = wordsInAll.get(terms) ?? expectWords(db, terms);
  wordsInAll.set(terms, expecting);
  const { counted, known, ...words } = await expecting;
  const inAll = counted ?? known;
  if (counted !== null && counted <= wordsReadAll) {
    return { ...words, inAll, expected: counted, isEndingRarer: false };
  }
  const { brand, ...others } = withoutPrice(filter);
  const ofBrand = brand !== undefined ? sql`and brand = ${fold(brand)}` : sql``;
  const expected = await estimateDeals(
    db,
    sql`is_active and ${hasWords(words.terms)} and ${conditionOf(others)} ${ofBrand}`,
  );
  const isEndingRarer =
    filter.dealType === 'expiring' &&
    known > entriesPerDeal * (await estimateDeals(db, conditionOf({ dealType: 'expiring' })));
  return {
    ...words,
    inAll,
    expected: counted === null ? expected : (expected * counted) / known,
    isEndingRarer,
  };
}

interface WordsInAll extends Pick<Expected, 'terms' | 'isIndexed' | 'isRare'> {
  /**
   * The number of deals up to the counting limit; `null` if statistics show them to be frequent.
   */
  counted: number | null;
  /** The estimate. */
  known: number;
}

/** A filtered search looks up the same words twice. */
const wordsInAll = new WeakMap<SearchTerms, Promise<WordsInAll>>();

async function expectWords(db: Db, terms: SearchTerms): Promise<WordsInAll> {
  const expect = (prefixQuery: string | null) =>
    estimateDeals(db, sql`is_active and ${hasWords({ ...terms, prefixQuery })}`);
  const { wholeQuery, prefixQuery } = terms;
  const isTogether = terms.words.length > 1;
  let guess = await expect(unheardOf);
  let known = await expect(wholeQuery);
  const isLonger = prefixQuery !== wholeQuery && known <= Math.max(wordsReadAll, guess);
  if (isLonger) [guess, known] = [await expect(`${unheardOf}:*`), await expect(prefixQuery)];
  const meant = isLonger ? terms : { ...terms, prefixQuery: wholeQuery };
  const isGuess = known <= (isTogether ? wordsReadAll : guess);
  const isIndexed = isTogether ? isGuess : known <= wordsIndexed;
  const counted = isGuess
    ? await ask(db).value<number>`
      select count(*) from (
        select 1 from deal_texts where is_active and ${hasWords(meant)} limit ${wordsCounted}) counted`
    : null;
  // If counting stopped, there are at least that many, and perhaps as many as estimated.
  const isCapped = counted === wordsCounted;
  return {
    terms: meant,
    isIndexed,
    isRare: isGuess && (isTogether ? !isCapped : known < wordsRare),
    counted: isCapped ? Math.max(counted, known) : counted,
    known: Math.max(1, known),
  };
}

/** A word that no text contains. */
const unheardOf = `'\u0001'`;

/**
 * Prices are left to the scans by price, since a range's number of deals says little about its
 * cost.
 */
export function withoutPrice({
  categoryId,
  merchantId,
  status,
  sellerType,
  dealType,
  brand,
}: DealFilter) {
  return { categoryId, merchantId, status, sellerType, dealType, brand };
}

export function isWithinPrices({ minPrice, maxPrice }: DealFilter): boolean {
  return minPrice !== undefined || maxPrice !== undefined;
}

/** For a row of `deal_texts`. */
export function hasWords(terms: SearchTerms): RawBuilder<boolean> {
  return sql`(search @@ ${terms.prefixQuery}::tsquery)`;
}
