import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';

/**
 * Serializes transactions that change products. Imports never wait for this lock: they change only
 * deals, whose rows are locked in the order of their ids.
 */
export async function lockProducts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('products', 0))`.execute(tx);
}
