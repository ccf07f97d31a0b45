import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { NewPasskey } from './verify-passkey.server.ts';

export function listPasskeys(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns the key with this id and its owner, or `null`. */
export async function findPasskey(db: Db, id: string) {
  const row = await db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id as userId', 'p.public_key as publicKey', 'p.algorithm', 'u.email'])
    .where('p.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns `false` if a key with this id already exists. */
export async function insertPasskey(
  db: Db,
  userId: string,
  name: string,
  { id, publicKey, algorithm, counter }: NewPasskey,
): Promise<boolean> {
  const row = await db
    .insertInto('passkeys')
    .values({ id, user_id: userId, name, public_key: publicKey, algorithm, counter })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records a use of the passkey. Returns `false` if the device's counter did not advance, since the
 * key may have been copied.
 */
export async function countPasskeyUse(db: Db, id: string, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether this user had the key; another user's key is treated as missing. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
