import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { visitorTokens } from '#app/platform/visitor-marks.server.ts';
import type { Tx } from '#database/connect.ts';

/** visitors; text typed by fewer might identify a person, and is often a typo */
export const leastVisitors = 3;

/** The two kinds of misses, each with its table and the table of its visitors. */
const kinds = {
  path: {
    noun: 'an address without a page',
    counts: 'missed_paths',
    visitors: 'missed_path_visitors',
    key: 'path',
  },
  search: {
    noun: 'a search without a result',
    counts: 'missed_searches',
    visitors: 'missed_search_visitors',
    key: 'words',
  },
} as const;

/**
 * Counts a search or address that found nothing, once per visitor. Visitors are distinguished by
 * hashes that are deleted after two weeks. `before` runs first in the same transaction. A failure
 * is logged, since the visitor's page does not depend on the count.
 */
export async function countMiss(
  services: AppServices,
  kind: keyof typeof kinds,
  { text, address }: { text: string; address: string },
  before?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const db = services.primary ?? services.db;
  const [counts, visitors] = [sql.table(kinds[kind].counts), sql.table(kinds[kind].visitors)];
  const key = sql.ref(kinds[kind].key);
  try {
    const { mark } = await visitorTokens({ db, now: services.now }, `${kind} ${text}`, address);
    await db.transaction().execute(async (tx) => {
      await before?.(tx);
      await sql`
        insert into ${counts} (${key}) values (${text})
        on conflict (${key}) do update set missed_at = now()`.execute(tx);
      await sql`
        with new as (
          insert into ${visitors} (${key}, mark) values (${text}, ${mark})
          on conflict (${key}, mark) do nothing returning ${key} as missed)
        update ${counts} set visitors = visitors + 1 from new where ${key} = new.missed`.execute(
        tx,
      );
    });
  } catch (error) {
    services.log.warn({ err: error }, `${kinds[kind].noun} was not counted`);
  }
}
