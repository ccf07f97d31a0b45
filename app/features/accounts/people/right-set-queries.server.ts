import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

export type RightSetRow = NonNullable<Awaited<ReturnType<typeof findRightSet>>>;

const columns = ['id', 'name', 'rights', 'version'] as const;

/** Returns the custom sets by name. */
export function listRightSets(db: Db) {
  return db.selectFrom('right_sets').select(columns).orderBy('name').execute();
}

export async function findRightSet(db: Db, id: number) {
  const found = db.selectFrom('right_sets').select(columns).where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Returns the number of users per set. Users with all rights of `admin` are under `''`. */
export async function countHolders(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('users')
    .select(['role', sql<string>`coalesce(right_set, '')`.as('set')])
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .where('role', '<>', 'user')
    .groupBy(['role', 'right_set'])
    .execute();
  return new Map(rows.map(({ role, set, people }) => [set || role, people]));
}

/** Returns users with this set, suspended ones included. */
export function listHolders(db: Db, set: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'full_name'])
    .where('right_set', '=', set)
    .orderBy('full_name')
    .orderBy('email')
    .execute();
}

/** Returns how many open invitations offer this set. */
export async function countInvitationsTo(db: Db, set: string): Promise<number> {
  const found = await db
    .selectFrom('staff_invitations')
    .select(({ fn }) => fn.countAll<number>().as('invitations'))
    .where('right_set', '=', set)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return found.invitations;
}
