import type { Db } from '#database/connect.ts';

export const userById = (db: Db, id: string) => db.selectFrom('users').where('id', '=', id);

/** `email` must be in lower case, as it is stored. */
export const userByEmail = (db: Db, email: string) =>
  db.selectFrom('users').where('email', '=', email);

export const updateUser = (db: Db, id: string) => db.updateTable('users').where('id', '=', id);

export async function changeName(db: Db, userId: string, name: string): Promise<void> {
  await updateUser(db, userId).set({ full_name: name, updated_at: new Date() }).execute();
}
