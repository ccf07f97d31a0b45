import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { matchingSubscriptions } from './subscription-table-queries.server.ts';
import type { SubscriptionScope } from './subscription-table.ts';

/** The selected rows, or all rows of a filter with the number that was shown. */
export type SubscriptionChoice =
  | { ids: readonly number[] }
  | { filter: SubscriptionScope; expectedCount: number };

export type ChangeSubscriptionsResult =
  | { ok: true; changed: number }
  | { ok: false; reason: 'count-changed'; seen: number; count: number };

export type EndVerb = 'deactivate' | 'delete';

/**
 * Ends or deletes subscriptions. Addresses are not logged in the audit log, where they would
 * outlive their deletion.
 */
export async function changeSubscriptions(
  db: Db,
  { verb, actor }: { verb: EndVerb; actor: string },
  choice: SubscriptionChoice,
): Promise<ChangeSubscriptionsResult> {
  return db.transaction().execute(async (tx) => {
    const ids = await lockChosen(tx, choice);
    if ('filter' in choice && ids.length !== choice.expectedCount) {
      return { ok: false, reason: 'count-changed', seen: choice.expectedCount, count: ids.length };
    }
    const changed = verb === 'delete' ? await deleteAll(tx, ids) : await deactivateAll(tx, ids);
    await writeAudit(
      tx,
      changed.map(({ id, was_active }) => ({
        actor,
        action: `subscription.${verb}`,
        entity: 'subscription',
        entityId: id,
        before: { is_active: was_active },
        after: verb === 'delete' ? null : { is_active: false },
      })),
    );
    return { ok: true, changed: changed.length };
  });
}

export type ReactivateResult =
  | { ok: true }
  | { ok: false; reason: 'no-reason' | 'reason-too-long' | 'missing' | 'active' };

export const longestReason = 300;

/**
 * Reactivates a subscription of a person who unsubscribed or never confirmed. The reason is
 * required and logged.
 */
export async function reactivateSubscription(
  db: Db,
  { id, actor, reason }: { id: number; actor: string; reason: string },
): Promise<ReactivateResult> {
  const why = reason.trim();
  if (why === '') return { ok: false, reason: 'no-reason' };
  if (why.length > longestReason) return { ok: false, reason: 'reason-too-long' };
  return db.transaction().execute(async (tx): Promise<ReactivateResult> => {
    const row = await tx
      .selectFrom('newsletter_subscriptions')
      .select(['is_active', 'unsubscribed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return { ok: false, reason: 'missing' };
    if (row.is_active) return { ok: false, reason: 'active' };
    await tx
      .updateTable('newsletter_subscriptions')
      .set({ is_active: true, unsubscribed_at: null })
      .where('id', '=', id)
      .execute();
    await writeAudit(tx, {
      actor,
      action: 'subscription.activate',
      entity: 'subscription',
      entityId: id,
      before: { is_active: false, unsubscribed_at: row.unsubscribed_at },
      after: { is_active: true, unsubscribed_at: null, reason: why },
    });
    return { ok: true };
  });
}

async function lockChosen(tx: Tx, choice: SubscriptionChoice): Promise<number[]> {
  const found =
    'ids' in choice
      ? tx.selectFrom('newsletter_subscriptions').where(sql<boolean>`id = any(${choice.ids})`)
      : matchingSubscriptions(tx, choice.filter);
  const rows = await found.select('id').orderBy('id').forUpdate().execute();
  return rows.map(({ id }) => id);
}

interface Changed {
  id: number;
  was_active: boolean;
}

function deleteAll(tx: Tx, ids: number[]) {
  return ask(tx).rows<Changed>`
    delete from newsletter_subscriptions where id = any(${ids})
    returning id, is_active as was_active`;
}

function deactivateAll(tx: Tx, ids: number[]) {
  return ask(tx).rows<Changed>`
    update newsletter_subscriptions s
       set is_active = false, unsubscribed_at = now()
      from newsletter_subscriptions was
     where was.id = s.id and s.id = any(${ids}) and s.unsubscribed_at is null
    returning s.id, was.is_active as was_active`;
}
