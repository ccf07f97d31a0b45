import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
let number = 0;
beforeEach(() => {
  // Wrong passwords are counted per process and IP address.
  number += 1;
});

async function staff(role: Role) {
  const visitor = await signedInVisitor(database, site, role, {
    email: `${role}-${number}@staff.example`,
  });
  await givePassword(database, visitor.userId);
  return visitor;
}
const roleOf = async (id: string) =>
  (await database.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst())
    ?.role;
const password = staffPassword;

// Proves Back office 2: User management: cards, search, columns, badge (manage-users-page.tsx)
// Proves Back office 5: User search in any case (user-table-queries.server.ts)
test('counts users by role, and finds a user by email or name in any case', async () => {
  const visitor = await staff('admin');
  await insertUser(database.db, { full_name: 'Ann Lee', email: 'ann@mail.example' });
  await insertUser(database.db, { full_name: '', email: 'bob@mail.example' });
  const { status, html } = await visitor.open('/admin/users');
  expect(status).toBe(200);
  for (const label of ['Total Users', 'Super Admins', 'Admins', 'Regular Users']) {
    expect(html).toContain(label);
  }
  expect(html).toContain('No name');
  expect(html).toContain('Showing 3 users');
  expect((await visitor.open('/admin/users?q=ANN')).html).toContain('Showing 1 user');
  expect((await visitor.open('/admin/users?q=BOB%40mail')).html).toContain('bob@mail.example');
  expect((await visitor.open('/admin/users?role=super_admin')).html).toContain('No users found');
});

test('R50: shows who has two-factor, a passkey and a verified email, but no password hash', async () => {
  const visitor = await staff('admin');
  await insertUser(database.db, { email_verified: false, email: 'unproved@mail.example' });
  const { id } = await insertUser(database.db, { two_factor_enabled: true });
  await database.db
    .insertInto('passkeys')
    .values({
      id: 'a-key-of-some-phone',
      user_id: id,
      name: 'Phone',
      public_key: Buffer.alloc(1),
      algorithm: -7,
    })
    .execute();
  const { html } = await visitor.open('/admin/users');
  for (const badge of ['Email not verified', 'Two-factor', 'Passkey']) {
    expect(html).toContain(badge);
  }
  const unproved = await database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'unproved@mail.example')
    .executeTakeFirstOrThrow();
  const page = (await visitor.open(`/admin/users/${unproved.id}`)).html;
  expect(page).toContain('not verified yet');
  expect(html + page).not.toContain('argon2');
});

// Proves P12: admins see the list read-only (user-page.tsx)
test('P12: shows every user to an admin without actions, and explains who may change users', async () => {
  const visitor = await staff('admin');
  const { id } = await insertUser(database.db);
  for (const path of ['/admin/users', `/admin/users/${id}`, `/admin/users/${id}/delete`]) {
    const { status, html } = await visitor.open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toContain('Only a super admin can change roles and delete users.');
    expect(html).not.toContain('Change role');
    expect(html).not.toContain('Delete user</button>');
  }
});

test('R02: rejects a change of users that an admin posts anyway', async () => {
  const visitor = await staff('admin');
  const { id } = await insertUser(database.db);
  const own = `/admin/users/${visitor.userId}`;
  expect((await visitor.send(own, { role: 'super_admin', password })).status).toBe(403);
  expect((await visitor.send(`/admin/users/${id}`, { role: 'admin', password })).status).toBe(403);
  expect((await visitor.send(`/admin/users/${id}/delete`, { password })).status).toBe(403);
  expect([await roleOf(visitor.userId), await roleOf(id)]).toEqual(['admin', 'user']);
});

test('R50: changes a role with the super_admin’s password only', async () => {
  const visitor = await staff('super_admin');
  const { id } = await insertUser(database.db);
  const path = `/admin/users/${id}`;
  const refused = await visitor.send(path, { role: 'admin', password: 'a wrong guess' });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('That password is incorrect');
  expect(refused.html).toMatch(/<option value="admin" selected="">/);
  expect(refused.html).not.toContain('a wrong guess');
  expect(await roleOf(id)).toBe('user');
  const done = await visitor.send(`${path}?q=user`, { role: 'admin', password });
  expect(done.headers.get('location')).toBe('/admin/users?q=user');
  expect((await visitor.open('/admin/users')).html).toContain('User role updated successfully!');
  expect(await roleOf(id)).toBe('admin');
});

test('rejects an unknown role at its field', async () => {
  const visitor = await staff('super_admin');
  const { id } = await insertUser(database.db);
  const { status, html } = await visitor.send(`/admin/users/${id}`, { role: 'owner', password });
  expect([status, html.includes('Role: Choose a role')]).toEqual([422, true]);
});

test('R02: does not let users change or delete themselves in the user list', async () => {
  const visitor = await staff('super_admin');
  const own = `/admin/users/${visitor.userId}`;
  expect((await visitor.open(own)).html).toContain('You cannot change or delete yourself here.');
  expect((await visitor.open(own)).html).not.toContain('Change role');
  expect((await visitor.send(own, { role: 'user', password })).status).toBe(409);
  expect((await visitor.send(`${own}/delete`, { password })).status).toBe(409);
  expect(await roleOf(visitor.userId)).toBe('super_admin');
});

// Proves Back office 2: User management: sentences (user-messages.ts)
// Proves R45: a deleted user leaves a pseudonym (erase-account.server.ts)
test('R45: deletes a user after the specification’s warning and the password, and leaves a pseudonym', async () => {
  const visitor = await staff('super_admin');
  const { id } = await insertUser(database.db, { email: 'gone@mail.example', full_name: 'Gone' });
  const path = `/admin/users/${id}/delete`;
  expect((await visitor.open(path)).html).toContain(
    'Are you sure you want to delete this user? This action cannot be undone.',
  );
  expect((await visitor.send(path, { password: '' })).status).toBe(422);
  expect(await roleOf(id)).toBe('user');
  expect((await visitor.send(path, { password })).status).toBe(302);
  expect((await visitor.open('/admin/users')).html).toContain('User deleted successfully!');
  expect(await roleOf(id)).toBeUndefined();
  const log = await database.db.selectFrom('audit_log').selectAll().execute();
  expect(log).toMatchObject([
    { actor: visitor.userId, action: 'user.delete', entity_id: id, before: { role: 'user' } },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/gone/i);
  await visitor.send(path, { password });
  expect((await visitor.open('/admin/users')).html).toContain('Failed to delete user');
});

test('returns 404 for a missing user', async () => {
  const visitor = await staff('super_admin');
  expect((await visitor.open('/admin/users/nobody')).status).toBe(404);
  expect((await visitor.open('/admin/users/nobody/delete')).status).toBe(404);
  const sent = await visitor.send('/admin/users/nobody', { role: 'admin', password });
  expect(sent.status).toBe(404);
});

describe('suspending', () => {
  const stateOf = (id: string) =>
    database.db
      .selectFrom('users')
      .select(['suspended_for'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  test('requires a reason and the password for a suspension, shows it in the list, and can undo it', async () => {
    const visitor = await staff('super_admin');
    const { id } = await insertUser(database.db, { full_name: 'Ann Lee' });
    const path = `/admin/users/${id}/suspend`;
    expect((await visitor.open(path)).html).toContain('They are signed out everywhere');
    const fields = { intent: 'suspend', reason: 'Wrote nonsense', password };
    for (const [wrong, words] of [
      [{ ...fields, reason: ' ' }, 'Enter a reason for your colleagues'],
      [{ ...fields, reason: 'x'.repeat(301) }, 'The reason may have at most 300 characters'],
      [{ ...fields, password: 'a wrong guess' }, 'That password is incorrect'],
    ] as const) {
      const { status, html } = await visitor.send(path, wrong);
      expect([status, html.includes(words), html.includes('a wrong guess')]).toEqual([
        422,
        true,
        false,
      ]);
    }
    expect(await stateOf(id)).toEqual({ suspended_for: null });
    const done = await visitor.send(`${path}?q=ann`, fields);
    expect(done.headers.get('location')).toBe('/admin/users?q=ann');
    const list = await visitor.open('/admin/users?state=suspended');
    expect(list.html).toContain('User suspended, and signed out everywhere.');
    expect(list.html).toContain('Showing 1 user');
    expect((await visitor.open('/admin/users?state=active')).html).not.toContain('Ann Lee');
    expect((await visitor.open(`/admin/users/${id}`)).html).toContain('Wrote nonsense');
    expect((await visitor.open(path)).html).toContain('Reinstate user');
    await visitor.send(path, { intent: 'reinstate', password });
    expect(await stateOf(id)).toEqual({ suspended_for: null });
  });

  test('R02: does not let admins suspend anyone, or users suspend themselves', async () => {
    const visitor = await staff('super_admin');
    const fields = { intent: 'suspend', reason: 'x', password };
    const own = `/admin/users/${visitor.userId}/suspend`;
    expect((await visitor.open(own)).html).toContain('You cannot change or delete yourself here.');
    expect((await visitor.send(own, fields)).status).toBe(409);
    expect((await visitor.open(`/admin/users/${visitor.userId}`)).html).not.toContain('/suspend');
    const { id } = await insertUser(database.db);
    number += 1;
    const clerk = await staff('admin');
    expect((await clerk.send(`/admin/users/${id}/suspend`, fields)).status).toBe(403);
    expect(await stateOf(id)).toEqual({ suspended_for: null });
  });
});

describe('inviting', () => {
  const mail = () => `new-${number}@mail.example`;

  test('requires the password for an invitation, shows errors at their fields, and lists open ones', async () => {
    const visitor = await staff('super_admin');
    const fields = { email: mail(), role: 'admin', words: 'Welcome\nto us', password };
    for (const [wrong, words] of [
      [{ ...fields, email: 'x' }, 'Please enter a valid email address'],
      [{ ...fields, role: 'user' }, 'Choose a role'],
      [{ ...fields, words: 'x'.repeat(501) }, 'The message may have at most 500 characters'],
      [{ ...fields, password: '' }, 'Please enter your password'],
    ] as const) {
      const { status, html } = await visitor.send('/admin/users/invite', wrong);
      expect([words, status, html.includes(words)]).toEqual([words, 422, true]);
    }
    const sent = await visitor.send('/admin/users/invite', fields);
    expect(sent.headers.get('location')).toBe('/admin/users');
    const { html } = await visitor.open('/admin/users');
    expect(html).toContain('Open invitations');
    expect(html).toContain(mail());
    const again = await visitor.send('/admin/users/invite', fields);
    expect([again.status, again.html.includes('has an open invitation')]).toEqual([422, true]);
    const audit = await visitor.open('/admin/audit');
    expect(audit.html.replace(/<[^>]+>/g, '')).toContain(`invited ${mail()} as admin`);
  });

  test('R02: shows an admin the open invitations, but no form to invite', async () => {
    await database.db
      .insertInto('staff_invitations')
      .values({ email: mail(), role: 'admin', expires_at: new Date(Date.now() + 1e6) })
      .execute();
    const clerk = await staff('admin');
    const { html } = await clerk.open('/admin/users');
    expect(html).toContain(mail());
    expect(html).not.toContain('Send again');
    expect(html).not.toContain('Invite a colleague');
    const form = await clerk.open('/admin/users/invite');
    expect(form.html).toContain('Only a super admin can invite colleagues.');
    expect(form.html).not.toContain('Send invitation');
    const fields = { email: mail(), role: 'admin', words: '', password };
    expect((await clerk.send('/admin/users/invite', fields)).status).toBe(403);
    for (const intent of ['withdraw-invitation', 'resend-invitation']) {
      expect((await clerk.send('/admin/users', { intent, id: '1' })).status).toBe(403);
    }
  });
});

test('shows a user’s latest actions, with a link to all of them', async () => {
  const visitor = await staff('admin');
  await insertUser(database.db, { id: 'ann', email: 'ann@mail.example' });
  expect((await visitor.open('/admin/users/ann')).html).toContain('No actions in the admin yet.');
  const entry = { actor: 'ann', entity: 'site', action: 'site.clear-cache' };
  const entries = Array.from({ length: 6 }, () => entry);
  await database.db
    .insertInto('audit_log')
    .values([{ ...entry, action: 'site.seed' }, ...entries])
    .execute();
  const { html } = await visitor.open('/admin/users/ann');
  expect(html.split('cleared the page cache')).toHaveLength(6);
  expect(html).not.toContain('added the sample data');
  expect(html).toContain('/admin/audit?actor=ann');
  expect((await visitor.open('/admin/audit?actor=ann')).html).toContain('added the sample data');
});
