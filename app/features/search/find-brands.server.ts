import { sql } from 'kysely';
import { fold, wordRuns } from '#app/platform/fold.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { readSearchTerms } from './planner/find-matching-deals.server.ts';

const isLive = sql<boolean>`is_active and not is_expired`;

/**
 * Returns brands of live deals whose complete name appears in a text, spelled as in a deal. Names
 * have one to four words.
 */
export async function findNamedBrands(db: Db, text: string): Promise<string[]> {
  const runs = wordRuns(text);
  if (runs.length < 2) return [];
  return ask(db).column<string>`
    select named.brand
      from unnest(${runs}::text[]) run,
           lateral (select deal_id from deal_texts where brand = run and ${isLive} limit 1) texts
           join deals named on named.id = texts.deal_id`;
}

/** The maximum to count, which is enough to compare two counts. */
const mostCounted = 1_000;

/**
 * Whether live deals of a brand match the `rest` of the typed text. At most as many deals of other
 * brands may match the whole text.
 */
export async function isMostlyOfBrand(
  db: Db,
  brand: string,
  rest: string,
  typed: string,
): Promise<boolean> {
  const [others, whole] = await Promise.all([
    rest === '' ? null : readSearchTerms(db, rest, { isPlain: true }),
    readSearchTerms(db, typed, { isPlain: true }),
  ]);
  const hasRest = others ? sql`search @@ ${others.wholeQuery}::tsquery` : sql`true`;
  const row = await ask(db).row<{ own: number; other: number }>`
    select (select count(*) from (
              select from deal_texts where ${isLive} and brand = ${fold(brand)} and ${hasRest}
               limit ${mostCounted}) found) as own,
           (select count(*) from (
              select from deal_texts where ${isLive} and brand is distinct from ${fold(brand)}
                 and search @@ ${whole.wholeQuery}::tsquery
               limit ${mostCounted}) found) as other`;
  return row !== null && row.own > 0 && row.own >= row.other;
}
