import { afterAll, beforeAll, expect, it } from 'vitest';
import { routePatterns } from '#test/route-patterns.ts';
import { signIn } from '#test/staff.ts';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { tableContents } from '#test/table-contents.ts';

// Rate limits are off, because they would reject requests before the tested code runs.
const unlimited = {
  RATE_LIMITS: 'page=0,search=0,search-burst=0,captcha-challenge=0,admin-write=0',
};

let database: TestDatabase;
let site: HttpSite;
let staffCookie = '';
/** Log lines. A stack trace indicates a bug in the site, not a bad request. */
const logged: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const category = await insertCategory(db, { slug: 'tools' });
  const merchant = await insertMerchant(db, { slug: 'shop' });
  const places = { category_id: category.id, merchant_id: merchant.id };
  for (let n = 0; n < 3; n++) await insertDeal(db, { slug: `drill-${n}`, ...places });
  await insertBlogPost(db, { slug: 'guide', tags: ['Tools'] });
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test', ...unlimited });
  const services = {
    db,
    env,
    log: createLog('warn', { write: (line) => void logged.push(line) }),
    now: () => new Date(),
  };
  staffCookie = (await signIn(database, { role: 'super_admin' }, env.origin)).cookie;
  const { app, files } = await loadBuiltSite(services);
  site = await startHttpSite(app, { db, files, env: unlimited });
});
afterAll(async () => {
  await site?.close();
  await database?.close();
});

const stacks = () => logged.splice(0).filter((line) => line.includes('"stack"'));

// Values as they appear in URLs: browsers, bots and attackers each send some of these.
const oddValues = [
  '',
  '%00',
  'a%00b',
  '%2500',
  '%01%1F%7F',
  '%0D%0Aset-cookie:%20a=b',
  '%',
  '%zz',
  '%C3%28',
  '%ED%A0%80',
  '%F0%9F%94%A5',
  '%E2%80%AE%EF%BF%BE',
  '%CC%81'.repeat(40),
  'a'.repeat(1900),
  '%F0%9F%94%A5'.repeat(150),
  '0',
  '-1',
  '1.5',
  '1e309',
  'NaN',
  'null',
  'undefined',
  '[object%20Object]',
  '2147483648',
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999999999999999',
  '0x10',
  "'",
  "'%20or%20'1'='1",
  '1;drop%20table%20deals--',
  '%25_%5C',
  '%5C',
  '((((',
  '*',
  '%26%7C!:*',
  '..%2F..%2Fetc%2Fpasswd',
  '..',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '$%7Bjndi:ldap://x%7D',
  '%7B%22$ne%22:1%7D',
  '__proto__',
  'constructor',
  'toString',
];

const parameters =
  'search sort page min max exact status seller type category merchant days range q query limit _routes index p'.split(
    ' ',
  );

/** Existing URLs. In all others, a number replaces each parameter. */
const known: Record<string, string> = {
  '/deals/:slug': '/deals/drill-1',
  '/categories/:slug': '/categories/tools',
  '/merchants/:slug': '/merchants/shop',
  '/blog/:slug': '/blog/guide',
  '/blog/tags/:tag': '/blog/tags/Tools',
  '/sitemaps/:name': '/sitemaps/deals-1.xml',
  '/feeds/:name': '/feeds/deals.xml',
  // The deal does not exist, because a click on a real one would be counted.
  '/out/:id': '/out/999999',
  '/*': '/nowhere',
};
const sitePatterns = routePatterns().map(({ pattern }) => pattern);
const pages = sitePatterns.map(
  (pattern) => known[pattern] ?? pattern.replace(/:\w+|\*/g, () => '1'),
);

/**
 * Sends the path unchanged, unlike HTTP clients, as a staff member if it is in the admin. Returns
 * the status line and the body.
 */
function ask(path: string): Promise<string> {
  const cookie = path.startsWith('/admin') ? `cookie: ${staffCookie}\r\n` : '';
  return site.sendRaw(
    `GET ${path} HTTP/1.1\r\nhost: deals.test\r\n${cookie}connection: close\r\n\r\n`,
  );
}

async function failures(paths: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  const waiting = [...paths];
  async function work(): Promise<void> {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const answer = await ask(path);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
      if (!(status >= 200 && status < 500)) failed.push(`${status} ${path.slice(0, 120)}`);
      const head = answer.slice(0, answer.indexOf('\r\n\r\n'));
      if (/\r\nset-cookie:/i.test(head) && !mayGiveCookie(path))
        failed.push(`cookie ${path.slice(0, 120)}`);
    }
  }
  await Promise.all(Array.from({ length: 6 }, work));
  return failed;
}

/**
 * Returns whether a page may set a cookie. Sign-in pages set one to bind their state to the
 * browser.
 */
function mayGiveCookie(path: string): boolean {
  return /^\/(admin|sign-in\/with|api\/passkeys)/.test(path);
}

// Proves R23: no 5xx from input (error-page.ts)
it('R23: returns no server error for an odd path segment', async () => {
  const withParts = sitePatterns.filter((pattern) => /[:*]/.test(pattern));
  expect(withParts).toContain('/admin/merchants/:id/edit');
  const paths = withParts.flatMap((pattern) =>
    oddValues.flatMap((value, v) => {
      const path = pattern.replaceAll(/:\w+|\*/g, () => value);
      return v % 2 === 0 ? [path] : [`${path}.data`];
    }),
  );
  expect(await failures(paths)).toEqual([]);
  expect(stacks()).toEqual([]);
});

// Proves R15: reading changes nothing (http-server.ts)
it('R15: changes nothing in the database when any page is read with any method', async () => {
  // The very first requests create the site's secrets and push keys.
  const browser = { 'user-agent': 'Mozilla/5.0 Firefox/140.0', accept: 'text/html' };
  for (const first of ['/api/captcha/challenge', '/api/push-renewal', '/no-such-page']) {
    await site.send(first, { headers: browser });
  }
  // Visits to missing pages are counted, which users do not notice.
  const contents = async () =>
    (await tableContents(database)).filter((line) => !line.startsWith('missed_path'));
  const before = await contents();
  for (const page of [...pages, '/unsubscribe?token=x', '/logout', '/seed']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect((await site.send(page, { method, headers: browser })).status).toBeLessThan(500);
    }
  }
  expect(await contents()).toEqual(before);
});

it('R23: returns no server error for odd parameter values', async () => {
  const paths = pages.flatMap((page, nth) =>
    // Each page is requested with a quarter of the values, each in a different parameter.
    oddValues.flatMap((value, v) => {
      if ((v + nth) % 4 !== 0) return [];
      const name = parameters[(v + nth) % parameters.length] ?? '';
      return [`${page}?${name}=${value}`, `${page}?${value}`];
    }),
  );
  expect(await failures(paths)).toEqual([]);
  expect(stacks()).toEqual([]);
});

it('R23: returns no server error for any value of a list or search parameter', async () => {
  const paths = ['/deals', '/api/suggest'].flatMap((page) =>
    parameters.flatMap((name) => [
      ...oddValues.map((value) => `${page}?${name}=${value}`),
      `${page}?${name}[]=1&${name}[]=2`,
      `${page}?${name}[a]=1`,
      `${page}?${name}=1&${name}=2`,
      `${page}?search=drill&${name}=-1`,
    ]),
  );
  expect(await failures(paths)).toEqual([]);
  expect(stacks()).toEqual([]);
});

it('R23: returns no server error for malformed bytes', async () => {
  const odd = ['\u0000', 'a\u0000b', '\u00ff\u00fe', 'a b', 'é', '\u007f', '\\', '#x', '<>"`{}|^'];
  const failed = await failures(
    odd.flatMap((bytes) => [`/deals/${bytes}`, `/deals?search=${bytes}`]),
  );
  expect(failed).toEqual([]);
  expect(stacks()).toEqual([]);
});

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=x';
/** Content types and bodies. The last body has more fields than the server reads. */
const oddBodies: readonly [type: string | null, text: string][] = [
  [null, ''],
  ['application/json', '{"intent":"save"}'],
  [form, ''],
  [form, 'intent=%00&id=%zz&__proto__=1&constructor=2&=&id=9223372036854775808&intent=x'],
  [`${form}; charset=utf-16`, '\u00ff\u00fe&&&=&=='],
  [multipart, 'broken'],
  [multipart, '--x\r\ncontent-disposition: form-data; name="intent"; filename="a"\r\n\r\nsave'],
  ['multipart/form-data', '--x--\r\n'],
  [form, 'a&'.repeat(3000)],
];

// Proves R23: 400, 405, 413 or 415 for a body that cannot be read, at every route (read-form-body.ts, request-origin.ts)
// Proves R58: what a request may cost before it is known to be worth it
it('R23: returns no server error for any body, method, sender and URL', async () => {
  const failed: string[] = [];
  async function note(page: string, options: Parameters<HttpSite['send']>[1]): Promise<number> {
    const { status } = await site.send(page, options);
    const what = `${options?.method} ${page} ${options?.headers?.['content-type'] ?? ''}`;
    if (!(status >= 200 && status < 500)) failed.push(`${status} ${what}`);
    return status;
  }
  const waiting = pages.entries().toArray();
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [nth, pattern] = next;
      const page = nth % 2 === 0 ? pattern : `${pattern}.data`;
      // Uses a separate session, because the requests may end it.
      const { cookie } = await signIn(database, { role: 'super_admin' }, 'https://deals.test');
      for (const caller of [null, cookie]) {
        const headers: Record<string, string> = { origin: 'https://deals.test' };
        if (caller !== null) headers.cookie = caller;
        for (const [type, text] of oddBodies) {
          const typed = type === null ? headers : { ...headers, 'content-type': type };
          const body = text === '' ? {} : { body: Buffer.from(text, 'latin1') };
          await note(page, { method: 'POST', headers: typed, ...body });
        }
        for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
          const status = await note(page, { method, headers });
          if (status !== 405) failed.push(`${status}, not 405: ${method} ${page}`);
        }
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, work));
  expect(failed).toEqual([]);
  expect(stacks()).toEqual([]);
});

/** Headers that browsers never send, or never send together. */
const oddOrigins: Record<string, string>[] = [
  {},
  { origin: 'null' },
  { origin: 'not an origin' },
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { origin: 'not an origin', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://localhost', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://deals.test', 'sec-fetch-site': 'cross-site' },
];
/** Headers behind a proxy that changes the host, or from a page whose policy hides the origin. */
const ownOrigins: Record<string, string>[] = [
  { origin: 'https://deals.test', host: 'localhost' },
  { origin: 'null', 'sec-fetch-site': 'same-origin' },
];

it('R23: rejects every POST from another origin before its route, without a stack trace', async () => {
  const failed: string[] = [];
  const isRefused = (status: number, n: number) =>
    // API clients send no Origin, and some routes serve them.
    n === 0 ? status >= 400 && status < 500 : status === 403;
  const isTaken = (status: number) => status >= 200 && status < 500 && status !== 403;
  for (const [nth, page] of pages.entries()) {
    if (page.endsWith('/one-click')) continue; // Email clients post to these pages.
    for (const [n, odd] of [...oddOrigins, ...ownOrigins].entries()) {
      if ((n + nth) % 3 !== 0) continue;
      const headers = { 'content-type': form, ...odd };
      const { status } = await site.send(page, { method: 'POST', headers, body: 'a=1' });
      const isRight = n < oddOrigins.length ? isRefused(status, n) : isTaken(status);
      if (!isRight) failed.push(`${status} ${page} ${JSON.stringify(odd)}`);
    }
  }
  expect(failed).toEqual([]);
  expect(stacks()).toEqual([]);
});

it('R23: returns no server error for a host with an invalid port', async () => {
  const answer = await site.send('/deals', { headers: { host: 'deals.test:65536' } });
  expect(answer.status).toBe(421);
});

it('R23: reveals neither a failure’s stack trace nor the database’s message', async () => {
  const answer = await ask('/deals/a%00b');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toMatch(/at \w+ \(|node_modules|invalid byte sequence|kysely|postgres/i);
});
