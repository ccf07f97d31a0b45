import { type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

type Endpoint = Selectable<Database['webhook_endpoints']>;
type Delivery = Selectable<Database['webhook_deliveries']>;

/** As staff see it: never a secret. */
export type WebhookEndpointSummary = Pick<
  Endpoint,
  | 'id'
  | 'url'
  | 'events'
  | 'is_active'
  | 'failures'
  | 'failing_since'
  | 'paused_until'
  | 'switched_off_at'
  | 'old_secret_until'
  | 'created_at'
>;

export type WebhookDeliveryEntry = Pick<
  Delivery,
  | 'id'
  | 'message_id'
  | 'event'
  | 'deal_id'
  | 'alert_id'
  | 'state'
  | 'attempts'
  | 'occurred_at'
  | 'due_at'
  | 'sent_at'
  | 'answer_status'
  | 'last_error'
>;

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

export function listWebhookEndpoints(db: Db): Promise<WebhookEndpointSummary[]> {
  return db.selectFrom('webhook_endpoints').select(endpointColumns).orderBy('id').execute();
}

export async function findWebhookEndpoint(
  db: Db,
  id: number,
): Promise<WebhookEndpointSummary | null> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export function listWebhookDeliveries(
  db: Db,
  endpointId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<WebhookDeliveryEntry[]> {
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

/** Those of an endpoint, counted no further than `most`: a large import makes very many. */
export async function countWebhookDeliveries(
  db: Db,
  endpointId: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from webhook_deliveries where endpoint_id = ${endpointId} limit ${most}) counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
