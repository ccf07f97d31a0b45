import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadCached } from '#app/platform/app-context.server.ts';
import { createPageHandler } from '#server/page-handler.ts';
import { CachedValues } from '#server/cached-values.ts';
import { createSiteApp } from '#server/site-app.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const bundle = pathToFileURL(fileURLToPath(new URL('../build/server/index.js', import.meta.url)));
const time = new Date();
const lists = ['/deals', '/categories/home', '/merchants/shop?sort=price_low', '/'];
/** Cookies by visitor. `nobody` is signed out. */
const cookies = { ada: '', ben: '', nobody: '' };
type Visitor = keyof typeof cookies;
const visitors: Visitor[] = ['ada', 'ben', 'nobody'];
let loads = 0;

/** Opens pages on another site instance, whose fragment cache is empty. */
async function freshSite(readCached?: ReadCached) {
  loads += 1;
  const build = (await import(
    /* @vite-ignore */ `${bundle.href}?own-lists=${loads}`
  )) as ServerBuild;
  const services = { ...testServices(database), now: () => time, readCached };
  const app = createSiteApp(build, createPageHandler, services);
  const facts = { id: 'id', nonce: 'nonce', isForCache: false, address: '', gateNote: null };
  return async (path: string, cookie: string) => {
    const asked = new Request(services.env.origin + path, { headers: { cookie } });
    const { response } = await app(asked, facts);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
}

function cachedValues(): ReadCached {
  const values = new CachedValues();
  values.trust(true);
  return values.read;
}

beforeEach(async () => {
  const { db } = database;
  const place = {
    category_id: (await insertCategory(db, { slug: 'home' })).id,
    merchant_id: (await insertMerchant(db, { slug: 'shop' })).id,
  };
  const deals = await Promise.all(
    [1, 2, 3, 4].map((n) => insertDeal(db, { ...place, title: `Lamp ${n}`, is_featured: n > 2 })),
  );
  for (const [name, at] of [
    ['ada', [0, 1]],
    ['ben', [1, 2]],
  ] as const) {
    const { user, cookie } = await signIn(database, { email: `${name}@deals.test` });
    cookies[name] = `${cookie}; own=aaaaaaaa`;
    const [heart = 0, bell = 0] = at.map((n) => deals[n]?.id ?? 0);
    await db.insertInto('user_favorites').values({ user_id: user.id, deal_id: heart }).execute();
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: bell, kind: 'any_drop' })
      .execute();
    await db
      .insertInto('watched_searches')
      .values({ user_id: user.id, address: '/deals', name: `${name}’s lamps`, cadence: 'daily' })
      .execute();
  }
});

const orders: Visitor[][] = [
  ['ada', 'ben', 'nobody'],
  ['ada', 'nobody', 'ben'],
  ['ben', 'ada', 'nobody'],
  ['ben', 'nobody', 'ada'],
  ['nobody', 'ada', 'ben'],
  ['nobody', 'ben', 'ada'],
];

describe('a list with shared fragments', () => {
  it('sends the same bytes with and without shared caches, regardless of the order of visitors', async () => {
    const expected = new Map<string, string>();
    for (const visitor of visitors) {
      const open = await freshSite();
      for (const path of lists) {
        expected.set(`${visitor} ${path}`, await open(path, cookies[visitor]));
      }
    }
    const [ada = '', ben = '', nobody = ''] = visitors.map((one) => expected.get(`${one} /deals`));
    const pressed = (html: string) => [...html.matchAll(/aria-pressed="true"/g)].length;
    expect([ada, ben, nobody].map(pressed)).toEqual([1, 1, 0]);
    expect(ada).toContain('ada@deals.test');
    expect(ben).not.toContain('ada@');
    expect(nobody).not.toMatch(/ada@|ben@|data-favorite|data-bell/);
    for (const order of orders) {
      const open = await freshSite(cachedValues());
      // By the second request, all fragments and values are cached.
      for (const visitor of [...order, ...order]) {
        for (const path of lists) {
          const html = await open(path, cookies[visitor]);
          const isSame = html === expected.get(`${visitor} ${path}`);
          expect([order, visitor, path, isSame]).toEqual([order, visitor, path, true]);
        }
      }
    }
  }, 180_000);

  it('shows everyone a changed price and an expired deal, although their fragment was cached before', async () => {
    const open = await freshSite(cachedValues());
    const pages = () => Promise.all(visitors.map((one) => open('/deals', cookies[one])));
    await pages();
    const { db } = database;
    await db
      .updateTable('deals')
      .set({ sale_price: 4_321 })
      .where('title', '=', 'Lamp 1')
      .execute();
    for (const html of await pages()) expect(html.includes('$43.21')).toBe(true);
    const expires_at = new Date(Date.now() - 1_000);
    await db.updateTable('deals').set({ expires_at }).where('title', '=', 'Lamp 1').execute();
    for (const html of await pages()) expect(html.includes('EXPIRED')).toBe(true);
  });
});

it('uses cached values for everyone but staff', async () => {
  const used: string[] = [];
  const readCached: ReadCached = (name, _, read) => {
    used.push(name);
    return read();
  };
  const open = await freshSite(readCached);
  const counts: number[] = [];
  const staff = (await signIn(database, { role: 'admin', email: 'staff@deals.test' })).cookie;
  for (const cookie of [cookies.nobody, cookies.ada, staff]) {
    used.length = 0;
    await open('/deals', cookie);
    counts.push(used.length);
  }
  expect(counts[0]).toBeGreaterThan(3);
  expect(counts).toEqual([counts[0], counts[0], 0]);
});
