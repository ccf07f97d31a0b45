import { ask } from '#database/ask.ts';
import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fold } from '#app/platform/fold.ts';
import { isProgram } from '#app/platform/is-visit.ts';
import { visitorTokens } from '#app/platform/visitor-marks.server.ts';

/** Fewer visitors might identify one of them by what they typed. */
export const leastVisitors = 3;
const longestStored = 60;

interface Visitor {
  address: string;
  userAgent: string | null;
}

/**
 * Counts a search without a result, once per visitor. Only the words are kept; visitors are
 * distinguished by hashes that are deleted after two weeks. Texts that may be personal are not counted.
 */
export async function countMissedSearch(
  services: AppServices,
  typed: string,
  { address, userAgent }: Visitor,
): Promise<void> {
  const words = fold(typed).trim();
  const mayBePersonal = /[@/\\]|\d{5}|https?:/.test(words);
  if (words.length < 2 || words.length > longestStored || mayBePersonal) return;
  if (isProgram(userAgent)) return;
  const db = services.primary ?? services.db;
  try {
    const { mark } = await visitorTokens({ db, now: services.now }, `search ${words}`, address);
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into missed_searches (words) values (${words})
        on conflict (words) do update set missed_at = now()`.execute(tx);
      await sql`
        with new as (
          insert into missed_search_visitors (words, mark) values (${words}, ${mark})
          on conflict (words, mark) do nothing returning words)
        update missed_searches m set visitors = visitors + 1 from new where m.words = new.words`.execute(
        tx,
      );
    });
  } catch (error) {
    services.log.warn({ err: error }, 'a search without a result was not counted');
  }
}

/** A search that several visitors made without finding a deal. */
export interface MissedSearch {
  words: string;
  visitors: number;
  missed_at: Date;
}

/** Lists the searches of the most visitors first. */
export async function listMissedSearches(
  db: AppServices['db'],
  limit: number,
): Promise<MissedSearch[]> {
  return ask(db).rows<MissedSearch>`
    select words, visitors, missed_at from missed_searches
     where visitors >= ${leastVisitors} order by visitors desc, missed_at desc, words limit ${limit}`;
}
