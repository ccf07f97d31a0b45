import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { countRows, readTablePage } from '#app/platform/read-table-page.server.ts';
import { readCounters } from '#app/platform/site-counters.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { can, isStaff, type Right, rightsHeldBy } from '../policy.ts';
import { setNameOf, setRightsOf } from './set-rights.server.ts';
import { type FilteredRole, roles, type UserQuery, type UserSort } from './user-table.ts';

/** A user as staff see them: without hashes, and with only the last use of their sessions. */
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserRow>>>;

const orders: Record<UserSort, string> = {
  name: 'lower(full_name)',
  role: 'role',
  joined: 'created_at',
};

/** Returns a page of users, found by address or name. Only the page's users are read completely. */
export async function listUserRows(db: Db, query: UserQuery): Promise<TablePage<UserRow>> {
  let found = db.selectFrom('users').where(containsIn(query.search, 'email', 'full_name'));
  const { role, state } = query.filters;
  if (role !== null) found = found.where(isOfRole(role as FilteredRole));
  if (state !== null) {
    found = found.where('suspended_at', state === 'suspended' ? 'is not' : 'is', null);
  }
  const inOrder = (isDescending: boolean) =>
    found
      .select('id')
      .orderBy(sql.raw(orders[query.sort]), isDescending ? 'desc' : 'asc')
      // The order matches the index, where users with the same time are sorted by id.
      .orderBy('id', isDescending === (query.sort === 'joined') ? 'asc' : 'desc');
  const { isDescending } = query;
  const total = await countUsers(db, query);
  const page = await readTablePage(inOrder(isDescending), query, inOrder(!isDescending), total);
  const ids = page.rows.map(({ id }) => id);
  const users = await usersWithSecurity(db)
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
  const byId = new Map(users.map((user) => [user.id, user]));
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) };
}

/** Admins with a right set have that set's role, and are not listed as admins. */
function isOfRole(role: FilteredRole) {
  if (role === 'set') return sql<boolean>`right_set is not null`;
  return sql<boolean>`role = ${role} and right_set is null`;
}

/** Returns `undefined` for a search, which cannot be counted in advance. */
async function countUsers(db: Db, { search, filters }: UserQuery): Promise<number | undefined> {
  const { role, state } = filters;
  if (search !== '') return undefined;
  const suspended = db.selectFrom('users').where('suspended_at', 'is not', null);
  const ofRole = role === null ? suspended : suspended.where(isOfRole(role as FilteredRole));
  if (state === 'suspended') return countRows(ofRole.select('id'));
  const figures = await countUserFigures(db);
  const all =
    role === null
      ? figures.total
      : {
          super_admin: figures.superAdmins,
          admin: figures.admins,
          set: figures.ofSets,
          user: figures.users,
        }[role as FilteredRole];
  return state === null ? all : all - (await countRows(ofRole.select('id')));
}

/** Returns all users with this right who are not suspended, by name. */
export async function listPeopleWith(db: Db, right: Right) {
  const people = await db
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'role', 'right_set as rightSet'])
    .select(setRightsOf('users').as('setRights'))
    .where(
      'role',
      'in',
      roles.filter((role) => can(role, right)),
    )
    .where('suspended_at', 'is', null)
    .orderBy('full_name')
    .orderBy('email')
    .execute();
  return people
    .filter((one) => rightsHeldBy(one).has(right))
    .map(({ id, email, full_name }) => ({ id, email, full_name }));
}

/** Returns whether this address or id belongs to a member of staff. */
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

export async function findUserRow(db: Db, id: string) {
  return (await usersWithSecurity(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function countUserFigures(db: Db) {
  const figure = await readCounters(db, 'users');
  const [total, superAdmins, admins] = [figure('all'), figure('super_admin'), figure('admin')];
  const ofSets = await countRows(
    db.selectFrom('users').where('right_set', 'is not', null).select('id'),
  );
  const users = total - superAdmins - admins;
  return { total, superAdmins, admins: admins - ofSets, ofSets, users };
}

function usersWithSecurity(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'role', 'email_verified', 'two_factor_enabled'])
    .select(['created_at', 'suspended_at', 'suspended_for', 'right_set as rightSet'])
    .select([
      setNameOf('users').as('setName'),
      sql<number>`(select count(*) from passkeys p where p.user_id = users.id)`.as('passkeyCount'),
      sql<Date | null>`(select max(s.updated_at) from sessions s where s.user_id = users.id)`.as(
        'lastSeenAt',
      ),
    ]);
}
