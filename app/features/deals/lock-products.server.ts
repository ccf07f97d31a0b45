import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';

/**
 * Waits for others who change products, until the end of the transaction. Imports never wait: they
 * change deals only, whose rows are locked in the order of their ids.
 */
export async function lockProducts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('products', 0))`.execute(tx);
}
