import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { listSaved, pressedHeart } from '#test/pressed-heart.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';
import { makeSetupLink } from '#app/features/accounts/people/setup-link.server.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database);
const password = 'walking the hills';
let count = 0;
let email = '';
let visitor: TestVisitor;

beforeEach(() => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  email = `maria-${count}@mail.example`;
  visitor = newVisitor();
});

function newVisitor(): TestVisitor {
  count += 1;
  return testVisitor(site, `198.51.100.${count}`);
}

async function register(): Promise<void> {
  await visitor.sendAsHuman('/sign-up', { full_name: 'Maria Keller', email, password });
}

async function enter(who = visitor): Promise<void> {
  const page = await who.sendAsHuman('/sign-in', { email, password });
  expect(page.status).toBe(303);
}

const pathInMail = (kind: string) => mailedPath(database.db, kind);

const tokenOf = (path: string) =>
  new URL(path, 'http://deals.test').searchParams.get('token') ?? '';
const plainText = (html: string) =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#x27;', "'");

describe('signing up without JavaScript', () => {
  test('asks a captcha question, creates the account and verifies the email only when the link is clicked', async () => {
    const first = await visitor.send('/sign-up', { full_name: 'Maria Keller', email, password });
    expect(first.status).toBe(422);
    expect(plainText(first.html)).toContain('Please complete the security verification.');
    expect(first.html).toContain(`value="${email}"`);
    expect(first.html).not.toContain(password);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);

    const done = await visitor.sendAsHuman('/sign-up', {
      full_name: 'Maria Keller',
      email,
      password,
    });
    expect(done.status).toBe(200);
    expect(plainText(done.html)).toContain(
      'Sign up successful! Please check your email to verify your account.',
    );
    const path = await pathInMail('verify-email');
    const isVerified = async () =>
      (await database.db.selectFrom('users').select('email_verified').executeTakeFirst())
        ?.email_verified;
    // R15: opening the page changes nothing.
    expect((await visitor.open(path)).status).toBe(200);
    expect(await isVerified()).toBe(false);
    const fields = { token: tokenOf(path), password };
    const verified = await visitor.send(path, fields);
    expect(verified.status).toBe(200);
    expect(plainText(verified.html)).toContain('Your email address is verified');
    expect(await isVerified()).toBe(true);
    expect((await visitor.open('/profile')).status).toBe(200);
    expect((await visitor.send(path, fields)).status).toBe(410);
    expect(plainText((await visitor.open(path)).html)).toContain('This link is no longer valid.');
  });

  test('saves a deal favorited before sign-up once the email address is verified', async () => {
    const deal = await insertDeal(database.db);
    await visitor.send('/favorites', pressedHeart(deal.id));
    await visitor.sendAsHuman('/sign-up', { full_name: 'Maria Keller', email, password });
    const path = await pathInMail('verify-email');
    await visitor.send(path, { token: tokenOf(path), password });
    expect(await listSaved(database.db)).toEqual([deal.id]);
    expect(visitor.cookies.has('favorite-wished')).toBe(false);
  });

  test('offers no other sign-in method to a user who verifies while signed in', async () => {
    const account = { full_name: 'Maria Keller', email, password };
    await visitor.sendAsHuman('/sign-up', account);
    await visitor.sendAsHuman('/sign-in', { email, password });
    expect((await visitor.open('/profile')).status).toBe(200);
    const path = await pathInMail('verify-email');
    const { html } = await visitor.send(path, { token: tokenOf(path), password });
    expect(plainText(html)).toContain('Your email address is verified');
    expect(plainText(html)).not.toContain('Sign In');
  });

  test('shows errors at their fields and keeps the input', async () => {
    const page = await visitor.sendAsHuman('/sign-up', {
      full_name: ' ',
      email: 'no address',
      password: 'x',
    });
    expect(page.status).toBe(422);
    const text = plainText(page.html);
    expect(text).toContain('Please enter your full name');
    expect(text).toContain('Please enter a valid email address');
    expect(page.html).toContain('value="no address"');
    const weak = await visitor.sendAsHuman('/sign-up', {
      full_name: 'Maria',
      email,
      password: 'passw0rd',
    });
    expect(weak.status).toBe(422);
    expect(plainText(weak.html)).toContain('one of the first passwords that attackers try');
  });

  // Proves R04: fields allowed per call (app/features/accounts/account-input.ts)
  test('R04: ignores a role in the sign-up form', async () => {
    await visitor.sendAsHuman('/sign-up', {
      full_name: 'Maria',
      email,
      password,
      role: 'super_admin',
      id: 'chosen',
      email_verified: 'true',
    });
    const [user] = await database.db.selectFrom('users').selectAll().execute();
    expect(user).toMatchObject({ role: 'user', email_verified: false });
    expect(user?.id).not.toBe('chosen');
  });
});

// Proves Storefront 8: Sign-in or sign-up failure; “An error occurred” (account-messages.ts)
// Proves R13: equal answers
describe('R13: known and unknown addresses get the same response', () => {
  test.each(['/sign-up', '/sign-in', '/forgot-password', '/resend-verification'])(
    'R13: returns the same response for known and unknown email addresses: %s',
    async (path) => {
      await register();
      const fields = { full_name: 'Somebody', password: 'not the right one' };
      const answers = [];
      for (const address of [email, 'stranger@mail.example']) {
        const { status, html } = await newVisitor().sendAsHuman(path, {
          ...fields,
          email: address,
        });
        answers.push({ status, text: plainText(html).replaceAll(address, '') });
      }
      expect(answers[0]).toEqual(answers[1]);
    },
  );
});

describe('sessions', () => {
  // Proves P9: sessions in cookies (session-cookie.server.ts)
  // Proves R10: sessions
  test('R10: hides the cookie from scripts and binds it to the host on https', async () => {
    await register();
    const page = await visitor.sendAsHuman('/sign-in', { email, password });
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const secure = testSite(database, testServices(database, { ORIGIN: 'https://deals.test' }));
    const answer = await testVisitor(secure, '198.51.100.250').sendAsHuman('/sign-in', {
      email,
      password,
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test('R10: never accepts a planted session id', async () => {
    await register();
    visitor.cookies.set('session', 'planted-by-somebody-else-planted-by-somebod');
    await enter();
    expect(visitor.cookies.get('session')).not.toContain('planted');
    const attacker = newVisitor();
    attacker.cookies.set('session', 'planted-by-somebody-else-planted-by-somebod');
    expect((await attacker.open('/profile')).status).toBe(302);
    expect(attacker.cookies.has('session')).toBe(false);
  });

  // Proves Storefront 2: Routes: /logout (logout-page.tsx)
  // Proves Back office 2: Logout page: 25, 50, 75, 90, 100 %, then / after 1 s (logout-page.tsx)
  // Proves R15: no change by GET (server/http-server.ts)
  test('R10: ends the session on the server when signing out, by POST only (R15)', async () => {
    await register();
    await enter();
    const stolen = new Map(visitor.cookies);
    await visitor.open('/logout');
    expect((await visitor.open('/profile')).status).toBe(200);
    const page = await visitor.send('/logout', {});
    expect(page.status).toBe(200);
    expect(page.headers.get('refresh')).toBe('1; url=/');
    expect(plainText(page.html)).toContain('Logout completed');
    const thief = newVisitor();
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect((await thief.open('/profile')).status).toBe(302);
  });

  test('R10: ends the session when the role changes', async () => {
    await register();
    await enter();
    const user = await database.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await changeRole(database.db, { actor: 'cli', userId: user.id, role: 'admin' });
    expect((await visitor.open('/profile')).status).toBe(302);
  });

  // Proves R49: password reset and change
  test('R49: keeps only this browser signed in, under a new cookie, when the password changes', async () => {
    await register();
    await enter();
    const other = newVisitor();
    await enter(other);
    const before = visitor.cookies.get('session');
    const wrong = await visitor.send('/profile', {
      intent: 'password',
      current_password: 'wrong',
      password: 'rowing over lakes',
    });
    expect(wrong.status).toBe(422);
    expect(plainText(wrong.html)).toContain('That password is incorrect');
    const page = await visitor.send('/profile', {
      intent: 'password',
      current_password: password,
      password: 'rowing over lakes',
    });
    expect(page.status).toBe(200);
    expect(visitor.cookies.get('session')).not.toBe(before);
    expect((await visitor.open('/profile')).status).toBe(200);
    expect((await other.open('/profile')).status).toBe(302);
  });

  // Proves Storefront 7: Sign-out: global, local, others (profile-page.tsx)
  // Proves R03: owner check in the query
  test('R03: shows and ends the user’s own sessions only', async () => {
    await register();
    await enter();
    const other = newVisitor();
    await enter(other);
    const sessions = await database.db
      .selectFrom('sessions')
      .select(['id', 'ip_address'])
      .orderBy('created_at')
      .execute();
    const stranger = newVisitor();
    const mine = email;
    email = `stranger-${count}@mail.example`;
    await stranger.sendAsHuman('/sign-up', { full_name: 'Stranger', email, password });
    await enter(stranger);
    await stranger.send('/profile', { intent: 'end-session', session: sessions[1]?.id ?? '' });
    expect((await other.open('/profile')).status).toBe(200);
    email = mine;
    const page = await visitor.open('/profile');
    expect(plainText(page.html)).toContain(sessions[1]?.ip_address ?? 'no address');
    await visitor.send('/profile', { intent: 'end-session', session: sessions[1]?.id ?? '' });
    expect((await other.open('/profile')).status).toBe(302);
    expect((await visitor.open('/profile')).status).toBe(200);
  });

  // Proves R19: shared and private pages
  test('R19: names the user on signed-in pages only, never on shared ones', async () => {
    await register();
    await enter();
    const own = await visitor.open('/deals');
    expect(plainText(own.html)).toContain(email);
    expect(plainText(own.html)).toContain('Role: user');
    const cookie = `session=${visitor.cookies.get('session')}`;
    const shared = await site.request('/deals', { headers: { cookie }, forCache: true });
    const html = await shared.text();
    expect(html).not.toContain(email);
    expect(html).toContain('href="/sign-in?returnTo=%2Fdeals"');
  });

  test('P9: lets an open page read and extend its session', async () => {
    expect((await visitor.open('/api/session')).status).toBe(401);
    expect((await visitor.send('/api/session', {})).status).toBe(401);
    await register();
    await enter();
    const asked = JSON.parse((await visitor.open('/api/session')).html) as Record<string, string>;
    expect(Object.keys(asked).toSorted()).toEqual(['expiresAt', 'role']);
    await database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() + 200_000) })
      .execute();
    const moved = JSON.parse((await visitor.send('/api/session', {})).html) as {
      expiresAt: string;
    };
    expect(Date.parse(moved.expiresAt) - Date.now()).toBeGreaterThan(13 * 86_400_000);
  });
});

describe('signing in', () => {
  // Proves R28: click-out
  test('redirects to a page of this site after signing in, never to another site (R28)', async () => {
    await register();
    const asked = await visitor.open('/profile');
    expect(asked.headers.get('location')).toBe('/sign-in?returnTo=%2Fprofile');
    const page = await visitor.sendAsHuman('/sign-in?returnTo=%2Fprofile', { email, password });
    expect(page.headers.get('location')).toBe('/profile');
    for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const other = newVisitor();
      const target = `/sign-in?returnTo=${encodeURIComponent(path)}`;
      const answer = await other.sendAsHuman(target, { email, password });
      expect([path, answer.headers.get('location')]).toEqual([path, '/']);
    }
  });

  // Proves R12: limits per account and address
  test('R12: slows down guesses per account, with the same message for everyone', async () => {
    await register();
    let last = await visitor.sendAsHuman('/sign-in', { email, password: 'wrong' });
    expect(last.status).toBe(422);
    expect(plainText(last.html)).toContain('Invalid email or password');
    for (let n = 0; n < 11 && last.status === 422; n += 1) {
      last = await newVisitor().sendAsHuman('/sign-in', { email, password: 'wrong' });
    }
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  // Proves Storefront 5: Sign-in needs the human check (verify-captcha.server.ts)
  // Proves R27: captcha (app/platform/captcha/verify-captcha.server.ts)
  test('R27: does not check the password when the captcha is missing', async () => {
    await register();
    const page = await visitor.send('/sign-in', { email, password });
    expect(page.status).toBe(422);
    expect(visitor.cookies.has('session')).toBe(false);
    const forged = await visitor.send('/sign-in', { email, password, captcha_token: 'forged' });
    expect(forged.status).toBe(422);
    expect(visitor.cookies.has('session')).toBe(false);
  });

  // Proves R50: second factor
  test('R50: does not sign in by password alone when two-factor is on', async () => {
    await register();
    await database.db.updateTable('users').set({ email_verified: true }).execute();
    const { id } = await database.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const services = testServices(database);
    const key = await beginTwoFactor(services, id);
    const step = Math.floor(Date.now() / 30_000);
    await confirmTwoFactor(services, id, totpCode(key, step - 1));

    expect((await visitor.open('/sign-in/second-factor')).headers.get('location')).toBe('/sign-in');
    const page = await visitor.sendAsHuman('/sign-in', { email, password });
    expect(page.headers.get('location')).toBe('/sign-in/second-factor?returnTo=%2F');
    expect(visitor.cookies.has('session')).toBe(false);
    expect((await visitor.open('/profile')).status).toBe(302);
    const wrong = await visitor.send('/sign-in/second-factor', { code: '000000' });
    expect(wrong.status).toBe(422);
    const right = await visitor.send('/sign-in/second-factor', { code: totpCode(key, step + 1) });
    expect(right.status).toBe(303);
    expect((await visitor.open('/profile')).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  // Proves P10: recover, resend, verify, change (reset-password.server.ts)
  test('R49: replaces a forgotten password through the emailed link, which works once', async () => {
    await register();
    await visitor.sendAsHuman('/forgot-password', { email });
    const token = tokenOf(await pathInMail('reset-password'));
    expect((await visitor.open(`/reset-password?token=${token}`)).status).toBe(200);
    const fields = { token, password: 'rowing over lakes' };
    expect((await visitor.send('/reset-password', { ...fields, password: '123456' })).status).toBe(
      422,
    );
    expect((await visitor.send('/reset-password', fields)).status).toBe(200);
    expect((await visitor.send('/reset-password', fields)).status).toBe(410);
    const page = await visitor.sendAsHuman('/sign-in', { email, password: 'rowing over lakes' });
    expect(page.status).toBe(303);
  });
});

test('sends another link to the user’s own email address with one click, and requires a captcha for others', async () => {
  await register();
  await enter();
  await pathInMail('verify-email');
  const { html } = await visitor.open('/price-alerts');
  expect(html).toContain('your alerts are paused until it is');
  expect(html).toMatch(/<form[^>]*action="\/resend-verification"/);
  await database.db.deleteFrom('mail_outbox').execute();
  expect((await visitor.send('/resend-verification', { email })).status).toBe(200);
  await pathInMail('verify-email');
  const other = await visitor.send('/resend-verification', { email: 'other@mail.example' });
  expect(other.status).toBe(422);
});

describe('exporting and deleting the account', () => {
  // Proves R45: export and erase a person (app/features/accounts/people/erase-account.server.ts)
  test('R45: exports a file and deletes the account for good, both only after confirming the password', async () => {
    await register();
    await enter();
    const refused = await visitor.send('/profile/export', { password: 'wrong' });
    expect(refused.headers.get('location')).toBe('/profile?export=wrong#profile-export');
    const file = await visitor.send('/profile/export', { password });
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-/);
    expect(JSON.parse(file.html)).toMatchObject({ account: { email, role: 'user' } });

    expect((await visitor.send('/profile', { intent: 'erase', password: 'wrong' })).status).toBe(
      422,
    );
    const gone = await visitor.send('/profile', { intent: 'erase', password });
    expect(gone.headers.get('location')).toBe('/');
    expect(visitor.cookies.has('session')).toBe(false);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('the first administrator', () => {
  // Proves P13: first admin (setup-link.server.ts)
  // Proves R33: first start
  test('R33: creates the first administrator once through the printed link, and returns 404 for any other token', async () => {
    const link = new URL((await makeSetupLink(database.db, 'http://deals.test')) ?? '');
    expect((await visitor.open('/setup?token=guessed')).status).toBe(404);
    expect((await visitor.open(`${link.pathname}${link.search}`)).status).toBe(200);
    const fields = { token: tokenOf(link.href), full_name: 'Owner', email, password };
    const page = await visitor.send('/setup', fields);
    expect([page.status, page.headers.get('location')]).toEqual([303, '/admin/setup/site']);
    expect(plainText((await visitor.open('/profile')).html)).toContain('Role: super_admin');
    const second = await newVisitor().send('/setup', { ...fields, email: 'second@mail.example' });
    expect(second.status).not.toBe(303);
    expect(await database.db.selectFrom('users').select('role').execute()).toEqual([
      { role: 'super_admin' },
    ]);
  });
});

test('R01: refuses account pages, their data and their forms to signed-out visitors', async () => {
  await insertUser(database.db);
  for (const path of [
    '/profile',
    '/profile/two-factor',
    '/profile.data',
    '/profile/two-factor.data',
  ]) {
    const { status, html } = await visitor.open(path);
    expect([path, [200, 202, 302].includes(status)]).toEqual([path, true]);
    expect(html).not.toContain('mail.example');
    expect(path.endsWith('.data') ? html.includes('/sign-in') : status === 302).toBe(true);
  }
  for (const path of ['/profile', '/profile/two-factor', '/profile/export']) {
    const { status, headers } = await visitor.send(path, { intent: 'erase', password });
    expect([path, status, headers.get('location')?.startsWith('/sign-in')]).toEqual([
      path,
      302,
      true,
    ]);
  }
});
