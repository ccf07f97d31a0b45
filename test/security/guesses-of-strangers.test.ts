import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { admitSignIn } from '#app/platform/rate-limit.server.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';

// Tests R63: password guesses make guessers wait, but not the owner in a browser that has signed in
// before.

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database);
let services: AppServices;
const password = staffPassword;
let count = 0;
let email = '';
let userId = '';
let owner: TestVisitor;

beforeEach(async () => {
  services = testServices(database);
  count += 1;
  email = `besieged-${count}@mail.example`;
  ({ id: userId } = await insertUser(database.db, { email }));
  await givePassword(database, userId);
  owner = newVisitor();
});

function newVisitor(): TestVisitor {
  count += 1;
  return testVisitor(site, `203.0.113.${count}`);
}

const enter = (who: TestVisitor, typed = password, as = email) =>
  who.sendAsHuman('/sign-in', { email: as, password: typed });

/** Ends the current wait by changing its time. */
async function letTimePass(): Promise<void> {
  await database.db.deleteFrom('rate_limits').where('key', 'like', 'sign-in-wait%').execute();
}

/** Guesses until even the right password must wait for 15 minutes. */
async function besiege(): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await admitSignIn(services, email);
    if (n < 19) await letTimePass();
  }
  const shut = await enter(newVisitor());
  expect(shut.status).toBe(429);
  expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(600);
}

const markOf = (who: TestVisitor) => who.cookies.get('known-device') ?? '';

// Proves R63: guesses of strangers (device-mark.server.ts)
describe('R63: a browser where the account has signed in before', () => {
  test('R63: accepts the right password in a trusted browser while strangers guess, even after signing out', async () => {
    expect((await enter(owner)).status).toBe(303);
    await owner.send('/logout', {});
    await besiege();
    expect((await enter(owner)).status).toBe(303);
    // Strangers must still wait, and so must the owner in a new browser.
    expect((await enter(newVisitor())).status).toBe(429);
  });

  test('R63: counts wrong passwords in a trusted browser separately, and blocks only that browser', async () => {
    await enter(owner);
    const other = newVisitor();
    await enter(other);
    await owner.send('/logout', {});
    await other.send('/logout', {});
    for (let n = 0; n < 10; n += 1) {
      await letTimePass();
      // the same browser, because a captcha question can only be requested a few times
      const here = newVisitor();
      here.cookies.set('known-device', markOf(owner));
      expect((await enter(here, 'a guess')).status).toBe(422);
    }
    expect((await enter(owner)).status).toBe(429);
    expect((await enter(other)).status).toBe(303);
    expect((await enter(newVisitor())).status).toBe(303);
  });

  test('R63: stores a token for each account in a shared browser', async () => {
    const sister = `sister-${count}@mail.example`;
    const { id } = await insertUser(database.db, { email: sister });
    await givePassword(database, id);
    await enter(owner);
    await owner.send('/logout', {});
    expect((await enter(owner, password, sister)).status).toBe(303);
    await owner.send('/logout', {});
    await besiege();
    expect((await enter(owner)).status).toBe(303);
  });

  test('R63: does not delay password confirmation because of strangers’ guesses', async () => {
    await enter(owner);
    await besiege();
    const next = 'rowing over lakes';
    const changed = { intent: 'password', current_password: password, password: next };
    expect((await owner.send('/profile', changed)).status).toBe(200);
    expect((await owner.send('/profile/export', { password: next })).status).toBe(200);
  });

  test('R63: does not block the second step when strangers who know the password guess codes', async () => {
    const key = await beginTwoFactor(services, userId);
    const step = Math.floor(Date.now() / 30_000);
    await confirmTwoFactor(services, userId, totpCode(key, step - 1));
    await enter(owner);
    const code = (offset: number) => ({ code: totpCode(key, step + offset) });
    expect((await owner.send('/sign-in/second-factor', code(0))).status).toBe(303);
    await owner.send('/logout', {});

    const thief = newVisitor();
    expect((await enter(thief)).status).toBe(303);
    for (let n = 0; n < 10; n += 1) {
      await letTimePass();
      const guess = await thief.send('/sign-in/second-factor', { code: '000000' });
      expect(guess.status).toBe(422);
    }
    const shut = await thief.send('/sign-in/second-factor', { code: '000000' });
    expect(shut.status).toBe(429);
    expect((await enter(owner)).status).toBe(303);
    expect((await owner.send('/sign-in/second-factor', code(1))).status).toBe(303);
  });
});

describe('R63: the trusted-device cookie', () => {
  test('R63: hides the trusted-device cookie from scripts, binds it to the host, and includes no account in it', async () => {
    const https = testSite(database, testServices(database, { ORIGIN: 'https://deals.test' }));
    const page = await enter(testVisitor(https, `203.0.113.${(count += 1)}`));
    const line = page.headers.getSetCookie().find((one) => one.includes('known-device')) ?? '';
    expect(line).toMatch(
      /^__Host-known-device=[\w-]{22}\.[\w-]{22}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const bytes = Buffer.from(line.split('=')[1]?.split(';')[0] ?? '', 'base64url').toString(
      'latin1',
    );
    for (const secret of [email, userId]) expect(line + bytes).not.toContain(secret);
  });

  test('R63: does not grant access through the trusted-device cookie, and rejects it if it is changed or for another account', async () => {
    await enter(owner);
    const mark = markOf(owner);
    const [number = '', code = ''] = mark.split('.');
    await besiege();
    const other = newVisitor();
    other.cookies.set('known-device', mark);
    expect((await other.open('/profile')).status).toBe(302);

    const sister = await insertUser(database.db, { email: `another-${count}@mail.example` });
    await givePassword(database, sister.id);
    const guest = newVisitor();
    await enter(guest, password, sister.email);
    const foreign = markOf(guest);
    for (const forged of [
      foreign,
      `${number}.${foreign.split('.')[1]}`,
      `${foreign.split('.')[0]}.${code}`,
      `${number}.${'A'.repeat(22)}`,
      number,
      'x'.repeat(4000),
      `${number}.${'ö'.repeat(22)}`,
    ]) {
      const thief = newVisitor();
      thief.cookies.set('known-device', encodeURIComponent(forged));
      expect([forged, (await enter(thief)).status]).toEqual([forged, 429]);
    }
  });

  test('R63: does not issue a trusted-device cookie before the email is verified, because a stranger may have signed up', async () => {
    await database.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', userId)
      .execute();
    expect((await enter(owner)).status).toBe(303);
    expect(owner.cookies.has('known-device')).toBe(false);
  });

  test('R63: issues the trusted-device cookie to at most twenty new browsers a day, so that attackers cannot collect them', async () => {
    for (let n = 0; n < 20; n += 1) {
      const who = newVisitor();
      await enter(who);
      expect(markOf(who)).not.toBe('');
    }
    const late = newVisitor();
    expect((await enter(late)).status).toBe(303);
    expect(markOf(late)).toBe('');
  });
});
