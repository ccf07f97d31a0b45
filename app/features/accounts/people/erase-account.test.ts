import { expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { deleteUser } from './erase-account.server.ts';
import { listUserRows } from './user-table-queries.server.ts';
import { userTable } from './user-table.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';

const database = useTestDatabase();
const remove = (actor: string, userId: string) =>
  deleteUser(testServices(database), { actor, userId });
const ids = async () =>
  (await database.db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id);

test('R02: lets only a super_admin delete others, and never themselves', async () => {
  await insertUser(database.db, { id: 'owner', role: 'super_admin' });
  await insertUser(database.db, { id: 'clerk', role: 'admin' });
  await insertUser(database.db, { id: 'buyer' });
  expect(await remove('clerk', 'buyer')).toEqual({ ok: false, reason: 'not-allowed' });
  expect(await remove('nobody', 'buyer')).toEqual({ ok: false, reason: 'not-allowed' });
  expect(await remove('owner', 'owner')).toEqual({ ok: false, reason: 'self' });
  expect(await remove('owner', 'missing')).toEqual({ ok: false, reason: 'missing' });
  expect(await ids()).toEqual(['buyer', 'clerk', 'owner']);
  expect(await remove('owner', 'buyer')).toEqual({ ok: true });
  expect(await ids()).toEqual(['clerk', 'owner']);
});

// Proves R02: roles and deletions, under a lock
test('R02: keeps one of two super_admins who delete each other at once', async () => {
  await insertUser(database.db, { id: 'one', role: 'super_admin' });
  await insertUser(database.db, { id: 'two', role: 'super_admin' });
  const results = await Promise.all([remove('one', 'two'), remove('two', 'one')]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await ids()).toHaveLength(1);
});

test('R45: deletes subscription, messages, emails and sessions, regardless of the address’s letter case', async () => {
  await insertUser(database.db, { id: 'owner', role: 'super_admin' });
  await insertUser(database.db, { id: 'buyer', email: 'buyer@mail.example' });
  const { db } = database;
  await db.insertInto('newsletter_subscriptions').values({ email: 'Buyer@mail.example' }).execute();
  const words = { name: 'B', subject: 's', message: 'm' };
  await db
    .insertInto('contact_messages')
    .values({ ...words, email: 'buyer@mail.example' })
    .execute();
  await remove('owner', 'buyer');
  for (const table of ['newsletter_subscriptions', 'contact_messages'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test('shows when a user was last seen, from the stored sessions', async () => {
  const { id } = await insertUser(database.db, { id: 'buyer' });
  const seen = new Date('2026-05-01T10:00:00Z');
  const expires_at = new Date('2027-01-01T00:00:00Z');
  for (const [n, updated_at] of [new Date('2026-04-01T10:00:00Z'), seen].entries()) {
    await database.db
      .insertInto('sessions')
      .values({ id: `s${n}`, token: `t${n}`, user_id: id, expires_at, updated_at })
      .execute();
  }
  const query = parseTableQuery(userTable, new URLSearchParams());
  const { rows } = await listUserRows(database.db, query);
  expect(rows).toMatchObject([{ id: 'buyer', lastSeenAt: seen, passkeyCount: 0 }]);
  expect(JSON.stringify(rows)).not.toMatch(/token|hash|password/);
});
