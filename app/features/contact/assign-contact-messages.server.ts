import { randomUUID } from 'node:crypto';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { rightsHeldBy } from '#app/features/accounts/policy.ts';
import { setRightsOf } from '#app/features/accounts/people/set-rights.server.ts';
import { userById } from '#app/features/accounts/people/user-queries.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db, Tx } from '#database/connect.ts';

export type AssignResult =
  | { ok: true; changed: number; to: string | null }
  | { ok: false; reason: 'not-staff' };

/**
 * Assigns messages to a colleague, who is notified by email, or to no one. Returns the number of
 * changed messages, and the colleague's address.
 */
export async function assignContactMessages(
  db: Db,
  { ids, to, actor }: { ids: readonly number[]; to: string | null; actor: string },
): Promise<AssignResult> {
  return db.transaction().execute(async (tx): Promise<AssignResult> => {
    const colleague =
      to === null
        ? null
        : await userById(tx, to)
            .select(['email', 'role', 'suspended_at', 'right_set as rightSet'])
            .select(setRightsOf('users').as('setRights'))
            .executeTakeFirst();
    if (colleague === undefined) return { ok: false, reason: 'not-staff' };
    if (colleague && (colleague.suspended_at || !rightsHeldBy(colleague).has('contact.manage'))) {
      return { ok: false, reason: 'not-staff' };
    }
    const email = colleague?.email ?? null;
    if (ids.length === 0) return { ok: true, changed: 0, to: email };
    const changed = await tx
      .updateTable('contact_messages')
      .set({ assigned_to: to })
      .where('id', 'in', ids)
      .where('assigned_to', 'is distinct from', to)
      .returning('id')
      .execute();
    if (to !== null && email !== null && to !== actor)
      await notifyColleague(tx, changed, to, email);
    const action = to === null ? 'contact.unassign' : 'contact.assign';
    const after = to === null ? null : { assigned_to: to };
    const act = { actor, action, entity: 'contact_message', after };
    await writeAudit(
      tx,
      changed.map(({ id }) => ({ ...act, entityId: id })),
    );
    return { ok: true, changed: changed.length, to: email };
  });
}

async function notifyColleague(tx: Tx, messages: { id: number }[], userId: string, to: string) {
  for (const { id: messageId } of messages) {
    const key = `contact-assigned:${messageId}:${randomUUID()}`;
    await queueMail(tx, { key, kind: 'contact-assigned', to, userId, props: { messageId } });
  }
}
