import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** Something to send to an endpoint to see whether it listens, also while it is switched off. Null when it is gone. */
export async function queuePing(db: Db, endpointId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into webhook_deliveries (endpoint_id, event)
      select id, 'ping' from webhook_endpoints where id = ${endpointId} returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** Sends one again, with the id it had, and with 48 hours of its own. False while it is being sent, or gone. */
export async function requeueDelivery(
  db: Db,
  { id, endpointId }: { id: number; endpointId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({
      state: 'queued',
      due_at: sql<Date>`now()`,
      trying_since: sql<Date>`now()`,
      sent_at: null,
      last_error: null,
      lease_owner: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('endpoint_id', '=', endpointId)
    .where(sql<boolean>`lease_until is null or lease_until < now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
