import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { markContactMessages } from './mark-contact-messages.server.ts';

/**
 * Closes messages, which marks them as read, or reopens them. Returns the number of changed
 * messages.
 */
export async function closeContactMessages(
  db: Db,
  { ids, isClosed, actor }: { ids: readonly number[]; isClosed: boolean; actor: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('contact_messages')
      .set(
        isClosed
          ? { closed_at: sql<Date>`now()`, closed_by: actor }
          : { closed_at: null, closed_by: null },
      )
      .where('id', 'in', ids)
      .where('closed_at', isClosed ? 'is' : 'is not', null)
      .returning('id')
      .execute();
    if (isClosed) {
      await markContactMessages(tx, { ids: changed.map(({ id }) => id), actor, isRead: true });
    }
    const action = isClosed ? 'contact.close' : 'contact.reopen';
    await writeAudit(
      tx,
      changed.map(({ id }) => ({ actor, action, entity: 'contact_message', entityId: id })),
    );
    return changed.length;
  });
}
