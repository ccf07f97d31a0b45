import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { mailAdministrators } from '#app/features/accounts/people/mail-administrators.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { cancelWaiting } from './change-webhook-endpoint.server.ts';

/** days without a success after which an endpoint is turned off and staff are notified */
export const switchOffAfterDays = 5;
/** failures in a row after which deliveries to the endpoint pause */
const pauseAfter = 3;

const gone = 410;

export async function noteSuccess(db: Db, endpointId: number): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ failures: 0, failing_since: null, paused_until: null })
    .where('id', '=', endpointId)
    .where('failures', '>', 0)
    .execute();
}

/** Counts a failure. `status` 410 means that the receiver wants no more events. */
export async function noteFailure(
  db: Db,
  endpointId: number,
  status: number | null,
  pause: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const endpoint = await ask(tx).row<{ url: string; failing_since: Date; is_late: boolean }>`
      update webhook_endpoints
         set failures = failures + 1, failing_since = coalesce(failing_since, now()),
             paused_until = case when failures + 1 >= ${pauseAfter}
               then now() + make_interval(secs => ${pause}) else paused_until end
       where id = ${endpointId} and is_active
      returning url, failing_since,
                failing_since < now() - make_interval(days => ${switchOffAfterDays}) as is_late`;
    if (!endpoint) return;
    const { is_late, ...failing } = endpoint;
    if (is_late || status === gone) await switchOff(tx, endpointId, failing);
  });
}

async function switchOff(tx: Tx, id: number, endpoint: { url: string; failing_since: Date }) {
  await tx
    .updateTable('webhook_endpoints')
    .set({ is_active: false, switched_off_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await cancelWaiting(tx, id);
  await writeAudit(tx, {
    actor: 'system',
    action: 'webhook.switch-off',
    entity: 'webhook',
    entityId: id,
    after: endpoint,
  });
  await mailAdministrators(tx, {
    key: `webhook-off:${id}:${endpoint.failing_since.getTime()}`,
    kind: 'webhook-switched-off',
    props: { endpointId: id, host: new URL(endpoint.url).host },
  });
}
