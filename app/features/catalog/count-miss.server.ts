import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { visitorTokens } from '#app/platform/visitor-marks.server.ts';
import type { Tx } from '#database/connect.ts';
import { countVisitor } from './count-visitor.server.ts';

/** visitors; text typed by fewer might identify a person, and is often a typo */
export const leastVisitors = 3;

/** The two kinds of misses, each with its table and the table of its visitors. */
const kinds = {
  path: {
    noun: 'an address without a page',
    table: 'missed_paths',
    visitors: 'missed_path_visitors',
    key: 'path',
    reference: 'path',
  },
  search: {
    noun: 'a search without a result',
    table: 'missed_searches',
    visitors: 'missed_search_visitors',
    key: 'words',
    reference: 'words',
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
  const table = sql.table(kinds[kind].table);
  const key = sql.ref(kinds[kind].key);
  try {
    const tokens = await visitorTokens({ db, now: services.now }, `${kind} ${text}`, address);
    await db.transaction().execute(async (tx) => {
      await before?.(tx);
      await sql`
        insert into ${table} (${key}) values (${text})
        on conflict (${key}) do update set missed_at = now()`.execute(tx);
      await countVisitor(tx, kinds[kind], text, tokens);
    });
  } catch (error) {
    services.log.warn({ err: error }, `${kinds[kind].noun} was not counted`);
  }
}
