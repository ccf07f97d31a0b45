import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/**
 * Queues a test delivery, even while the endpoint is off. Returns `null` if the endpoint no longer
 * exists.
 */
export async function queuePing(db: Db, endpointId: number): Promise<number | null> {
  return ask(db).value<number>`
    insert into webhook_deliveries (endpoint_id, event)
      select id, 'ping' from webhook_endpoints where id = ${endpointId} returning id`;
}

/**
 * Sends a delivery again with its id and another 48 hours. Returns `false` while it is being sent,
 * or if it is missing.
 */
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
