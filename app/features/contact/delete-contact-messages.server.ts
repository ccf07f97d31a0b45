import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';

/**
 * Deletes messages and returns their number. The worker cancels their unsent emails. The audit log
 * keeps the user, not the content.
 */
export async function deleteContactMessages(
  db: Db,
  { ids, actor }: { ids: readonly number[]; actor: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  return db.transaction().execute(async (tx) => {
    const deleted = await tx
      .deleteFrom('contact_messages')
      .where('id', 'in', ids)
      .returning(['id', 'created_at'])
      .execute();
    const act = { actor, action: 'contact.delete', entity: 'contact_message' };
    await writeAudit(
      tx,
      deleted.map(({ id, created_at }) => ({ ...act, entityId: id, before: { created_at } })),
    );
    return deleted.length;
  });
}
