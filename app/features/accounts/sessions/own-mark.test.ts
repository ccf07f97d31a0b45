import { beforeEach, describe, expect, test } from 'vitest';
import { createLoadContext } from '#app/platform/app-context.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { givePassword, signIn, staffPassword } from '#test/staff.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';
import { freshnessToken } from './own-mark.server.ts';
import { sessionMiddleware } from './session-context.server.ts';

const database = useTestDatabase();
const site = testSite(database);
const word = /^[\w-]{8}$/;
const clears = '"prefetchCache", "prerenderCache"';
let count = 0;
let email = '';

beforeEach(async () => {
  count += 1;
  email = `mark-${count}@mail.example`;
  const { id } = await insertUser(database.db, { email, email_verified: true });
  await givePassword(database, id);
});

async function enter(): Promise<TestVisitor> {
  const visitor = testVisitor(site, `198.51.100.${count}`);
  const page = await visitor.sendAsHuman('/sign-in', { email, password: staffPassword });
  expect(page.status).toBe(303);
  return visitor;
}

/** Returns the header that sets or removes the token. */
const ownLine = (headers: Headers) =>
  headers.getSetCookie().find((line) => line.startsWith('own=')) ?? null;

describe('the token of a signed-in visitor', () => {
  test('sets the write token on sign-in as a session cookie readable by scripts', async () => {
    const visitor = testVisitor(site, `198.51.100.${count}`);
    const fields = { email, password: staffPassword };
    const { headers } = await visitor.sendAsHuman('/sign-in', fields);
    expect(ownLine(headers)).toMatch(/^own=[\w-]{8}; Path=\/; SameSite=Lax$/);
    expect(headers.get('clear-site-data')).toBe(clears);

    const https = testSite(database, testServices(database, { ORIGIN: 'https://deals.test' }));
    const answer = await testVisitor(https, '198.51.100.251').sendAsHuman('/sign-in', fields);
    expect(ownLine(answer.headers)).toMatch(/^own=[\w-]{8}; Path=\/; SameSite=Lax; Secure$/);
  });

  test('keeps the write token while pages are read, and changes it after each write', async () => {
    const visitor = await enter();
    const deal = await insertDeal(database.db);
    const words = [visitor.cookies.get('own')];
    for (const want of ['set', 'unset']) {
      const page = await visitor.open('/favorites');
      expect([ownLine(page.headers), page.headers.get('clear-site-data')]).toEqual([null, null]);
      const done = await visitor.send('/favorites', { deal_id: String(deal.id), want });
      expect(done.headers.get('clear-site-data')).toBe(clears);
      words.push(visitor.cookies.get('own'));
    }
    expect(new Set(words).size).toBe(3);
    for (const one of words) expect(one).toMatch(word);
  });

  test('removes the write token on sign-out', async () => {
    const visitor = await enter();
    const { headers } = await visitor.send('/logout', {});
    expect(ownLine(headers)).toBe('own=; Path=/; Max-Age=0; SameSite=Lax');
    expect(headers.get('clear-site-data')).toBe(clears);
    expect([...visitor.cookies.keys()]).not.toContain('own');
  });

  test('removes the write token when the session has ended elsewhere', async () => {
    const visitor = await enter();
    await database.db.deleteFrom('sessions').execute();
    const { headers } = await visitor.open('/deals');
    expect(headers.get('clear-site-data')).toBe(clears);
    expect([visitor.cookies.has('own'), visitor.cookies.has('session')]).toEqual([false, false]);
    expect(ownLine((await visitor.open('/deals')).headers)).toBeNull();
  });

  test('sets the write token with the next page for sessions older than the token', async () => {
    const visitor = await enter();
    visitor.cookies.delete('own');
    const { headers } = await visitor.open('/favorites');
    expect(ownLine(headers)).toMatch(/^own=[\w-]{8};/);
    expect(headers.get('clear-site-data')).toBe(clears);
    expect(ownLine((await visitor.open('/favorites')).headers)).toBeNull();
  });

  test('does not set the write token for other visitors', async () => {
    const stranger = testVisitor(site);
    await stranger.sendAsHuman('/sign-in', { email, password: 'not the right one' });
    for (const path of ['/', '/deals', '/sign-in', '/favorites']) {
      const { headers } = await stranger.open(path);
      expect([ownLine(headers), headers.get('clear-site-data')]).toEqual([null, null]);
    }
    expect(stranger.cookies.has('own')).toBe(false);
  });
});

interface Asked {
  cookie?: string;
  method?: string;
  forCache?: boolean;
}

/** Returns the token that the page would contain, and the response's headers. */
async function ask(
  { cookie = '', method = 'GET', forCache = false }: Asked,
  init: ResponseInit & { headers?: Record<string, string> } = {},
): Promise<{ shown: string | null; given: string | null }> {
  const facts = { id: 'x', nonce: '', isForCache: forCache, address: '', gateNote: null };
  const context = createLoadContext(testServices(database), facts);
  const url = new URL('/deals', testOrigin);
  const request = new Request(url, { method, headers: { cookie } });
  let shown: string | null = null;
  const args = { request, url, pattern: '/deals', params: {}, context };
  const response = await sessionMiddleware(args, async () => {
    shown = freshnessToken(context);
    return new Response('', { headers: { 'content-type': 'text/html' }, ...init });
  });
  const line = response ? ownLine(response.headers) : null;
  return { shown, given: line?.split(';')[0]?.replace('own=', '') ?? null };
}

describe('the token in a page', () => {
  let session = '';
  beforeEach(async () => {
    ({ cookie: session } = await signIn(database));
  });

  test('puts the cookie’s write token into a page that is read', async () => {
    const asked = { cookie: `${session}; own=abcd-_12` };
    expect(await ask(asked)).toEqual({ shown: 'abcd-_12', given: null });
    expect(await ask({ ...asked, method: 'HEAD' })).toEqual({ shown: 'abcd-_12', given: null });
  });

  test('puts the new write token into the page whenever a new one is set', async () => {
    for (const asked of [
      { cookie: session },
      { cookie: `${session}; own=abcdefgh`, method: 'POST' },
    ]) {
      const { shown, given } = await ask(asked);
      expect(shown).toMatch(word);
      expect(shown).not.toBe('abcdefgh');
      expect(given).toBe(shown);
    }
  });

  test.each(['', 'abc', 'abcdefghi', 'abcd"><b>', 'abcd%3Ce', 'a b c d '])(
    'never puts untrusted input into the page’s write token: %s',
    async (written) => {
      const { shown, given } = await ask({ cookie: `${session}; own=${written}` });
      expect(shown).toMatch(word);
      expect(given).toBe(shown);
    },
  );

  test('renews the write token for a page with form errors, but not for a rejection', async () => {
    const asked = { cookie: `${session}; own=abcdefgh`, method: 'POST' };
    const json = { headers: { 'content-type': 'application/json' } };
    expect((await ask(asked, { ...json, status: 422 })).given).toBeNull();
    expect((await ask(asked, { ...json, status: 500 })).given).toBeNull();
    expect((await ask(asked, { ...json, status: 200 })).given).toMatch(word);
    expect((await ask(asked, { status: 303 })).given).toMatch(word);
    const page = await ask(asked, { status: 422 });
    expect(page.given).toBe(page.shown);
  });

  test('changes the write token when following a link opens a session', async () => {
    const headers = { 'set-cookie': 'session=new; Path=/' };
    const asked = { cookie: `${session}; own=abcdefgh` };
    const { given } = await ask(asked, { status: 303, headers });
    expect(given).toMatch(word);
    expect(given).not.toBe('abcdefgh');
    expect((await ask({}, { status: 303, headers })).given).toMatch(word);
  });

  test('omits the write token for signed-out visitors, even with an old cookie', async () => {
    expect(await ask({})).toEqual({ shown: null, given: null });
    expect(await ask({ cookie: 'own=abcdefgh' })).toEqual({ shown: null, given: '' });
    expect(await ask({ cookie: 'session=ended; own=abcdefgh' })).toEqual({
      shown: null,
      given: '',
    });
    const forAll = { cookie: `${session}; own=abcdefgh`, forCache: true };
    expect((await ask(forAll)).shown).toBeNull();
  });
});
