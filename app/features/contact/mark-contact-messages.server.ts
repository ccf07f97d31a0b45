import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/**
 * Marks messages as read by `actor` (a user's id), or as unread. Returns the number of changed
 * messages.
 */
export async function markContactMessages(
  db: Db,
  { ids, isRead, actor }: { ids: readonly number[]; isRead: boolean; actor: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('contact_messages')
    .set(
      isRead
        ? { is_read: true, read_at: sql<Date>`now()`, read_by: actor }
        : { is_read: false, read_at: null, read_by: null },
    )
    .where('id', 'in', ids)
    .where('is_read', '=', !isRead) // The first reader remains recorded.
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
