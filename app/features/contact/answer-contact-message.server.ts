import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db } from '#database/connect.ts';
import { answerKey } from './contact-queries.server.ts';

export type AnswerResult =
  | { ok: true; email: string }
  | { ok: false; reason: 'missing' | 'bad-address' };

class BadAddress extends Error {}

/**
 * Stores an answer with its message and queues its email. A form that is sent twice stores one
 * answer. An unassigned message is then assigned to the answer's author.
 */
export async function answerContactMessage(
  db: Db,
  answer: { messageId: number; actor: string; op: string; body: string; isLast: boolean },
): Promise<AnswerResult> {
  const { messageId, actor, op, body, isLast } = answer;
  const answering = db.transaction().execute(async (tx): Promise<AnswerResult> => {
    const message = await tx
      .selectFrom('contact_messages')
      .select(['email', 'is_read', 'assigned_to', 'closed_at'])
      .where('id', '=', messageId)
      .forUpdate()
      .executeTakeFirst();
    if (!message) return { ok: false, reason: 'missing' };
    const kept = await tx
      .insertInto('contact_answers')
      .values({ message_id: messageId, op, author: actor, body })
      .onConflict((conflict) => conflict.columns(['message_id', 'op']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!kept) return { ok: true, email: message.email };
    const key = answerKey(kept.id);
    const props = { answerId: kept.id };
    const queued = await queueMail(tx, { key, kind: 'contact-answer', to: message.email, props });
    if (!queued.queued) throw new BadAddress();
    const closes = isLast && message.closed_at === null;
    await tx
      .updateTable('contact_messages')
      .set({
        assigned_to: message.assigned_to ?? actor,
        ...(!message.is_read && { is_read: true, read_at: sql<Date>`now()`, read_by: actor }),
        ...(closes && { closed_at: sql<Date>`now()`, closed_by: actor }),
      })
      .where('id', '=', messageId)
      .execute();
    const act = { actor, entity: 'contact_message', entityId: messageId };
    const acts = ['contact.answer', ...(closes ? ['contact.close'] : [])];
    await writeAudit(
      tx,
      acts.map((action) => ({ ...act, action })),
    );
    return { ok: true, email: message.email };
  });
  return answering.catch((error: unknown): AnswerResult => {
    if (!(error instanceof BadAddress)) throw error;
    return { ok: false, reason: 'bad-address' };
  });
}
