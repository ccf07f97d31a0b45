import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { createLog } from '#app/platform/log.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { testServices } from '#test/services.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import type { Db } from '#database/connect.ts';
import { PageCache } from '#server/page-cache.ts';
import { listenForPageChanges, type PageInvalidation } from '#server/page-invalidation.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { textOf } from '#test/render-component.tsx';

// A page of every kind that the shared cache may contain.
const catalogPages = [
  '/',
  '/deals',
  '/deals?page=2',
  '/deals?type=coupon',
  '/deals?max=30&min=5',
  '/deals/drill',
  '/deals/saw',
  '/categories',
  '/categories/tools',
  '/merchants',
  '/merchants/shop',
  '/blog',
  '/blog/guide',
  '/evidence',
  '/how-we-rank',
];
const fixedPages = [
  '/about',
  '/contact',
  '/help',
  '/faq',
  '/privacy',
  '/terms',
  '/cookies',
  '/disclaimer',
  '/feeds',
  '/shipping',
];

const announcement = { kind: 'announcement', place: 'bar', title: 'We moved' } as const;

let database: TestDatabase;
let sites: { site: HttpSite; news: PageInvalidation; heard: string[] }[] = [];

/** Starts two site processes with one database. */
beforeAll(async () => {
  database = await createTestDatabase();
  await fillShop();
  const env = { RATE_LIMITS: 'page=0,search=0,search-burst=0' };
  const services = testServices(database, env);
  const { app, files } = await loadBuiltSite(services);
  sites = await Promise.all(
    [1, 2].map(async () => {
      const cache = new PageCache<StoredAnswer>({ maxBytes: 50_000_000 });
      const heard: string[] = [];
      const listener = {
        invalidate: (tags: readonly string[]) => void heard.push(...tags),
        trust: () => {},
      };
      const log = createLog('silent');
      const news = listenForPageChanges(database.url, [cache, listener], log);
      const site = await startHttpSite(app, { db: database.db, files, cache, env });
      return { site, news, heard };
    }),
  );
  await settled();
});
afterAll(async () => {
  for (const { site, news } of sites) {
    await news.stop();
    await site.close();
  }
  await database?.close();
});

/** Creates two categories, each with more deals than a page shows. */
async function fillShop(): Promise<void> {
  const { db } = database;
  const [tools, garden] = [
    await insertCategory(db, { name: 'Tools', slug: 'tools' }),
    await insertCategory(db, { name: 'Garden', slug: 'garden' }),
  ];
  const shop = await insertMerchant(db, { name: 'Shop', slug: 'shop' });
  const places = { category_id: tools.id, merchant_id: shop.id };
  for (let n = 0; n < 26; n++) await insertDeal(db, places);
  await insertDeal(db, { ...places, title: 'Drill', slug: 'drill', is_featured: true });
  await insertDeal(db, { ...places, category_id: garden.id, title: 'Saw', slug: 'saw' });
  await insertBlogPost(db, { title: 'Guide', slug: 'guide' });
  await db.insertInto('site_pages').values({ title: 'Shipping', slug: 'shipping' }).execute();
}

/** Resolves once every process has received all changes so far. */
async function settled(): Promise<void> {
  const mark = `mark-${crypto.randomUUID()}`;
  const hear = async () => {
    await sql`select pg_notify('pages', ${mark})`.execute(database.db);
    if (!sites.every(({ heard }) => heard.includes(mark))) throw new Error('not heard yet');
  };
  await vi.waitFor(hear, { timeout: 30_000 });
}

/** Reads a page, from the shared cache or rendered for one visitor. */
async function readPage(site: HttpSite, path: string, isOwn: boolean): Promise<string> {
  const headers: Record<string, string> = isOwn ? { authorization: 'Basic eA==' } : {};
  const { status, text, headers: answered } = await site.send(path, { headers });
  expect([path, answered['cache-control']]).toEqual([
    path,
    status !== 200 || isOwn ? 'private, no-store' : 'public, max-age=0, must-revalidate',
  ]);
  return `${status} ${textOf(text.replace(/<script\b.*?<\/script>/gs, ''))}`;
}

it('caches pages that equal a fresh render', async () => {
  for (const path of [...catalogPages, ...fixedPages]) {
    for (const { site } of sites) {
      const cached = await readPage(site, path, false);
      const noRender = () => Promise.reject(new Error('not cached'));
      expect([path, site.cache.peek(path, noRender) !== null]).toEqual([path, true]);
      expect(cached).toBe(await readPage(site, path, true));
    }
  }
});

it('redirects an old URL with its query, and counts a missing path', async () => {
  const { db } = database;
  const [{ site } = { site: null }] = sites;
  const rule = { from_path: '/old-lamp', target: '/deals', status: 301 };
  await db.insertInto('address_redirects').values(rule).execute();
  await db.updateTable('site_pages').set({ slug: 'sending' }).execute();
  await db.updateTable('site_pages').set({ slug: 'shipping' }).execute();
  await settled();
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  const leadsTo = async (path: string) => {
    const answer = await site?.send(path, { headers });
    return [path, answer?.status, answer?.headers.location];
  };
  for (const _ of [1, 2]) {
    expect(await leadsTo('/old-lamp?utm=1')).toEqual(['/old-lamp?utm=1', 301, '/deals?utm=1']);
    expect(await leadsTo('/sending?a=1')).toEqual(['/sending?a=1', 301, '/shipping?a=1']);
    expect(await leadsTo('/lost-page')).toEqual(['/lost-page', 404, undefined]);
  }
  const missed = await db.selectFrom('missed_paths').select(['path', 'visitors']).execute();
  expect(missed).toEqual([{ path: '/lost-page', visitors: 1 }]);
});

type Change = [name: string, change: (db: Db) => Promise<unknown>];

/**
 * Makes changes one after another. After each, every page in every process must equal a fresh
 * render.
 */
async function expectFreshAfter(changes: readonly Change[], pages: readonly string[]) {
  const shown = new Map<string, string>();
  for (const path of pages) {
    for (const { site } of sites) shown.set(path, await readPage(site, path, false));
  }
  for (const [name, change] of changes) {
    await change(database.db);
    await settled();
    let changed = 0;
    // Similar deals on a deal's page are cached for a minute, so a new one may be missing.
    const isOfOneDeal = (path: string) => name === 'a deal is added' && /^\/deals\/\w/.test(path);
    for (const path of pages.filter((one) => !isOfOneDeal(one))) {
      const cached = await Promise.all(sites.map(({ site }) => readPage(site, path, false)));
      const [first] = sites;
      const now = first && (await readPage(first.site, path, true));
      expect([name, path, ...cached]).toEqual([name, path, now, now]);
      if (now !== shown.get(path)) changed += 1;
      shown.set(path, now ?? '');
    }
    expect([name, changed > 0]).toEqual([name, true]);
  }
}

const where = (slug: string) => (db: Db, values: object) =>
  db.updateTable('deals').set(values).where('slug', '=', slug).execute();

it('shows no outdated page in any process after a deal is changed, added or removed', async () => {
  await expectFreshAfter(
    [
      ['its price falls', (db) => where('drill')(db, { sale_price: 999 })],
      ['it gets another title', (db) => where('saw')(db, { title: 'Bow saw' })],
      ['it gets a coupon', (db) => where('saw')(db, { coupon_code: 'SAVE10' })],
      ['it is sold out', (db) => where('saw')(db, { availability: 'out_of_stock' })],
      ['it is no longer featured', (db) => where('drill')(db, { is_featured: false })],
      [
        'it runs out',
        (db) => where('drill')(db, { expires_at: new Date('2020-01-01'), is_expired: true }),
      ],
      ['it is taken off', (db) => where('drill')(db, { is_active: false })],
      ['it gets another address', (db) => where('saw')(db, { slug: 'bow-saw' })],
      ['it is deleted', (db) => db.deleteFrom('deals').where('slug', '=', 'bow-saw').execute()],
      [
        'a deal is added',
        async (db) => {
          const places = await db
            .selectFrom('deals')
            .select(['category_id', 'merchant_id'])
            .where('slug', '=', 'drill')
            .executeTakeFirstOrThrow();
          await insertDeal(db, { ...places, title: 'Rake', is_featured: true });
        },
      ],
    ],
    catalogPages,
  );
});

it('shows no expired deal as live on any page', async () => {
  const [{ site } = { site: null }] = sites;
  if (!site) throw new Error('There is no site.');
  const expires_at = new Date(Date.now() + 4_000);
  const { id } = await insertDeal(database.db, { title: 'Axe', slug: 'axe', expires_at });
  await settled();
  expect(await readPage(site, '/deals/axe', false)).toContain('Ends within the hour');
  expect(await readPage(site, '/deals', false)).toContain('Ends within the hour');
  const isOver = async () => (await site.send(`/out/${id}`)).headers.location === '/deals/axe';
  await vi.waitFor(async () => expect(await isOver()).toBe(true), 20_000);
  expect(await readPage(site, '/deals/axe', false)).toContain('Deal Expired');
  expect(await readPage(site, '/deals', false)).not.toContain('Ends within the hour');
});

it('shows no outdated page in any process after a category, store or post is changed, added or removed', async () => {
  await expectFreshAfter(
    [
      [
        'a category is renamed',
        (db) =>
          db.updateTable('categories').set({ name: 'Yard' }).where('slug', '=', 'tools').execute(),
      ],
      ['a category is added', (db) => insertCategory(db, { name: 'Kitchen', slug: 'kitchen' })],
      [
        'a store is renamed',
        (db) => db.updateTable('merchants').set({ name: 'Lamp House' }).execute(),
      ],
      [
        'a store wants its prices hidden',
        async (db) => {
          const price_checked_at = new Date('2026-01-01');
          await db.updateTable('deals').set({ price_checked_at }).execute();
          await db.updateTable('merchants').set({ hide_price_after_hours: 1 }).execute();
        },
      ],
      [
        'a post is renamed',
        (db) => db.updateTable('blog_posts').set({ title: 'Manual' }).execute(),
      ],
      [
        'a post is withdrawn',
        (db) => db.updateTable('blog_posts').set({ is_published: false }).execute(),
      ],
    ],
    catalogPages,
  );
});

it('shows no outdated page in any process after a setting is changed', async () => {
  await expectFreshAfter(
    [
      ['another name', (db) => writeSiteSetting(db, 'siteName', 'Lamp World', 'cli')],
      ['another address', (db) => writeSiteSetting(db, 'contactEmail', 'ask@lamp.example', 'cli')],
      ['prices claim less', (db) => writeSiteSetting(db, 'priceClaims', 'observed', 'cli')],
    ],
    [...catalogPages, ...fixedPages],
  );
});

it('shows no outdated page in any process after an ad or announcement is changed, added or removed', async () => {
  const change = (db: Db, values: object) => db.updateTable('slots').set(values).execute();
  await expectFreshAfter(
    [
      ['a slot is added', (db) => db.insertInto('slots').values(announcement).execute()],
      ['its text changes', (db) => change(db, { title: 'We moved again' })],
      ['it moves to another place', (db) => change(db, { place: 'list' })],
      ['it is off', (db) => change(db, { is_on: false })],
      ['it is on', (db) => change(db, { is_on: true })],
      ['it is deleted', (db) => db.deleteFrom('slots').execute()],
    ],
    [...catalogPages, ...fixedPages],
  );
});

it('shows an ad or announcement on cached pages from its start to its end', async () => {
  const [{ site } = { site: null }] = sites;
  if (!site) throw new Error('There is no site.');
  const { db } = database;
  const shows = async () => (await readPage(site, '/about', false)).includes('We moved');
  const starts_at = new Date(Date.now() + 4_000);
  await db
    .insertInto('slots')
    .values({ ...announcement, starts_at })
    .execute();
  await settled();
  expect(await shows()).toBe(false);
  await vi.waitFor(async () => expect(await shows()).toBe(true), 30_000);
  expect(Date.now()).toBeGreaterThanOrEqual(starts_at.getTime());
  const ends_at = new Date(Date.now() + 4_000);
  await db.updateTable('slots').set({ ends_at }).execute();
  await settled();
  expect(await shows()).toBe(true);
  await vi.waitFor(async () => expect(await shows()).toBe(false), 30_000);
  expect(Date.now()).toBeGreaterThanOrEqual(ends_at.getTime());
  await db.deleteFrom('slots').execute();
});

it("shows no outdated page in any process after one of the owner's pages is changed, added or removed", async () => {
  const change = (db: Db, slug: string, values: object) =>
    db.updateTable('site_pages').set(values).where('slug', '=', slug).execute();
  const remove = (db: Db, slug: string) =>
    db.deleteFrom('site_pages').where('slug', '=', slug).execute();
  await expectFreshAfter(
    [
      ['its text changes', (db) => change(db, 'shipping', { content: 'Everywhere' })],
      ['it is a draft', (db) => change(db, 'shipping', { is_visible: false })],
      ['it is visible', (db) => change(db, 'shipping', { is_visible: true })],
      ['it gets another address', (db) => change(db, 'shipping', { slug: 'delivery' })],
      [
        'a text of the site is replaced',
        (db) => {
          const text = { slug: 'faq', title: 'Questions', content: '## A\n\n### B\n\nC' };
          return db.insertInto('site_pages').values(text).execute();
        },
      ],
      ['the original is restored', (db) => remove(db, 'faq')],
      ['it is deleted', (db) => remove(db, 'delivery')],
    ],
    ['/shipping', '/delivery', '/faq', '/help', '/terms'],
  );
});
