import { ask } from '#database/ask.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { countMiss, leastVisitors } from '#app/features/catalog/count-miss.server.ts';
import { fold } from '#app/platform/fold.ts';
import { isProgram } from '#app/platform/is-visit.ts';

const longestStored = 60;

interface Visitor {
  address: string;
  userAgent: string | null;
}

/**
 * Counts a search without results. Only its words are stored, and not even those if they may be
 * personal.
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
  await countMiss(services, 'search', { text: words, address });
}

/** A search by several visitors that found no deal. */
export interface MissedSearch {
  words: string;
  visitors: number;
  missed_at: Date;
}

/** Lists the searches by the number of visitors, most first. */
export async function listMissedSearches(
  db: AppServices['db'],
  limit: number,
): Promise<MissedSearch[]> {
  return ask(db).rows<MissedSearch>`
    select words, visitors, missed_at from missed_searches
     where visitors >= ${leastVisitors} order by visitors desc, missed_at desc, words limit ${limit}`;
}
