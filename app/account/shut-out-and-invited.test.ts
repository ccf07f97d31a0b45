import { beforeEach, describe, expect, test } from 'vitest';
import { inviteStaff } from '#app/features/accounts/people/invite-staff.server.ts';
import { suspendUser } from '#app/features/accounts/people/suspend-user.server.ts';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { givePassword, staffPassword as password } from '#test/staff.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database);
let count = 0;
let email = '';
let visitor: TestVisitor;

beforeEach(async () => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  email = `sam-${count}@mail.example`;
  visitor = testVisitor(site, `192.0.2.${100 + count}`);
  await insertUser(database.db, { id: 'owner', role: 'super_admin', email: 'o@shop.example' });
});

async function member(overrides: object = {}) {
  const user = await insertUser(database.db, { id: 'sam', email, ...overrides });
  await givePassword(database, user.id);
  return user;
}
const suspend = () =>
  suspendUser(testServices(database), { actor: 'owner', userId: 'sam', reason: 'A secret reason' });
const enter = (typed = password) => visitor.sendAsHuman('/sign-in', { email, password: typed });

describe('a suspended account', () => {
  // Proves R13: the suspended (sign-in.server.ts)
  test('R13: signs a suspended user out at the next request, and explains why only with the right password', async () => {
    await member();
    expect((await enter()).status).toBe(303);
    expect((await visitor.open('/profile')).status).toBe(200);
    await suspend();
    expect((await visitor.open('/profile')).headers.get('location')).toContain('/sign-in');
    const wrong = await enter('a wrong guess');
    expect(wrong.html).toContain('Invalid email or password');
    expect(wrong.html).not.toContain('suspended');
    const right = await enter();
    expect(right.status).toBe(422);
    expect(right.html).toContain('This account is suspended.');
    expect(right.html).not.toContain('A secret reason');
    expect((await visitor.open('/profile')).status).toBe(302);
  });

  test('does not ask a suspended user for a two-factor code, and rejects a sign-in that waited for one when the suspension began', async () => {
    const services = testServices(database);
    const { id } = await member();
    const key = await beginTwoFactor(services, id);
    const step = Math.floor(Date.now() / 30_000);
    await confirmTwoFactor(services, id, totpCode(key, step - 1));
    expect((await enter()).headers.get('location')).toContain('second-factor');
    await suspend();
    const code = totpCode(key, step);
    const passed = await visitor.send('/sign-in/second-factor', { code });
    expect(passed.headers.get('location')).toBe('/sign-in');
    expect((await visitor.open('/profile')).status).toBe(302);
    expect((await enter()).html).toContain('This account is suspended.');
  });

  test('does not open a suspended account by verifying its email', async () => {
    await member({ email_verified: false });
    await visitor.sendAsHuman('/resend-verification', { email });
    const token = (await mailedPath(database.db, 'verify-email')).split('token=')[1] ?? '';
    await suspend();
    const page = await visitor.send('/verify-email', { token, password });
    expect(page.html).toContain('This account is suspended.');
    expect((await visitor.open('/profile')).status).toBe(302);
  });
});

describe('the invitation page', () => {
  async function invited(): Promise<string> {
    const inviter = { id: 'owner', rights: rightsOf('super_admin') };
    await inviteStaff(testServices(database), inviter, { email, role: 'admin', words: '' });
    return mailedPath(database.db, 'staff-invitation');
  }
  const tokenOf = (path: string) => path.split('token=')[1] ?? '';

  test('accepts a name and a password for an invitation, opens the admin, and then reports the invitation as used', async () => {
    const path = await invited();
    const shown = await visitor.open(path);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('Join the team');
    expect(shown.html).toContain('o@shop.example');
    const fields = { token: tokenOf(path), full_name: '', password };
    expect((await visitor.send(path, fields)).html).toContain('Please enter your full name');
    const weak = { ...fields, full_name: 'Sam', password: '123456' };
    expect((await visitor.send(path, weak)).html).toContain('This password is too weak');
    // Neither opening the page nor a failed attempt accepted the invitation.
    const joined = await visitor.send('/invitation', { ...fields, full_name: 'Sam' });
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/admin']);
    expect((await visitor.open('/admin/deals')).status).toBe(200);
    const again = await testVisitor(site, '192.0.2.250').open(path);
    expect([again.status, again.html.includes('already accepted')]).toEqual([410, true]);
    const late = await visitor.send(path, { ...fields, full_name: 'Sam' });
    expect([late.status, late.html.includes('already accepted')]).toEqual([410, true]);
  });

  test('redirects an existing account to sign in and back, and does not give the invited role to others', async () => {
    await member();
    const path = await invited();
    const token = tokenOf(path);
    const returnTo = encodeURIComponent(path);
    expect((await visitor.open(path)).html).toContain(`/sign-in?returnTo=${returnTo}`);
    const stranger = await visitor.send(path, { token, full_name: 'X', password });
    expect([stranger.status, stranger.html.includes('Sign in to it first')]).toEqual([409, true]);
    const other = testVisitor(site, '192.0.2.251');
    await insertUser(database.db, { id: 'other', email: `other-${email}` });
    await givePassword(database, 'other');
    await other.sendAsHuman('/sign-in', { email: `other-${email}`, password });
    expect((await other.open(path)).html).toContain('Sign out, then open the link');
    expect((await other.send('/invitation', { token })).status).toBe(409);
    const entered = await visitor.sendAsHuman(`/sign-in?returnTo=${returnTo}`, { email, password });
    expect(entered.headers.get('location')).toBe(path);
    expect((await visitor.open(path)).html).toContain('Accept and join');
    expect((await visitor.send('/invitation', { token })).headers.get('location')).toBe('/admin');
    expect((await visitor.open('/admin/users')).status).toBe(200);
  });
});
