import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** minutes; long enough to find the button, too short for a stranger at the screen */
export const freshMinutes = 10;

export type WaysIn = Awaited<ReturnType<typeof findWaysIn>>;

/** Returns an account's sign-in methods, with `providers` by id, oldest first. */
export async function findWaysIn(db: Db, userId: string) {
  const accounts = await db
    .selectFrom('accounts')
    .select(['provider_id as id', 'created_at as since'])
    .select(({ eb }) => eb('password', 'is not', null).as('hasPassword'))
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const { passkeys } = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('passkeys'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    hasPassword: accounts.some(({ id, hasPassword }) => id === 'credential' && hasPassword),
    passkeys,
    providers: accounts
      .filter(({ id }) => id !== 'credential')
      .map(({ id, since }) => ({ id, since })),
  };
}

/** Returns whether this session was opened just now. */
export async function isFreshSession(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${freshMinutes})`)
    .executeTakeFirst();
  return row !== undefined;
}
