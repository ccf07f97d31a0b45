import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
});
const log = createLog('info', {
  write: (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
  },
});
const site = testSite(database, { log });

const events = (name: string) => lines.filter(({ event }) => event === name);
const written = () => JSON.stringify(lines);

async function signIn(email: string, password: string) {
  const visitor = testVisitor(site);
  return visitor.sendAsHuman('/sign-in', { email, password });
}

// Proves R41: logs
describe('R41: the security log', () => {
  test('logs a sign-in with the account’s id and without the input', async () => {
    const user = await insertUser(database.db, { email: 'maria@shop.example' });
    await givePassword(database, user.id);
    await signIn('maria@shop.example', staffPassword);
    expect(events('sign-in')).toMatchObject([{ level: 'info', userId: user.id }]);
    expect(written()).not.toContain(staffPassword);
    expect(written()).not.toContain('maria@shop.example');
  });

  test('logs a refused sign-in with the email address masked', async () => {
    const user = await insertUser(database.db, { email: 'maria@shop.example' });
    await givePassword(database, user.id);
    await signIn('maria@shop.example', 'not her password');
    expect(events('sign-in')).toEqual([]);
    expect(events('sign-in-refused')).toMatchObject([{ level: 'warn' }]);
    expect(written()).not.toContain('maria@');
    expect(written()).not.toContain('not her password');
  });

  test('logs a role change with user, actor, before and after, but not a refused one', async () => {
    const boss = await signedInVisitor(database, site, 'super_admin');
    await givePassword(database, boss.userId);
    const { id } = await insertUser(database.db);
    const change = (role: string) =>
      boss.send(`/admin/users/${id}`, { role, password: staffPassword });
    expect((await change('admin')).status).toBe(302);
    const told = { userId: id, by: boss.userId, before: 'user', after: 'admin' };
    expect(events('role-change')).toMatchObject([told]);
    await boss.send(`/admin/users/${boss.userId}`, { role: 'user', password: staffPassword });
    expect(events('role-change')).toHaveLength(1);
  });

  test('logs an export with its kind and user', async () => {
    const admin = await signedInVisitor(database, site, 'admin');
    await givePassword(database, admin.userId);
    await admin.open('/admin/deals/export');
    await admin.send('/admin/subscriptions/file', { password: staffPassword });
    expect(events('export')).toMatchObject([
      { of: 'deals', by: admin.userId },
      { of: 'subscriptions', by: admin.userId },
    ]);
  });

  test('logs an account exported by its owner, and an erased one', async () => {
    const maria = await signedInVisitor(database, site, 'user', { email: 'maria@shop.example' });
    await givePassword(database, maria.userId);
    await maria.send('/profile/export', { password: staffPassword });
    expect(events('account-export')).toMatchObject([{ userId: maria.userId }]);
    await maria.send('/profile', { intent: 'erase', password: staffPassword });
    expect(events('account-erased')).toMatchObject([{ userId: maria.userId }]);
    expect(written()).not.toContain('maria@shop.example');
  });
});
