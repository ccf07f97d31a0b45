import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { WebhookEvent } from '#database/schema/program-tables.ts';
import { writeWebhookSecret } from './sign-webhook.ts';
import { newWebhookSecret } from './webhook-secret.server.ts';

export const mostEndpoints = 20;
/** hours for which the old secret still signs beside a new one */
export const overlapHours = 24;

interface EndpointFacts {
  url: string;
  events: WebhookEvent[];
}

export type AddEndpointResult =
  | { ok: true; id: number; /** The secret, shown once. */ secret: string }
  | { ok: false; reason: 'too-many' };

export async function addWebhookEndpoint(
  db: Db,
  { actor, url, events }: EndpointFacts & { actor: string },
): Promise<AddEndpointResult> {
  // The secret is bound to the id, so the id is needed first.
  const id = Number(
    await ask(db).value`select nextval(pg_get_serial_sequence('webhook_endpoints', 'id'))`,
  );
  const { secret, sealed } = await newWebhookSecret(db, id);
  return db.transaction().execute(async (tx) => {
    const count = await countRows(tx.selectFrom('webhook_endpoints'));
    if (count >= mostEndpoints) return { ok: false, reason: 'too-many' };
    await tx
      .insertInto('webhook_endpoints')
      .values({ id, url, events, secret: sealed, created_by: actor })
      .execute();
    await note(tx, actor, 'webhook.create', id, { after: { url, events } });
    return { ok: true, id, secret: writeWebhookSecret(secret) };
  });
}

/**
 * Changes an endpoint's address and events, and turns it on or off. Returns `false` if the endpoint
 * no longer exists.
 */
export async function changeWebhookEndpoint(
  db: Db,
  { actor, id, ...after }: EndpointFacts & { actor: string; id: number; isActive: boolean },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('webhook_endpoints')
      .select(['url', 'events', 'is_active as isActive'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await sql`
      update webhook_endpoints
         set url = ${after.url}, events = ${after.events}, is_active = ${after.isActive}, failures = 0,
             failing_since = null, paused_until = null, switched_off_at = null, updated_at = now()
       where id = ${id}`.execute(tx);
    if (!after.isActive) await cancelWaiting(tx, id);
    await note(tx, actor, 'webhook.change', id, { before, after });
    return true;
  });
}

/**
 * Creates a new secret. For a day, the old one signs beside it. Returns `null` if the endpoint
 * no longer exists.
 */
export async function rotateWebhookSecret(db: Db, { actor, id }: { actor: string; id: number }) {
  const { secret, sealed } = await newWebhookSecret(db, id);
  return db.transaction().execute(async (tx) => {
    const changed = await ask(tx).row`
      update webhook_endpoints
         set old_secret = secret, old_secret_until = now() + make_interval(hours => ${overlapHours}),
             secret = ${sealed}, updated_at = now()
       where id = ${id} returning id`;
    if (!changed) return null;
    await note(tx, actor, 'webhook.rotate-secret', id, {});
    return writeWebhookSecret(secret);
  });
}

/** Deletes an endpoint with its log. Returns `false` if the endpoint no longer exists. */
export async function deleteWebhookEndpoint(db: Db, { actor, id }: { actor: string; id: number }) {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .deleteFrom('webhook_endpoints')
      .where('id', '=', id)
      .returning(['url', 'events'])
      .executeTakeFirst();
    if (!before) return false;
    await note(tx, actor, 'webhook.delete', id, { before });
    return true;
  });
}

/**
 * Cancels waiting events of a disabled endpoint, since they would be outdated once it is enabled
 * again. A delivery in progress keeps its lease, so that its outcome is recorded.
 */
export async function cancelWaiting(tx: Tx, endpointId: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', last_error: 'the endpoint was turned off' })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'queued')
    .execute();
}

function note(tx: Tx, actor: string, action: string, entityId: number, change: object) {
  return writeAudit(tx, { actor, action, entity: 'webhook', entityId, ...change });
}
