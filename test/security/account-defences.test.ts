import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createRequestHandler } from 'react-router';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';
import { testOrigin } from '#test/origin.ts';
import { loadBuild } from '#test/site.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { checkPassword } from '#app/features/accounts/passwords/check-password.server.ts';
import {
  requestPasswordReset,
  resetPassword,
} from '#app/features/accounts/passwords/reset-password.server.ts';
import { passSecondFactor } from '#app/features/accounts/two-factor/second-factor-step.server.ts';
import { signIn } from '#app/features/accounts/sessions/sign-in.server.ts';
import { signUp } from '#app/features/accounts/people/sign-up.server.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';
import { resendVerification } from '#app/features/accounts/people/verify-email.server.ts';
import { createSiteApp } from '#server/site-app.ts';

/**
 * Counts how often a password is hashed, which is by far the most expensive part of these forms.
 */
const argon2 = vi.spyOn(crypto, 'argon2');
syncBuiltinESMExports();
afterAll(() => {
  argon2.mockRestore();
  syncBuiltinESMExports();
});

const database = useTestDatabase();
useStoppedClock();
const password = 'walking the hills';
let services: AppServices;
let count = 0;
let email = '';

beforeEach(() => {
  services = testServices(database);
  // The process caches reached limits, so each test uses new IP addresses and accounts.
  count += 1;
  email = `maria-${count}@mail.example`;
});

const address = () => `192.0.2.${count}`;
const place = () => ({ origin: testOrigin, address: address(), userAgent: 'Test Browser' });

async function register(): Promise<string> {
  await signUp(services, { fullName: 'Maria Keller', email, password }, address());
  const { id } = await database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

async function hashesOf(what: () => Promise<unknown>): Promise<number> {
  const before = argon2.mock.calls.length;
  await what();
  return argon2.mock.calls.length - before;
}

// Proves R13: the same answer for known and unknown (sign-up.server.ts)
describe('R13: the same work whether or not the account exists', () => {
  const unknown = () => `nobody-${count}@mail.example`;

  test('R13: hashes once at sign-in, for a right or wrong password, an unknown user, or a user without a password', async () => {
    await register();
    const other = await insertUser(database.db); // signed up with a provider, no password
    const found: number[] = [];
    for (const typed of [
      { email, password },
      { email, password: 'not the password' },
      { email: unknown(), password },
      { email: other.email, password },
    ])
      found.push(await hashesOf(() => signIn(services, typed, place(), null)));
    expect(found).toEqual([1, 1, 1, 1]);
  });

  test('R13: hashes once at sign-up, and never when emails are requested', async () => {
    await register();
    const person = { fullName: 'Maria Keller', password };
    const found: number[] = [];
    for (const who of [email, unknown()]) {
      found.push(await hashesOf(() => signUp(services, { ...person, email: who }, address())));
      found.push(await hashesOf(() => requestPasswordReset(services, who, address())));
    }
    for (const who of [`other-${email}`, `nobody-at-all-${email}`])
      found.push(await hashesOf(() => resendVerification(services, who, address())));
    expect(found).toEqual([1, 0, 1, 0, 0, 0]);
  });
});

// Proves R12: limits per account and address
describe('R12: wrong passwords', () => {
  const guess = () => checkPassword(services, email, 'not the password');

  /** Ends the current wait by changing its time. */
  async function letTimePass(): Promise<void> {
    await database.db.deleteFrom('rate_limits').where('key', 'like', 'sign-in-wait%').execute();
  }

  test('R12: makes the account wait after wrong passwords: 1 s after 5, 60 s after 10, 15 min after 20', async () => {
    await register();
    const waits: (number | null)[] = [];
    for (let wrong = 1; wrong <= 21; wrong += 1) {
      expect(await guess()).toEqual({ ok: false, reason: 'wrong' });
      const next = wrong < 5 ? null : await guess();
      waits.push(next && 'retryAfterSeconds' in next ? next.retryAfterSeconds : null);
      await letTimePass();
    }
    expect(waits.slice(0, 4)).toEqual([null, null, null, null]);
    expect(new Set(waits.slice(4, 9))).toEqual(new Set([1]));
    // The remaining wait when the next guess is answered, however slow the server is.
    const minutes = waits.slice(9).map((seconds) => Math.ceil((seconds ?? 0) / 60));
    expect(new Set(minutes.slice(0, 10))).toEqual(new Set([1]));
    expect(new Set(minutes.slice(10))).toEqual(new Set([15]));
  });

  test('R12: resets the count of wrong passwords once the owner sets a new one through an emailed link', async () => {
    await register();
    for (let n = 0; n < 12; n += 1) {
      await guess();
      await letTimePass();
    }
    await guess();
    expect(await guess()).toMatchObject({ reason: 'too-many' });
    await requestPasswordReset(services, email, address());
    const path = await mailedPath(database.db, 'reset-password');
    const token = new URL(path, testOrigin).searchParams.get('token');
    const next = 'crossing the river';
    expect(await resetPassword(services, { token: token ?? '', password: next })).toEqual({
      ok: true,
    });
    expect(await checkPassword(services, email, next)).toMatchObject({ ok: true });
  });

  test('R12: does not block the second step for users who have the password and the code', async () => {
    const id = await register();
    await database.db.updateTable('users').set({ email_verified: true }).execute();
    const key = await beginTwoFactor(services, id);
    const codeOf = (steps: number) => totpCode(key, Math.floor(Date.now() / 30_000) + steps);
    await confirmTwoFactor(services, id, codeOf(-1));
    for (let n = 0; n < 4; n += 1) await guess();
    const entered = await signIn(services, { email, password }, place(), null);
    const cookie = entered.ok ? (entered.cookies[0]?.split(';')[0] ?? '') : '';
    const request = new Request(testOrigin, { headers: { cookie } });
    for (let n = 0; n < 4; n += 1)
      expect(await passSecondFactor(services, request, '000000')).toMatchObject({
        reason: 'wrong',
      });
    expect(await passSecondFactor(services, request, codeOf(0))).toMatchObject({ ok: true });
    const left = await database.db
      .selectFrom('rate_limits')
      .select('key')
      .where('key', 'like', 'sign-in-account%')
      .execute();
    expect(left).toEqual([]);
  });
});

test('R12: allows thirty attempts per IP address, regardless of forwarding headers and path spelling', async () => {
  const app = createSiteApp(await loadBuild(), createRequestHandler, services);
  const site = await startHttpSite(app, { db: database.db, env: { ORIGIN: testOrigin } });
  const spellings = [
    '/api/passkeys/sign-in',
    '//api/passkeys/sign-in',
    '/api/passkeys/sign-in/',
    '/API/passkeys/Sign-In',
    '/api/./passkeys/sign%2din',
    '/api/passkeys/sign-in?x=1',
  ];
  const statuses: number[] = [];
  for (let n = 0; n < 120; n += 1) {
    const { status } = await site.send(spellings[n % spellings.length] ?? '', {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `203.0.113.${n}`,
        'x-real-ip': `203.0.113.${n}`,
        forwarded: `for=203.0.113.${n}`,
        'cf-connecting-ip': `203.0.113.${n}`,
      },
      body: 'credential=none',
    });
    statuses.push(status);
  }
  await site.close();
  expect(statuses.filter((status) => status === 422)).toHaveLength(30);
  expect(statuses).toContain(429);
});

/** Email clients post to these paths without opening a page, authorized by a token (RFC 8058). */
const forMailboxes = new Set(['/unsubscribe/one-click', '/stop-mails/one-click']);
// Browser reports have no origin; a form gets 415 there (request-origin.test.ts).
const forReports = '/api/policy-reports';

const forgeries = [
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['referer', 'https://deals.test/sign-in'],
] as const;

// Proves R14: cross-site requests (server/http-server.ts)
test('R14: does not let a forged POST from another site reach a route', async () => {
  let reached = '';
  const site = await startHttpSite(async (request) => {
    reached = new URL(request.url).pathname;
    return { response: new Response('reached'), policy: null, error: undefined };
  });
  const { routes } = await loadBuild();
  const found: string[] = [];
  let asked = 0;
  for (const route of Object.values(routes)) {
    if (!route?.path || route.path === '*' || !route.module.action) continue;
    let path = route.path;
    for (let at = route.parentId; at !== undefined; at = routes[at]?.parentId)
      path = [routes[at]?.path, path].filter(Boolean).join('/');
    path = `/${path.replaceAll(/:\w+/g, '1')}`;
    if (forMailboxes.has(path) || path === forReports) continue;
    for (const [name, value] of forgeries) {
      for (const target of [path, `${path}.data`]) {
        asked += 1;
        const { status } = await site.send(target, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', [name]: value },
          body: 'email=ada%40mail.example',
        });
        if (status !== 403 || reached) found.push(`${target} ${name}: ${value}: ${status}`);
        reached = '';
      }
    }
  }
  await site.close();
  expect(found).toEqual([]);
  expect(asked).toBeGreaterThan(200);
});
