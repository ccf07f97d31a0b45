import type { Db } from '#database/connect.ts';

export async function changeName(db: Db, userId: string, name: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ full_name: name, updated_at: new Date() })
    .where('id', '=', userId)
    .execute();
}
