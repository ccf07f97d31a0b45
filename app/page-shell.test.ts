import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { describe, expect, it } from 'vitest';
import { speculationRules } from '#app/ui/speculation-rules.ts';
import { themeScript } from '#app/ui/theme.ts';
import { createLog } from '#app/platform/log.server.ts';
import { connect } from '#database/connect.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { loadBuild, testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);

/** Starts a site whose log lines can be read. */
function loggedSite(overrides: Parameters<typeof testSite>[1] = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, ...testSite(database, { log, ...overrides }) };
}

describe('the shell of a page', () => {
  it('runs only scripts with the page’s nonce, and applies the theme before the first paint', async () => {
    const staff = await signedInVisitor(database, site, 'admin');
    const { html } = await staff.open('/admin');
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(1);
    const inline = scripts.filter((tag) => !/\ssrc=|type="application\/ld\+json"/.test(tag));
    expect(inline.filter((tag) => !tag.includes('nonce="test-nonce"'))).toEqual([]);
    expectThemeFirst(html);
  });

  it.each(['/', '/sign-in'])(
    'includes the two fixed inline scripts and one script file for a visitor at %s',
    async (path) => {
      const { html } = await site.page(path);
      expect(html).not.toContain('test-nonce');
      const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
      const inline = scripts.filter(([tag]) => !/\ssrc=|type="application\/ld\+json"/.test(tag));
      expect(inline.map(([, , text]) => text)).toEqual([themeScript, speculationRules]);
      const files = scripts.filter(([, attributes = '']) => attributes.includes(' src='));
      expect(files).toHaveLength(1);
      expect(html.lastIndexOf('rel="stylesheet"')).toBeLessThan(html.indexOf(files[0]?.[0] ?? ''));
      expect(html).not.toContain('modulepreload');
      expectThemeFirst(html);
    },
  );

  function expectThemeFirst(html: string): void {
    const theme = html.indexOf("localStorage.getItem('theme')");
    expect(theme).toBeGreaterThan(0);
    expect(theme).toBeLessThan(html.indexOf('<link rel="stylesheet"'));
    expect(theme).toBeLessThan(html.indexOf('<body'));
  }

  it('shows the request id on a private page, and none on a shared page', async () => {
    const own = await (await signedInVisitor(database, site, 'admin')).open('/admin');
    expect(own.html).toContain('test-request');
    const shared = await site.request('/deals', { forCache: true });
    expect(await shared.text()).not.toContain('test-request');
  });

  it('includes the list of routes for staff, but not for visitors or on a missing page', async () => {
    const listOf = (html: string) => /manifest-[\w-]+\.js/.exec(html)?.[0] ?? null;
    for (const path of ['/', '/deals', '/no/such/page', '/sign-in', '/admin']) {
      expect([path, listOf((await site.page(path)).html)]).toEqual([path, null]);
    }
    const staff = await signedInVisitor(database, site, 'admin');
    const whole = listOf((await staff.open('/admin')).html);
    const assets = fileURLToPath(new URL('../build/client/assets', import.meta.url));
    expect(await readdir(assets)).toContain(whole);
  });

  it('responds to a HEAD request with the page’s status and type, without rendering', async () => {
    await insertDeal(database.db, { slug: 'lamp' });
    for (const [path, status] of [
      ['/deals/lamp', 200],
      ['/deals/none', 404],
    ] as const) {
      const response = await site.request(path, { method: 'HEAD' });
      expect([path, response.status, await response.text()]).toEqual([path, status, '']);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });
});

describe('R23: a page that fails', () => {
  it('R23: logs the request id of a failed page, and does not show the cause', async () => {
    const gone = connect('postgres://nobody:x@127.0.0.1:1/none');
    const { lines, page } = loggedSite({ db: gone.db });
    const { status, html } = await page('/deals');
    await gone.close();
    expect(status).toBe(500);
    expect(html).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|nobody|node_modules/);
    expect(lines.length).toBeGreaterThan(0);
    // Each failed part of the page is logged in one line.
    for (const line of lines) {
      expect(line).toMatchObject({ msg: 'request failed', requestId: 'test-request' });
      expect(JSON.stringify(line['err'])).toContain('ECONNREFUSED');
    }
  });

  it('R23: does not log a missing page or a method that is not allowed', async () => {
    const { lines, page } = loggedSite();
    const posted = await page('/about', { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    expect(posted.status).toBe(405);
    for (const path of ['/deals/none', '/no/such/page', '/categories/none']) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
    expect(lines).toEqual([]);
  });

  it('R23: does not log a page whose visitor left', async () => {
    const { lines, request } = loggedSite();
    const left = request('/deals', { signal: AbortSignal.abort() });
    await left.catch(() => {}); // The request may fail, since the visitor has left.
    expect(lines).toEqual([]);
  });
});

// Proves Storefront 8: Search, popular-search, favorites failures (read-extra.server.ts)
describe('the data that every page shows about the signed-in user', () => {
  const tables = ['user_favorites', 'watched_searches', 'price_alerts', 'follows'];

  it.each(tables)(
    'omits a user’s data from the page and logs it if %s cannot be read',
    async (table) => {
      const { lines, request } = loggedSite();
      const visitor = await signedInVisitor(database, { ...site, request }, 'user');
      await insertDeal(database.db, { title: 'A lamp' });
      const away = sql`alter table ${sql.table(table)} rename to away`;
      const back = sql`alter table away rename to ${sql.table(table)}`;
      await away.execute(database.db);
      try {
        const pages = [await visitor.open('/deals'), await visitor.open('/profile')];
        expect(pages.map(({ status }) => status)).toEqual([200, 200]);
        expect(pages[0]?.html).toContain('A lamp');
      } finally {
        await back.execute(database.db);
      }
      expect(lines.map(({ msg }) => msg)).toEqual(Array(2).fill(expect.stringContaining('not be')));
    },
  );

  it('omits a user’s data from the page after a second if its table is locked', async () => {
    const { lines, request } = loggedSite();
    const visitor = await signedInVisitor(database, { ...site, request }, 'user');
    await database.db.transaction().execute(async (tx) => {
      await sql`lock table user_favorites in access exclusive mode`.execute(tx);
      const { status } = await visitor.open('/deals');
      expect(status).toBe(200);
    });
    expect(String(lines[0]?.['msg'])).toContain('took longer than 1000 ms to read');
  });

  // Proves Storefront 2: Price Alerts: “Sign In Required”, empty, error, card and its fallbacks (price-alerts-page.tsx)
  it('shows an error page when the price alerts cannot be loaded', async () => {
    const visitor = await signedInVisitor(database, site, 'user');
    await sql`alter table price_alerts rename to away`.execute(database.db);
    try {
      const { status, html } = await visitor.open('/price-alerts');
      expect(status).toBe(500);
      expect(html).toContain('Error Loading Price Alerts');
      expect(html).toMatch(/Error: (?:<!-- -->)?(?:Unknown error|500)/);
    } finally {
      await sql`alter table away rename to price_alerts`.execute(database.db);
    }
  });
});

describe('the data that every page has about the site', () => {
  it('reloads site data after a form and on the same URL, but not on navigation', async () => {
    const { module } = (await loadBuild()).routes['root'] ?? {};
    const asks = (module as unknown as { shouldRevalidate(args: object): boolean })
      .shouldRevalidate;
    const from = (to: string, more: Partial<ShouldRevalidateFunctionArgs> = {}) =>
      asks({
        currentUrl: new URL('http://deals.test/deals?page=2'),
        nextUrl: new URL(to, 'http://deals.test'),
        ...more,
      });
    expect(from('/about')).toBe(false);
    expect(from('/deals?page=3')).toBe(false);
    expect(from('/deals?page=2')).toBe(true);
    expect(from('/sign-in?returnTo=%2Fprofile')).toBe(true);
    expect(from('/about', { formMethod: 'POST' })).toBe(true);
    expect(from('/about', { formMethod: 'DELETE' })).toBe(true);
    expect(from('/deals?search=tv', { formMethod: 'GET' })).toBe(false);
  });
});

describe('GET /api/captcha/challenge', () => {
  it('returns an uncached captcha puzzle to each client, and rate-limits frequent requests', async () => {
    const ask = (address: string) => site.request('/api/captcha/challenge', { address });
    const [one, two] = [await ask('192.0.2.50'), await ask('192.0.2.50')];
    expect(one.headers.get('cache-control')).toBe('no-store');
    const [first, second] = [await one.text(), await two.text()];
    expect(JSON.parse(first)).toMatchObject({ provider: 'ALTCHA' });
    expect(first).not.toBe(second);
    let status = 200;
    for (let n = 2; n < 60; n++) ({ status } = await ask('192.0.2.50'));
    expect(status).toBe(200);
    const refused = await ask('192.0.2.50');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('192.0.2.51')).status).toBe(200);
  });
});
