import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { flashOf, givePassword, signedInVisitor, signIn, staffPassword } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
let number = 0;
beforeEach(() => {
  // Wrong passwords are counted per process and IP address.
  number += 1;
});

async function staff(role: Role) {
  const visitor = await signedInVisitor(database, site, role, {
    email: `${role}-of-roles-${number}@staff.example`,
  });
  await givePassword(database, visitor.userId);
  return visitor;
}
const password = staffPassword;
const sets = () => database.db.selectFrom('right_sets').selectAll().orderBy('id').execute();
const insertSet = async (name = 'Helper', rights = ['contact.manage']) => {
  const made = database.db.insertInto('right_sets').values({ name, rights }).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
};
const roleOf = (id: string) =>
  database.db
    .selectFrom('users')
    .select(['role', 'right_set'])
    .where('id', '=', id)
    .executeTakeFirst();

test('lists built-in and custom roles with their users', async () => {
  await insertSet('Night shift');
  const nina = await insertUser(database.db, { role: 'admin' });
  await database.db
    .updateTable('users')
    .set({ right_set: 'writer' })
    .where('id', '=', nina.id)
    .execute();
  const visitor = await staff('super_admin');
  const words = textOf((await visitor.open('/admin/roles')).html);
  for (const name of ['Super Admin', 'Admin', 'Editor', 'Writer', 'Analyst', 'Night shift']) {
    expect(words).toContain(name);
  }
  expect(words).toContain('Read and answer messages');
  const { html } = await visitor.open('/admin/roles/writer');
  expect(html).toContain(nina.email);
  expect(textOf(html)).toContain('Write and publish posts and pages');
  expect(html).toContain('cannot be changed');
  expect(html).not.toContain('name="blog.write"');
});

test('filters users by their custom role, not by the admin role that it narrows', async () => {
  const visitor = await staff('super_admin');
  const nina = await insertUser(database.db, { role: 'admin', full_name: 'Nina Narrow' });
  const whole = await insertUser(database.db, { role: 'admin', full_name: 'Ada Admin' });
  await database.db
    .updateTable('users')
    .set({ right_set: 'writer' })
    .where('id', '=', nina.id)
    .execute();
  const listed = async (query: string) => {
    const { html } = await visitor.open(`/admin/users?${query}`);
    return [nina, whole].filter(({ full_name: name }) => html.includes(name)).map(({ id }) => id);
  };
  expect(await listed('role=admin')).toEqual([whole.id]);
  expect(await listed('role=set')).toEqual([nina.id]);
  expect(await listed('role=set&q=narrow')).toEqual([nina.id]);
  expect(await listed('role=set&state=suspended')).toEqual([]);
  const words = textOf((await visitor.open('/admin/users')).html);
  expect(words).toMatch(/Admins\s*1/);
  expect(words).toMatch(/Other roles\s*1/);
});

test('creates a role as a copy after the password check, and keeps input after an error', async () => {
  const visitor = await staff('super_admin');
  const form = await visitor.open('/admin/roles/new?from=writer');
  expect(form.html).toMatch(/name="blog.write"[^>]*checked=""/);
  expect(form.html).not.toMatch(/name="catalog.write"[^>]*checked=""/);
  const fields = { name: '  Night   shift ', 'catalog.write': 'on', password };
  for (const [wrong, words] of [
    [{ ...fields, name: ' ' }, 'Enter a name'],
    [{ ...fields, name: 'x'.repeat(61) }, 'at most 60 characters'],
    [{ ...fields, name: 'writer' }, 'A role with this name exists already'],
    [{ ...fields, password: 'a wrong guess' }, 'That password is incorrect'],
  ] as const) {
    const { status, html } = await visitor.send('/admin/roles/new', wrong);
    expect([words, status, html.includes(words)]).toEqual([words, 422, true]);
    expect(html).toMatch(/name="catalog.write"[^>]*checked=""/);
    expect(html).not.toContain('a wrong guess');
  }
  expect(await sets()).toEqual([]);
  const done = await visitor.send('/admin/roles/new', fields);
  expect(done.headers.get('location')).toBe('/admin/roles');
  expect(flashOf(done)).toBe('Role created.');
  // The right to change includes the right to view.
  expect(await sets()).toMatchObject([
    { name: 'Night shift', rights: ['catalog.read', 'catalog.write'] },
  ]);
  const twice = await visitor.send('/admin/roles/new', fields);
  expect([twice.status, (await sets()).length]).toEqual([422, 1]);
  const audit = textOf((await visitor.open('/admin/audit')).html);
  expect(audit).toContain('added the role Night shift');
});

test('R02: never adds an owner’s right to a role, regardless of what the form contains', async () => {
  const visitor = await staff('super_admin');
  await visitor.send('/admin/roles/new', {
    name: 'Sneaky',
    'users.change-role': 'on',
    'users.delete': 'on',
    'mail.configure': 'on',
    'admin.open': 'on',
    rights: 'users.invite',
    id: '1',
    password,
  });
  expect(await sets()).toMatchObject([{ name: 'Sneaky', rights: [] }]);
});

test('shows both versions after a save from a stale tab', async () => {
  const visitor = await staff('super_admin');
  const id = await insertSet();
  const path = `/admin/roles/${id}`;
  const form = await visitor.open(path);
  expect(form.html).toContain('name="version" value="1"');
  const first = { name: 'Helper', 'blog.read': 'on', version: '1', password };
  expect((await visitor.send(path, first)).status).toBe(302);
  const stale = await visitor.send(path, { name: 'Mine', version: '1', password });
  expect(stale.status).toBe(409);
  expect(stale.html).toContain('Someone changed this role while you were editing it.');
  expect(stale.html).toContain('name="version" value="2"');
  expect(await sets()).toMatchObject([{ name: 'Helper', rights: ['blog.read'], version: 2 }]);
  const gone = await visitor.send('/admin/roles/999', first);
  expect(gone.status).toBe(404);
});

test('R02: refuses changes of roles by an admin, and changes of built-in roles', async () => {
  const id = await insertSet();
  const clerk = await staff('admin');
  const fields = { name: 'Mine', 'settings.write': 'on', version: '1', password };
  for (const path of ['/admin/roles/new', `/admin/roles/${id}`, `/admin/roles/${id}/delete`]) {
    expect([path, (await clerk.send(path, fields)).status]).toEqual([path, 403]);
    const { status, html } = await clerk.open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toContain('Only a super admin can change roles.');
    expect(html).not.toContain('name="settings.write"');
  }
  number += 1;
  const owner = await staff('super_admin');
  for (const key of ['writer', 'admin', 'super_admin']) {
    expect((await owner.send(`/admin/roles/${key}`, fields)).status).toBe(409);
    expect((await owner.send(`/admin/roles/${key}/delete`, fields)).status).toBe(409);
  }
  expect(await sets()).toMatchObject([{ name: 'Helper', version: 1 }]);
});

test('assigns a role on the user’s page, which a colleague with the role cannot change', async () => {
  const id = await insertSet('Helper', ['users.read', 'contact.manage']);
  const owner = await staff('super_admin');
  number += 1;
  const helper = await staff('admin');
  const path = `/admin/users/${helper.userId}`;
  const unknown = await owner.send(path, { role: 'set-99', password });
  expect([unknown.status, unknown.html.includes('This role no longer exists.')]).toEqual([
    409,
    true,
  ]);
  const given = await owner.send(path, { role: `set-${id}`, password });
  expect(given.status).toBe(302);
  expect(await roleOf(helper.userId)).toEqual({ role: 'admin', right_set: String(id) });
  expect(textOf((await owner.open('/admin/users')).html)).toContain('Helper');
  expect((await owner.open(path)).html).toMatch(
    new RegExp(`<option value="set-${id}" selected="">`),
  );
  // The former session ended with the former rights.
  expect((await helper.open('/admin/deals')).status).toBe(401);
  const { cookie } = await signIn(database, { id: 'second', role: 'admin' });
  await database.db
    .updateTable('users')
    .set({ right_set: String(id) })
    .where('id', '=', 'second')
    .execute();
  const post = (to: string, fields: Record<string, string>) =>
    site.page(to, { method: 'POST', body: new URLSearchParams(fields), headers: { cookie } });
  for (const to of ['/admin/users/second', path, `/admin/roles/${id}`]) {
    const sent = await post(to, { role: 'super_admin', name: 'Mine', 'settings.write': 'on' });
    expect([to, sent.status]).toEqual([to, 403]);
  }
  expect((await post(`/admin/users/${owner.userId}`, { intent: 'end-sessions' })).status).toBe(403);
  expect((await site.page('/admin/users', { headers: { cookie } })).status).toBe(200);
  await database.db.updateTable('right_sets').set({ rights: [] }).execute();
  expect((await site.page('/admin/users', { headers: { cookie } })).status).toBe(403);
});

test('asks for another role before it deletes one in use', async () => {
  const visitor = await staff('super_admin');
  const id = await insertSet();
  const nina = await insertUser(database.db, { role: 'admin' });
  await database.db
    .updateTable('users')
    .set({ right_set: String(id) })
    .where('id', '=', nina.id)
    .execute();
  const path = `/admin/roles/${id}/delete`;
  const { html } = await visitor.open(path);
  expect(html).toContain('One person has this role.');
  expect(html).not.toContain(`value="set-${id}"`);
  for (const to of ['', 'user', 'super_admin', `set-${id}`]) {
    const refused = await visitor.send(path, { to, password });
    expect([to, refused.status]).toEqual([to, 422]);
    expect(refused.html).toContain('Choose a role for the people who have this one');
  }
  expect((await visitor.send(path, { to: 'set-analyst' })).status).toBe(422);
  const done = await visitor.send(path, { to: 'set-analyst', password });
  expect(flashOf(done)).toBe('Role deleted.');
  expect(await roleOf(nina.id)).toEqual({ role: 'admin', right_set: 'analyst' });
  expect((await visitor.open(path)).status).toBe(404);
});

test('limits a colleague who was invited to a custom role to the rights of that role', async () => {
  const visitor = await staff('super_admin');
  const id = await insertSet();
  const fields = { email: `helper-${number}@mail.example`, words: '', password };
  const sent = await visitor.send('/admin/users/invite', { ...fields, role: `set-${id}` });
  expect(sent.headers.get('location')).toBe('/admin/users');
  expect(textOf((await visitor.open('/admin/users')).html)).toContain('Helper');
  const other = { ...fields, email: `other-${number}@mail.example` };
  const refused = await visitor.send('/admin/users/invite', { ...other, role: 'set-99' });
  expect([refused.status, refused.html.includes('This role no longer exists.')]).toEqual([
    422,
    true,
  ]);
});

describe('sessions of a colleague', () => {
  test('shows sessions with their browser, without IP address, and ends one or all', async () => {
    const visitor = await staff('super_admin');
    await signIn(database, { id: 'nina', role: 'admin', full_name: 'Nina' });
    await database.db
      .updateTable('sessions')
      .set({ user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko Firefox/140.0' })
      .where('user_id', '=', 'nina')
      .execute();
    const { html } = await visitor.open('/admin/users/nina');
    expect(html).toContain('Firefox on Linux');
    expect(html).not.toContain('192.0.2.1');
    const { id } = await database.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', 'nina')
      .executeTakeFirstOrThrow();
    const end = (fields: Record<string, string>) => visitor.send('/admin/users/nina', fields);
    const one = await end({ intent: 'end-session', session: id });
    expect(one.headers.get('location')).toBe('/admin/users/nina');
    expect(flashOf(one)).toBe('Session ended.');
    expect(flashOf(await end({ intent: 'end-session', session: id }))).toContain('already ended');
    expect((await visitor.open('/admin/users/nina')).html).toContain('Not signed in anywhere.');
    // Another user's page does not end the owner's own session.
    const own = await visitor.send(`/admin/users/${visitor.userId}`, { intent: 'end-sessions' });
    expect(flashOf(own)).toContain('You cannot change or delete yourself here.');
    expect((await visitor.open('/admin')).status).toBe(200);
  });

  test('hides sessions from admins, and never shows those of customers', async () => {
    await signIn(database, { id: 'nina', role: 'admin' });
    await signIn(database, { id: 'buyer' });
    const clerk = await staff('admin');
    expect((await clerk.open('/admin/users/nina')).html).not.toContain('Sign out everywhere');
    number += 1;
    const owner = await staff('super_admin');
    expect((await owner.open('/admin/users/nina')).html).toContain('Sign out everywhere');
    expect((await owner.open('/admin/users/buyer')).html).not.toContain('Sign out everywhere');
  });
});
