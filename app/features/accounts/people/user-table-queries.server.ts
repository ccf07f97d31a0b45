import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { isStaff } from '../policy.ts';
import type { UserQuery, UserSort } from './user-table.ts';

/** A user as staff may see them: no hash, and of their sessions only when the last one was used. */
export interface UserRow {
  id: string;
  email: string;
  full_name: string;
  role: Role;
  email_verified: boolean;
  two_factor_enabled: boolean;
  passkeyCount: number;
  created_at: Date;
  /** Null when no session of theirs is kept. */
  lastSeenAt: Date | null;
}

const orders: Record<UserSort, string> = {
  name: 'lower(full_name)',
  role: 'role',
  joined: 'created_at',
};

/** A page of all users, by address or name. */
export async function listUserRows(db: Db, query: UserQuery): Promise<TablePage<UserRow>> {
  let found = db.selectFrom('users');
  if (query.search !== '') {
    const pattern = containsPattern(query.search);
    found = found.where((eb) =>
      eb.or([eb('email', 'ilike', pattern), eb('full_name', 'ilike', pattern)]),
    );
  }
  const { role } = query.filters;
  if (role !== null) found = found.where('role', '=', role as Role);
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = withSecurity(found).orderBy(sql.raw(orders[query.sort]), direction).orderBy('id');
  return readTablePage(rows, query);
}

export type Person = Pick<UserRow, 'id' | 'email' | 'full_name'>;

/** Those of these accounts that there still are. */
export function listPeople(db: Db, ids: readonly string[]): Promise<Person[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'full_name'])
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
}

/** Whether somebody of the staff has this address or this id. */
export async function isAboutStaff(
  db: Db,
  { email, id }: { email: string; id: string | null },
): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('role')
    .where((eb) =>
      eb.or([eb(eb.fn('lower', ['email']), '=', email.toLowerCase()), eb('id', '=', id)]),
    )
    .execute();
  return found.some(({ role }) => isStaff(role));
}

export async function findUserRow(db: Db, id: string): Promise<UserRow | null> {
  const row = await withSecurity(db.selectFrom('users').where('id', '=', id))
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export interface UserFigures {
  total: number;
  superAdmins: number;
  admins: number;
  users: number;
}

export async function countUserFigures(db: Db): Promise<UserFigures> {
  return db
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('role', '=', 'super_admin').as('superAdmins'),
      fn.countAll<number>().filterWhere('role', '=', 'admin').as('admins'),
      fn.countAll<number>().filterWhere('role', '=', 'user').as('users'),
    ])
    .executeTakeFirstOrThrow();
}

function all(db: Db) {
  return db.selectFrom('users');
}

function withSecurity(query: ReturnType<typeof all>) {
  return query
    .select(['id', 'email', 'full_name', 'role', 'email_verified', 'two_factor_enabled'])
    .select('created_at')
    .select([
      sql<number>`(select count(*) from passkeys p where p.user_id = users.id)`.as('passkeyCount'),
      sql<Date | null>`(select max(s.updated_at) from sessions s where s.user_id = users.id)`.as(
        'lastSeenAt',
      ),
    ]);
}
