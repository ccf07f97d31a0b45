import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** Something to send to an endpoint to see whether it listens, also while it is switched off. Null when it is gone. */
export async function queuePing(db: Db, endpointId: number): Promise<number | null> {
  return ask(db).value<number>`
    insert into webhook_deliveries (endpoint_id, event)
      select id, 'ping' from webhook_endpoints where id = ${endpointId} returning id`;
}

/** Sends one again, with the id it had, and with 48 hours of its own. False while it is being sent, or gone. */
export async function requeueDelivery(
  db: Db,
  { id, endpointId }: { id: number; endpointId: number },
): Promise<boolean> {
  const queued = await ask(db).rows`
    update webhook_deliveries
       set state = 'queued', due_at = now(), trying_since = now(), sent_at = null, last_error = null,
           lease_owner = null, lease_until = null
     where id = ${id} and endpoint_id = ${endpointId} and (lease_until is null or lease_until < now())
    returning id`;
  return queued.length > 0;
}
