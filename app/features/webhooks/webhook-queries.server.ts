import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Db } from '#database/connect.ts';

const endpointColumns = [
  'id',
  'url',
  'events',
  'is_active',
  'failures',
  'failing_since',
  'paused_until',
  'switched_off_at',
  'old_secret_until',
  'created_at',
] as const;

/** An endpoint as staff see it, without secrets. */
export type WebhookEndpointSummary = Awaited<ReturnType<typeof listWebhookEndpoints>>[number];
export type WebhookDeliveryEntry = Awaited<ReturnType<typeof listWebhookDeliveries>>[number];

export function listWebhookEndpoints(db: Db) {
  return db.selectFrom('webhook_endpoints').select(endpointColumns).orderBy('id').execute();
}

export async function findWebhookEndpoint(db: Db, id: number) {
  const endpoints = db.selectFrom('webhook_endpoints').select(endpointColumns);
  return (await endpoints.where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Lists an endpoint's deliveries, newest first. */
export function listWebhookDeliveries(
  db: Db,
  endpointId: number,
  { limit, offset }: { limit: number; offset: number },
) {
  return db
    .selectFrom('webhook_deliveries')
    .select(['id', 'message_id', 'event', 'deal_id', 'alert_id', 'state', 'attempts'])
    .select(['occurred_at', 'due_at', 'sent_at', 'answer_status', 'last_error'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Counts an endpoint's deliveries up to `most`, since a large import creates very many. */
export function countWebhookDeliveries(db: Db, endpointId: number, most: number) {
  const own = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId);
  return countRows(db.selectFrom(own.limit(most).as('counted')));
}
