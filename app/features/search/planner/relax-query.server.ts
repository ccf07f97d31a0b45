import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import { headOf } from './rank-titles.ts';
import { onlyTerms, type SearchTerms } from './search-terms.server.ts';
import { hasWords } from './texts-of.server.ts';

/** A part of a query that finds deals. */
export interface Alternative {
  /** The kept words, as a query. */
  text: string;
  terms: SearchTerms;
  /** The dropped words. */
  without: string[];
  /** The number of live deals that the remaining words find. */
  count: number;
}

/** The maximum number of words: with more, there are too many ways to drop two of them. */
const mostCombined = 6;
const mostCounted = 500;
const mostAlternatives = 3;

type Term = SearchTerms['terms'][number];

/**
 * Returns the parts of a query that find deals with the fewest words dropped, best first: the noun
 * is kept and numbers are dropped first. Words that no deal has are dropped before all others. The
 * list is empty if the whole query finds deals, or if no part does.
 */
export async function relaxQuery(db: Db, given: SearchTerms): Promise<Alternative[]> {
  const { terms } = given;
  const head = headOf(given.concepts)?.typed.join(' ') ?? '';
  if (terms.length < 2) return [];
  const alone = await countEach(
    db,
    terms.map((term) => onlyTerms(given, [term])),
  );
  const known = terms.filter((_, index) => (alone[index] ?? 0) > 0);
  if (known.length === 0) return [];
  for (const kept of levelsOf(known)) {
    const counts = await countEach(
      db,
      kept.map((some) => onlyTerms(given, some)),
    );
    const found = kept
      .map((some, index) => ({ some, count: counts[index] ?? 0 }))
      .filter(({ count }) => count > 0);
    // The whole query does find deals, but a filter excludes them.
    if (found.some(({ some }) => some.length === terms.length)) return [];
    if (found.length === 0) continue;
    return found
      .toSorted((a, b) => weightOf(b.some, head) - weightOf(a.some, head) || b.count - a.count)
      .slice(0, mostAlternatives)
      .map(({ some, count }) => ({
        text: textOf(some),
        terms: onlyTerms(given, some),
        without: terms.filter((term) => !some.includes(term)).map((term) => textOf([term])),
        count,
      }));
  }
  return [];
}

/** terms */
const mostRare = 3;
/** deals; for words in more deals, an estimate is accurate enough and cheaper than counting */
const mostRead = 2_000;

/**
 * Returns the rarest terms in a product's name that one deal has together, or all terms if no deal
 * has any. Unlike `relaxQuery`, which counts all ways to drop words, this reads no long index
 * lists, so the deals are only similar. Numbers are ignored, since similar products don't share
 * them.
 */
export async function rarestTerms(db: Db, given: SearchTerms): Promise<SearchTerms> {
  const terms = given.terms.filter((term) => !/^[\d ]+$/.test(textOf([term])));
  const alone = terms.map((term) => onlyTerms(given, [term]));
  const estimates = await Promise.all(
    alone.map((one) => estimateDeals(db, sql`is_active and ${hasWords(one)}`)),
  );
  const isRare = (index: number) => (estimates[index] ?? 0) <= mostRead;
  const counts = await countEach(
    db,
    alone.filter((_, index) => isRare(index)),
  );
  const known = terms
    .map((term, at) => ({ term, at, count: (isRare(at) ? counts.shift() : estimates[at]) ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.count - other.count)
    .slice(0, mostRare)
    .toSorted((one, other) => one.at - other.at)
    .map(({ term }) => term);
  if (known.length === 0) return given;
  const ways = levelsOf(known)
    .flat()
    .map((some) => onlyTerms(given, some));
  const found = ways.map((way, at) => sql`when exists (${liveWith(way)}) then ${sql.lit(at)}`);
  // The database stops reading at the first match.
  const first = await ask(db).value<number>`select case ${sql.join(found, sql` `)} end`;
  return ways[first ?? -1] ?? given;
}

/** Returns all ways to keep the terms, in groups with fewer and fewer terms. */
function levelsOf(terms: Term[]): Term[][][] {
  if (terms.length > mostCombined) return [[terms], ...shortened(terms)];
  const levels: Term[][][] = [[terms]];
  while ((levels.at(-1)?.[0]?.length ?? 0) > 1) {
    const last = levels.at(-1) ?? [];
    const next = last.flatMap((some) => some.map((left) => some.filter((term) => term !== left)));
    levels.push([...new Map(next.map((some) => [textOf(some), some])).values()]);
  }
  return levels;
}

function shortened(terms: Term[]): Term[][][] {
  return [
    terms.map((left) => terms.filter((term) => term !== left)),
    ...terms.slice(1).map((_, index) => [terms.slice(index + 1), terms.slice(0, -1 - index)]),
  ];
}

/** Weighs terms: the noun most, and numbers least. */
function weightOf(some: Term[], head: string): number {
  const weigh = (term: Term) => (textOf([term]) === head ? 100 : isNumber(term) ? 1 : 3);
  return some.reduce((sum, term) => sum + weigh(term), 0);
}

function isNumber({ typed }: Term): boolean {
  return typed.some((word) => /\d/.test(word));
}

function textOf(terms: Term[]): string {
  return terms.map(({ typed }) => typed.join(' ')).join(' ');
}

/** Counts the live deals for each query, up to a limit, with one statement. */
async function countEach(db: Db, all: SearchTerms[]): Promise<number[]> {
  const counts: RawBuilder<number>[] = all.map(
    (terms) => sql`(select count(*) from (${liveWith(terms)} limit ${mostCounted}) found)`,
  );
  return (await ask(db).value<number[]>`select array[${sql.join(counts)}]::integer[]`) ?? [];
}

function liveWith(terms: SearchTerms): RawBuilder<unknown> {
  return sql`select from deal_texts where is_active and not is_expired and ${hasWords(terms)}`;
}
