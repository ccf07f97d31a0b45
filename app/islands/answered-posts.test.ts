import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { givePassword, staffPassword as password } from '#test/staff.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';

const database = useTestDatabase();
useStoppedClock();
let count = 0;
let address = '';
let email = '';
beforeEach(() => {
  count += 1;
  address = `203.0.113.${count}`;
  email = `poster-${count}@mail.example`;
});

/** Posts a form as an island does. */
async function post(
  path: string,
  fields: Record<string, string>,
  { limits = '', ...headers }: Record<string, string> = {},
) {
  const { env } = testServices(database, limits ? { RATE_LIMITS: limits } : {});
  const response = await testSite(database, { env }).request(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json', ...headers },
    address,
  });
  const text = await response.text();
  return { response, status: response.status, heard: text && (JSON.parse(text) as unknown) };
}

async function credentials() {
  return { email, password, captcha_token: await solveCaptcha(testServices(database)) };
}

async function newUser(): Promise<string> {
  const { id } = await insertUser(database.db, { email });
  await givePassword(database, id);
  return id;
}

const sessionOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('session='))
    ?.split(';', 1)[0];

describe('a post that requests a response instead of a page', () => {
  test("returns the action's response and status to a post that accepts JSON", async () => {
    const { response, status, heard } = await post('/newsletter', { email: 'nonsense' });
    expect(status).toBe(422);
    expect(response.headers.get('content-type')).toBe('application/json');
    const message = 'Please enter a valid email address';
    const asked = { email: 'nonsense', isResend: false, question: null };
    expect(heard).toEqual({ ok: false, message, ...asked });
  });

  test('returns a page to a post that asks for one', async () => {
    const { html } = await testSite(database).page('/newsletter', {
      method: 'POST',
      body: new URLSearchParams({ email: 'nonsense' }),
    });
    expect(html).toContain('<!DOCTYPE html>');
  });

  test('returns Retry-After to a post, even from a page that forwards no headers', async () => {
    for (const [path, limit, fields] of [
      ['/newsletter', 'subscribe-address', { email }],
      ['/contact', 'contact-address', { name: 'A', email, subject: 'S', message: 'M' }],
      ['/sign-in', 'sign-in-address', { email, password }],
    ] as const) {
      const send = async () => {
        const captcha_token = await solveCaptcha(testServices(database));
        return post(path, { ...fields, captcha_token }, { limits: `${limit}=1/600` });
      };
      await send();
      const { response, status, heard } = await send();
      expect([path, status]).toEqual([path, 429]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(heard).toMatchObject({ ok: false });
    }
  });

  test('returns a session to a sign-in post, without a redirect to a page', async () => {
    await newUser();
    const fields = { ...(await credentials()), place: 'dialog' };
    const { response, status, heard } = await post('/sign-in?returnTo=%2Fdeals', fields);
    expect([status, heard]).toEqual([200, { ok: true, message: 'Login successful!' }]);
    expect(sessionOf(response)).toMatch(/^session=./);
  });

  test('keeps the session of a post if another tab has signed in before', async () => {
    await newUser();
    const first = await post('/sign-in', { ...(await credentials()), place: 'dialog' });
    const cookie = sessionOf(first.response) ?? '';
    const fields = { ...(await credentials()), place: 'dialog' };
    const { response, status, heard } = await post('/sign-in', fields, { cookie });
    expect([status, heard]).toEqual([200, { ok: true, message: 'Login successful!' }]);
    expect(sessionOf(response)).toMatch(/^session=./);
    expect(sessionOf(response)).not.toBe(cookie);
  });

  test('redirects a sign-in post to the second step when the action redirects there', async () => {
    const id = await newUser();
    const services = testServices(database);
    const key = await beginTwoFactor(services, id);
    await confirmTwoFactor(services, id, totpCode(key, Math.floor(Date.now() / 30_000)));
    const { response, status } = await post('/sign-in', {
      ...(await credentials()),
      place: 'dialog',
    });
    expect([status, response.headers.get('location')]).toEqual([
      303,
      '/sign-in/second-factor?returnTo=%2F',
    ]);
  });

  test('returns the rejection of a passkey as a response, too', async () => {
    const { status, heard } = await post('/api/passkeys/sign-in', { credential: '{}' });
    expect(status).toBe(422);
    expect(heard).toMatchObject({ ok: false, message: expect.stringContaining('not accepted') });
  });

  test.each([
    ['its body is not a form', '/newsletter', 415],
    ['the page takes none', '/about', 405],
    ['there is no such page', '/no-such-page', 404],
  ])('returns only the status to a post if %s', async (_why, path, expected) => {
    const { response, status, heard } = await post(path, {}, { 'content-type': 'text/plain' });
    expect([status, heard]).toEqual([expected, null]);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('returns a reference but no cause to a post if the action failed', async () => {
    await database.db.schema.alterTable('accounts').renameTo('accounts_hidden').execute();
    try {
      await insertUser(database.db, { email });
      const { status, heard } = await post('/sign-in', await credentials());
      expect([status, heard]).toEqual([
        500,
        { ok: false, message: 'Unknown error occurred Reference: test-request' },
      ]);
    } finally {
      await database.db.schema.alterTable('accounts_hidden').renameTo('accounts').execute();
    }
  });
});
