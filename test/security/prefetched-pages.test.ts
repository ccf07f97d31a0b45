import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { loadBuiltSite } from '#server/site-sources.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { testProviderKeys, startProvider } from '#test/provider-stand-in.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { testServices } from '#test/services.ts';
import { signIn } from '#test/staff.ts';
import { tableContents } from '#test/table-contents.ts';

// Browsers prefetch pages that their users may never open. These tests request every route as a
// prefetch, with everything that could cause a side effect.

const database = useTestDatabase();
const origin = 'https://deals.test';
// Without limits, all rejections come from the route.
const env = { ORIGIN: origin, RATE_LIMITS: 'page=0,search=0,search-burst=0' };

type Caller = 'nobody' | 'user' | 'super_admin';

/** The routes that may be prefetched. All others must reject prefetches. */
const fetchedAhead: Record<string, string> = {
  '/': '/',
  '/*': '/shipping',
  '/deals': '/deals?min=1&sort=price',
  '/deals/:slug': '/deals/drill',
  '/products/:slug': '/products/drill',
  '/categories': '/categories',
  '/categories/:slug': '/categories/tools',
  '/merchants': '/merchants',
  '/merchants/:slug': '/merchants/shop',
  '/merchants/:slug/discount-check': '/merchants/shop/discount-check',
  '/blog': '/blog',
  '/blog/:slug': '/blog/guide',
  '/blog/tags/:tag': '/blog/tags/Tools',
  '/evidence': '/evidence',
  '/how-we-rank': '/how-we-rank',
  '/coupons': '/coupons',
  '/feeds': '/feeds',
  '/about': '/about',
  '/help': '/help',
  '/faq': '/faq',
  '/developers': '/developers',
  '/contact': '/contact',
  '/privacy': '/privacy',
  '/terms': '/terms',
  '/cookies': '/cookies',
  '/disclaimer': '/disclaimer',
  '/newsletter': '/newsletter',
  '/favorites': '/favorites',
  '/for-you': '/for-you',
  '/price-alerts': '/price-alerts',
  '/profile': '/profile',
  '/sign-in': '/sign-in?returnTo=%2Fdeals',
  '/sign-up': '/sign-up',
};
const otherExamples: Record<string, string> = {
  '/sign-in/with/:provider': '/sign-in/with/oidc',
  '/sign-in/with/:provider/callback': '/sign-in/with/oidc/callback?code=x&state=y',
  '/feeds/:name': '/feeds/deals.xml',
  '/sitemaps/:name': '/sitemaps/deals-1.xml',
};
const patterns = [...new Set(routePatterns().map(({ pattern }) => pattern))];
const exampleOf = (pattern: string) =>
  fetchedAhead[pattern] ??
  otherExamples[pattern] ??
  pattern.replace(/:slug/, 'drill').replace(/:\w+/, '1').replace('*', 'no/such');

let site: HttpSite;
let flushClicks: () => Promise<void>;
let provider: Awaited<ReturnType<typeof startProvider>>;
let cookies: Record<Caller, string>;

beforeEach(async () => {
  const { db } = database;
  const category = await insertCategory(db, { slug: 'tools' });
  const merchant = await insertMerchant(db, { slug: 'shop' });
  const { id: product_id, gtin } = await insertProduct(db, { slug: 'drill' });
  const place = { category_id: category.id, merchant_id: merchant.id };
  await insertDeal(db, { slug: 'drill', ...place, gtin, product_id });
  await insertBlogPost(db, { slug: 'guide', is_published: true, tags: ['Tools'] });
  await db.insertInto('site_pages').values({ slug: 'shipping', title: 'Shipping' }).execute();
  const flash = { id: 'x', text: 'Deal saved.', kind: 'info', at: '/admin/deals' };
  const said = Buffer.from(JSON.stringify(flash)).toString('base64url');
  const cookieOf = async (role: 'user' | 'super_admin') => {
    const { cookie } = await signIn(database, { role }, origin);
    return `${cookie}; own=abcdefgh; __Host-flash=${said}; __Host-provider-state=x`;
  };
  cookies = {
    nobody: '',
    user: await cookieOf('user'),
    super_admin: await cookieOf('super_admin'),
  };
  // Makes the sessions due for an update of the time of their last use.
  await db
    .updateTable('sessions')
    .set({ updated_at: new Date(Date.now() - 3_600_000) })
    .execute();
  provider = await startProvider();
  const services = testServices(database, {
    ...env,
    OIDC_ISSUER: provider.origin,
    OIDC_CLIENT_ID: testProviderKeys.clientId,
    OIDC_CLIENT_SECRET: testProviderKeys.clientSecret,
    OIDC_NAME: 'Shop Login',
  });
  const { app, files, close: flush } = await loadBuiltSite(services);
  site = await startHttpSite(app, { db, files, env });
  flushClicks = async () => flush?.();
  // The very first requests create the site's secret and push keys.
  for (const first of ['/api/captcha/challenge', '/api/push-renewal']) await site.send(first);
});
afterEach(async () => {
  await site.close();
  await provider.close();
});

interface Seen {
  pattern: string;
  status: number;
  cookies: readonly string[];
}

/** Requests every route as each caller. `more` are the headers of a prefetch, or none. */
async function crawl(callers: readonly Caller[], more: Record<string, string>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const caller of callers) {
    const browser = { 'user-agent': 'Mozilla/5.0 Firefox/140.0', accept: 'text/html' };
    const headers = {
      ...browser,
      ...more,
      ...(caller !== 'nobody' && { cookie: cookies[caller] }),
    };
    for (const pattern of patterns) {
      const answer = await site.send(exampleOf(pattern), { headers });
      const set = answer.headers['set-cookie'] ?? [];
      seen.push({ pattern, status: answer.status, cookies: set });
    }
  }
  await flushClicks();
  return seen;
}

// Proves R15: no change by GET (server/refuse-prefetch.ts)
test('R15: does not change a row or set a cookie on any visitor’s prefetches', async () => {
  const before = await tableContents(database);
  const seen = await crawl(['nobody', 'user', 'super_admin'], { 'sec-purpose': 'prefetch' });
  expect(seen.filter((one) => one.cookies.length > 0)).toEqual([]);
  const answered = seen.filter(({ status }) => status !== 503).map(({ pattern }) => pattern);
  expect([...new Set(answered)].toSorted()).toEqual(Object.keys(fetchedAhead).toSorted());
  const failed = seen.filter(({ status }) => ![200, 302, 401, 503].includes(status));
  expect(failed).toEqual([]);
  expect(await tableContents(database)).toEqual(before);
});

test('detects the side effects of real visits with the same requests', async () => {
  const before = await tableContents(database);
  const seen = await crawl(['user', 'super_admin'], {});
  const after = await tableContents(database);
  const changed = after.filter((line) => !before.includes(line)).map((line) => line.split(' ')[0]);
  expect(changed).toEqual(expect.arrayContaining(['clicks', 'sessions']));
  const given = seen.flatMap((one) =>
    one.cookies.map((line) => `${one.pattern} ${line.split('=')[0]}`),
  );
  expect(given).toContain('/admin/deals __Host-flash');
});

test('counts only the visits, not the prefetches, towards the visitor’s limit', async () => {
  const limited = { ...env, RATE_LIMITS: 'page=60/600' };
  const { app, files, close } = await loadBuiltSite(testServices(database, limited));
  const limitedSite = await startHttpSite(app, { db: database.db, files, env: limited });
  onTestFinished(async () => {
    await limitedSite.close();
    await close?.();
  });
  const reader = { 'user-agent': 'Mozilla/5.0 Firefox/140.0', accept: 'text/html' };
  const open = async (path: string, ahead = {}) =>
    (await limitedSite.send(path, { headers: { ...reader, ...ahead } })).status;
  const opened: number[] = [];
  const fetched: number[] = [];
  for (let number = 1; number <= 20; number += 1) {
    opened.push(await open(`/deals?max=${number}`));
    for (const part of [1, 2, 3]) {
      const path = `/deals?max=${number}${part}&sort=price`;
      fetched.push(await open(path, { 'sec-purpose': 'prefetch' }));
    }
  }
  expect(opened).toEqual(Array.from({ length: 20 }, () => 200));
  expect(fetched).toEqual(Array.from({ length: 60 }, () => 200));
  // A client that prefetches more than a person could read must wait, but can still open pages.
  expect(await open('/categories', { 'sec-purpose': 'prefetch' })).toBe(503);
  // Page views are counted in batches of twenty, so the limit applies after the eightieth page.
  const rest: number[] = [];
  for (let number = 21; number <= 80; number += 1) rest.push(await open(`/deals?max=${number}`));
  expect(rest.indexOf(429)).toBe(59);
});
