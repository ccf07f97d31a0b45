import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold } from '#app/platform/fold.ts';
import { conditionOf } from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchTerms } from './search-terms.server.ts';

/** Up to this many deals with the words are all read and ranked; of commoner words the first are looked for. */
export const wordsReadAll = 2_000;
/** So far they are counted: the more exactly it is known how many there are, the fewer days hold enough of them. */
const wordsCounted = 1.5 * wordsReadAll;
/** Up to this many are rather read than laid over an index of what many deals are. */
const wordsRare = 5_000;
/** Of a word in up to this many deals the newest are found off the index; of commoner ones by looking at the newest. */
const wordsIndexed = 60_000;
/** So many entries of the index of words are read in the time that one deal takes. */
const entriesPerDeal = 10;

interface Expected {
  /** What is looked for. */
  terms: SearchTerms;
  /** About how many deals have the words and pass the filter. */
  expected: number;
  /** About how many have the words, whatever the filter. */
  inAll: number;
  /** The words are rare enough for their index to find the newest. */
  isIndexed: boolean;
  /** So rare that all of them are rather read than laid over an index of what filters ask for. */
  isRare: boolean;
  /** Only deals that end soon are asked for, and they are far rarer than the words. */
  isEndingRarer: boolean;
}

/**
 * About how many deals have the words and pass the filter. Few are counted where the planner only guesses: words that its
 * statistics don't know are a part of all deals to it, which grows with the shop, and several words are independent ("gift
 * card" is forty times as common as that). Of a word that is common as it stands no longer ones are looked for, which takes
 * three times as long.
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
  /** How many deals have them, so far as they were counted; null where statistics know them to be common. */
  counted: number | null;
  /** How many were expected. */
  known: number;
}

/** A search looks for the same words twice where it is narrowed. */
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
  // Where counting stopped there are at least so many, and perhaps as many as was guessed.
  const isCapped = counted === wordsCounted;
  return {
    terms: meant,
    isIndexed,
    isRare: isGuess && (isTogether ? !isCapped : known < wordsRare),
    counted: isCapped ? Math.max(counted, known) : counted,
    known: Math.max(1, known),
  };
}

/** A word that no text has. */
const unheardOf = `'\u0001'`;

/** Prices are left to the scans in the order of price: how many deals lie in a range says little of its cost. */
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

/** Of a row of `deal_texts`. */
export function hasWords(terms: SearchTerms): RawBuilder<boolean> {
  return sql`(search @@ ${terms.prefixQuery}::tsquery)`;
}
