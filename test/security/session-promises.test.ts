import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';
import { deleteUser } from '#app/features/accounts/people/erase-account.server.ts';
import { hashToken } from '#app/features/accounts/hash-token.server.ts';

// Tests the requirements R10 and R49 point by point, as seen by a browser.

const database = useTestDatabase();
const site = testSite(database);
const password = staffPassword;
let count = 0;
let email = '';
let userId = '';

beforeEach(async () => {
  await makePerson('user');
});

async function makePerson(role: Role): Promise<void> {
  // The process remembers exhausted rate limits, so each test uses new IP addresses and accounts.
  count += 1;
  email = `promise-${count}@mail.example`;
  ({ id: userId } = await insertUser(database.db, { email, role, email_verified: true }));
  await givePassword(database, userId);
}

function newVisitor(from = site): TestVisitor {
  count += 1;
  return testVisitor(from, `198.51.100.${count}`);
}

async function enter(who = newVisitor(), typed = password): Promise<TestVisitor> {
  const page = await who.sendAsHuman('/sign-in', { email, password: typed });
  expect(page.status).toBe(303);
  return who;
}

/** Returns the response for a browser with this cookie. */
async function statusWith(token: string | undefined): Promise<number> {
  const thief = newVisitor();
  thief.cookies.set('session', token ?? '');
  return (await thief.open('/profile')).status;
}
const open = 200;
const dead = 302;

/** Moves all times of the session this far into the past. */
async function passTime(seconds: number): Promise<void> {
  const back = (column: string) =>
    sql<Date>`${sql.ref(column)} - make_interval(secs => ${seconds})`;
  await database.db
    .updateTable('sessions')
    .set({
      created_at: back('created_at'),
      updated_at: back('updated_at'),
      expires_at: back('expires_at'),
    })
    .execute();
}
const hour = 3600;
const day = 24 * hour;

async function resetToken(): Promise<string> {
  await newVisitor().sendAsHuman('/forgot-password', { email });
  return /token=([\w-]+)/.exec(await mailedPath(database.db, 'reset-password'))?.[1] ?? '';
}

// Proves R10: sessions, clause by clause (session-queries.server.ts)
describe('R10: sessions', () => {
  test('R10: creates unique sessions with 256-bit tokens', async () => {
    const tokens = new Set<string>();
    for (let n = 0; n < 5; n += 1) tokens.add((await enter()).cookies.get('session') ?? '');
    expect(tokens.size).toBe(5);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  test('R10: stores no session token in plain text, and accepts no stored value as a token', async () => {
    const token = (await enter()).cookies.get('session') ?? '';
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.db);
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.db);
      expect([name, JSON.stringify(rows).includes(token)]).toEqual([name, false]);
    }
    const row = await database.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(row.token).toBe(hashToken(token));
    for (const stolen of [row.token, row.id]) expect(await statusWith(stolen)).toBe(dead);
  });

  test('R10: sets a session cookie for this host only, over https, hidden from scripts and other sites’ posts', async () => {
    const https = testSite(database, testServices(database, { ORIGIN: 'https://deals.test' }));
    const page = await newVisitor(https).sendAsHuman('/sign-in', {
      email,
      password,
    });
    const [pair = '', ...attributes] = page.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${30 * day}`,
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
  });

  test('R10: creates a new session at each sign-in, and ends the browser’s earlier one', async () => {
    const who = await enter();
    const before = who.cookies.get('session');
    // Signed-in users are redirected from this page, but can still post the form.
    who.cookies.delete('session');
    const planted = 'x'.repeat(43);
    who.cookies.set('session', planted);
    await enter(who);
    expect([before, planted]).not.toContain(who.cookies.get('session'));
    expect(await statusWith(planted)).toBe(dead);
    expect(await statusWith(before)).toBe(open); // another browser's session
  });

  test('R10: ends only the current session on the server at sign-out', async () => {
    const [here, there] = [await enter(), await enter()];
    const token = here.cookies.get('session');
    await here.send('/logout', {});
    expect(here.cookies.has('session')).toBe(false);
    expect(await statusWith(token)).toBe(dead);
    expect(await statusWith(there.cookies.get('session'))).toBe(open);
  });

  test('R10: ends all sessions on the server when a user signs out everywhere, from any browser', async () => {
    const [here, there] = [await enter(), await enter()];
    const tokens = [here.cookies.get('session'), there.cookies.get('session')];
    await here.send('/profile', { intent: 'end-all' });
    for (const token of tokens) expect(await statusWith(token)).toBe(dead);
  });

  test('R10: ends sessions on the server when their owner deletes the account', async () => {
    const [here, there] = [await enter(), await enter()];
    const tokens = [here.cookies.get('session'), there.cookies.get('session')];
    expect((await here.send('/profile', { intent: 'erase', password })).status).toBe(303);
    for (const token of tokens) expect(await statusWith(token)).toBe(dead);
  });

  test('R10: ends sessions on the server when a super_admin deletes the account', async () => {
    const token = (await enter()).cookies.get('session');
    const { id: owner } = await insertUser(database.db, { role: 'super_admin' });
    await deleteUser(testServices(database), { actor: owner, userId });
    expect(await statusWith(token)).toBe(dead);
  });

  test('R10: ends all sessions after a password change, except the current one, which gets a new token', async () => {
    const [here, there] = [await enter(), await enter()];
    const tokens = [here.cookies.get('session'), there.cookies.get('session')];
    const changed = await here.send('/profile', {
      intent: 'password',
      current_password: password,
      password: 'rowing over lakes',
    });
    expect(changed.status).toBe(200);
    for (const token of tokens) expect(await statusWith(token)).toBe(dead);
    expect(await statusWith(here.cookies.get('session'))).toBe(open);
  });

  test.each<[Role, Role]>([
    ['user', 'admin'],
    ['admin', 'user'],
    ['admin', 'super_admin'],
  ])(
    'R10: ends the session of a %s on the server once they are %s, and requires a new sign-in for new rights',
    async (before, after) => {
      await makePerson(before);
      const token = (await enter()).cookies.get('session');
      const owner = await newOwner();
      const page = await owner.send(`/admin/users/${userId}`, { role: after, password });
      expect(page.status).toBe(302);
      expect(await statusWith(token)).toBe(dead);
      const again = await enter();
      expect(again.cookies.get('session')).not.toBe(token);
      expect((await again.open('/admin')).status).toBe(after === 'user' ? 403 : 200);
    },
  );

  test('R10: ends a user’s session 14 days after its last use', async () => {
    const who = await enter();
    await passTime(14 * day - 60);
    expect((await who.open('/profile')).status).toBe(open); // a visit is a use of the session
    await passTime(14 * day - 60);
    expect((await who.open('/profile')).status).toBe(open);
    await passTime(14 * day + 60);
    expect((await who.open('/profile')).status).toBe(dead);
  });

  test('R10: ends a session 30 days after sign-in, even if it is used every day', async () => {
    const who = await enter();
    for (let days = 0; days < 29; days += 1) {
      await passTime(day);
      expect((await who.open('/profile')).status).toBe(open);
    }
    await passTime(day - 60);
    expect((await who.open('/profile')).status).toBe(open);
    await passTime(120);
    expect((await who.open('/profile')).status).toBe(dead);
  });

  test.each<Role>(['admin', 'super_admin'])(
    'R10: ends the session of a %s 12 hours after its last use',
    async (role) => {
      await makePerson(role);
      const who = await enter();
      await passTime(12 * hour - 60);
      expect((await who.open('/admin')).status).toBe(open);
      await passTime(12 * hour + 60);
      expect((await who.open('/admin')).status).toBe(401);
    },
  );

  async function newOwner(): Promise<TestVisitor> {
    const owner = `owner-${count}@staff.example`;
    const { id } = await insertUser(database.db, { email: owner, role: 'super_admin' });
    await givePassword(database, id);
    const who = newVisitor();
    await who.sendAsHuman('/sign-in', { email: owner, password });
    return who;
  }
});

// Proves R49: password reset and change (reset-password.server.ts)
describe('R49: passwords', () => {
  const next = 'rowing over lakes';

  test('R49: requires the old password to change it, and notifies the owner by email', async () => {
    const who = await enter();
    const wrong = { intent: 'password', current_password: 'not mine at all', password: next };
    expect((await who.send('/profile', wrong)).status).toBe(422);
    const right = { ...wrong, current_password: password };
    expect((await who.send('/profile', right)).status).toBe(200);
    await enter(newVisitor(), next);
    const old = await newVisitor().sendAsHuman('/sign-in', { email, password });
    expect(old.status).toBe(422);
    expect(await mailsTo('password-changed')).toEqual([email]);
  });

  test('R49: resets a password through an emailed link, and ends all sessions', async () => {
    const token = (await enter()).cookies.get('session');
    const link = await resetToken();
    const page = await newVisitor().send('/reset-password', { token: link, password: next });
    expect(page.status).toBe(200);
    expect(await statusWith(token)).toBe(dead);
    expect(await mailsTo('password-changed')).toEqual([email]);
    await enter(newVisitor(), next);
  });

  test('R49: accepts a password link only once', async () => {
    const link = await resetToken();
    const who = newVisitor();
    await who.send('/reset-password', { token: link, password: next });
    const again = await who.send('/reset-password', { token: link, password: 'once more again' });
    expect(again.status).toBe(410);
    await enter(newVisitor(), next);
  });

  test.each([
    [29, 200],
    [31, 410],
  ])('R49: responds to a password link after %d minutes with %d', async (minutes, status) => {
    const link = await resetToken();
    await database.db
      .updateTable('verifications')
      .set({ expires_at: sql<Date>`expires_at - make_interval(mins => ${minutes})` })
      .execute();
    const page = await newVisitor().send('/reset-password', { token: link, password: next });
    expect(page.status).toBe(status);
  });

  test('R49: stores only the hash of a password link', async () => {
    const link = await resetToken();
    const rows = await database.db.selectFrom('verifications').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(link);
  });

  test('R49: expires all password links once one is used', async () => {
    const [first, second] = [await resetToken(), await resetToken()];
    expect(first).not.toBe(second);
    await newVisitor().send('/reset-password', { token: second, password: next });
    const late = await newVisitor().send('/reset-password', {
      token: first,
      password: 'once more again',
    });
    expect(late.status).toBe(410);
  });

  async function mailsTo(kind: string): Promise<string[]> {
    const rows = await database.db
      .selectFrom('mail_outbox')
      .select('recipient')
      .where('kind', '=', kind)
      .execute();
    return rows.map(({ recipient }) => recipient);
  }
});
