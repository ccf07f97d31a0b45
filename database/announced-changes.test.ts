import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
  insertUser,
} from '#test/factories/insert.ts';
import type { Db } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
let line: pg.Client;
let heard: string[] = [];

beforeAll(async () => {
  line = new pg.Client({ connectionString: database.url });
  line.on('notification', ({ payload = '' }) => void heard.push(payload));
  await line.connect();
  await line.query('listen pages');
});
afterAll(() => line.end());
beforeEach(() => news());

/** Returns the announcements since the last call, one entry per statement. */
async function news(): Promise<string[]> {
  await sql`select pg_notify('pages', 'until here')`.execute(database.db);
  await expect.poll(() => heard.at(-1)).toBe('until here');
  const before = heard.slice(0, -1);
  heard = [];
  return before;
}

async function newsOf(change: (db: Db) => Promise<unknown>): Promise<string[]> {
  await news();
  await change(database.db);
  return news();
}

async function aShop() {
  const { db } = database;
  const category = await insertCategory(db);
  const merchant = await insertMerchant(db);
  const places = { category_id: category.id, merchant_id: merchant.id };
  return { places, category, merchant };
}

/**
 * Returns the announcement of changed lists for the whole site and these scopes. `deals` means
 * lists with different deals, and `prices` means lists sorted or filtered by price.
 */
const lists = (kind: 'deals' | 'prices', shops: { category_id: number; merchant_id: number }[]) => {
  const categories = shops.map((shop) => `${kind}:category:${shop.category_id}`);
  const merchants = shops.map((shop) => `${kind}:merchant:${shop.merchant_id}`);
  return ['old', kind, ...categories, ...merchants].join(' ');
};

const changeDeal = (id: number, values: object) => (db: Db) =>
  db.updateTable('deals').set(values).where('id', '=', id).execute();

describe('a deal', () => {
  it('announces a deal’s id and changed lists if the deal is added or deleted', async () => {
    const { places } = await aShop();
    let id = 0;
    const added = await newsOf(async (db) => {
      ({ id } = await insertDeal(db, places));
    });
    expect(added).toEqual([`old deal:${id}`, lists('deals', [places])]);
    const removed = await newsOf((db) => db.deleteFrom('deals').where('id', '=', id).execute());
    expect(removed).toEqual([`deal:${id}`, lists('deals', [places])]);
  });

  // Every field of a deal that visitor pages may show. The third value states which lists change:
  // all of them, or those sorted or filtered by price.
  it.each<[string, object, ('deals' | 'prices')?]>([
    ['title', { title: 'Another' }],
    ['description', { description: 'Another' }],
    ['slug', { slug: 'another' }],
    ['image_url', { image_url: 'https://shop.example/a.webp' }],
    ['sale_price', { sale_price: 1500 }, 'prices'],
    ['original_price', { original_price: 5000 }, 'prices'],
    ['coupon_code', { coupon_code: 'SAVE' }, 'deals'],
    ['expires_at', { expires_at: new Date('2199-01-01') }, 'deals'],
    ['is_expired', { expires_at: new Date('2020-01-01'), is_expired: true }, 'deals'],
    ['created_at', { created_at: new Date('2020-01-01') }, 'deals'],
    ['deal_url', { deal_url: 'https://shop.example/other' }],
    ['is_active', { is_active: true }, 'deals'],
    ['is_featured', { is_featured: true }, 'deals'],
    ['status and condition', { status: 'used', condition: 'good' }, 'deals'],
    ['seller_type', { seller_type: 'amazon' }, 'deals'],
    ['availability', { availability: 'out_of_stock' }, 'prices'],
    ['brand', { brand: 'Another' }, 'deals'],
    ['gtin', { gtin: '4006381333931' }],
    ['shipping_cost', { shipping_cost: 495 }],
    ['low_30_before', { low_30_before: 5000 }, 'prices'],
    ['price_checked_at', { price_checked_at: new Date('2030-01-01') }, 'prices'],
  ])(
    'announces that a deal’s %s changed, and that pages may be shown as stale',
    async (what, values, kind) => {
      const { places } = await aShop();
      const { id } = await insertDeal(database.db, { ...places, is_active: what !== 'is_active' });
      const ofLists = kind ? [lists(kind, [places])] : [];
      expect(await newsOf(changeDeal(id, values))).toEqual([`old deal:${id}`, ...ofLists]);
    },
  );

  it('announces the product of a changed, removed or deleted offer, but no other offer', async () => {
    const { places } = await aShop();
    const { id: product_id, gtin } = await insertProduct(database.db);
    const { id } = await insertDeal(database.db, { ...places, gtin, product_id });
    const other = await insertDeal(database.db, { ...places, gtin, product_id });
    const tags = `deal:${id} product:${product_id}`;
    const ofPrice = await newsOf(changeDeal(id, { sale_price: 1500 }));
    expect(ofPrice).toEqual([`old ${tags}`, lists('prices', [places])]);
    const ofLeaving = await newsOf(changeDeal(id, { product_id: null }));
    const ofLists = lists('deals', [places]);
    expect(ofLeaving).toEqual([`old deal:${id}`, `product:${product_id}`, ofLists]);
    expect(await newsOf(changeDeal(id, { product_id }))).toEqual([`old ${tags}`, ofLists]);
    const removed = await newsOf((db) =>
      db.deleteFrom('deals').where('id', '=', other.id).execute(),
    );
    expect(removed).toEqual([`deal:${other.id}`, `product:${product_id}`, ofLists]);
  });

  it('announces the main product and the former one of a changed variant', async () => {
    const { db } = database;
    const add = (slug: string) => insertProduct(db, { slug, gtin: slug });
    const [main, other, variant] = [await add('main'), await add('other'), await add('variant')];
    const change = (values: object) => (tx: Db) =>
      tx.updateTable('products').set(values).where('id', '=', variant.id).execute();
    const tagsOf = async (values: object) => {
      const [tags = ''] = await newsOf(change(values));
      return new Set(tags.split(' '));
    };
    const of = (...some: { id: number }[]) => new Set(some.map(({ id }) => `product:${id}`));
    expect(await tagsOf({ variant_of: main.id })).toEqual(of(variant, main));
    expect(await tagsOf({ variant_label: 'Blue' })).toEqual(of(variant, main));
    expect(await tagsOf({ variant_of: other.id })).toEqual(of(variant, main, other));
    expect(await newsOf(change({ created_at: new Date() }))).toEqual([]);
  });

  it('announces reports that pages show, but not those of another product', async () => {
    const { places } = await aShop();
    const { id } = await insertDeal(database.db, places);
    const report = (about: 'over' | 'product') =>
      newsOf((db) =>
        db.insertInto('deal_reports').values({ deal_id: id, about, visitor: 'x' }).execute(),
      );
    expect(await report('over')).toEqual([`old deal:${id}`]);
    expect(await report('product')).toEqual([]);
  });

  it('does not announce lists when an inactive deal changes', async () => {
    const { places } = await aShop();
    const { id } = await insertDeal(database.db, { ...places, is_active: false });
    const change = changeDeal(id, { sale_price: 1500, is_featured: true });
    expect(await newsOf(change)).toEqual([`old deal:${id}`]);
  });

  // Proves R62: silent and read-only databases, and pages that a change made old
  it('R62: announces that a deal was hidden, and that pages with it must not be shown as stale', async () => {
    const { places } = await aShop();
    const [off, other] = [
      await insertDeal(database.db, places),
      await insertDeal(database.db, places),
    ];
    const hidden = await newsOf(changeDeal(off.id, { is_active: false, title: 'Off' }));
    expect(hidden).toEqual([`deal:${off.id}`, lists('deals', [places])]);
    // One hidden deal is enough to omit `old` from an announcement of several deals.
    await changeDeal(off.id, { is_active: true })(database.db);
    const together = await newsOf((db) =>
      db
        .updateTable('deals')
        .set({ is_active: sql<boolean>`id <> ${off.id}`, title: 'Both' })
        .execute(),
    );
    expect(together).toEqual([
      expect.stringMatching(/^deal:\d+ deal:\d+$/),
      lists('deals', [places]),
    ]);
    expect(await newsOf(changeDeal(off.id, { title: 'Hidden anyway' }))).toEqual([
      `old deal:${off.id}`,
    ]);
    expect(other.id).not.toBe(off.id);
  });

  it.each<[string, object]>([
    ['a price that waits for review', { held_price: 100, held_at: new Date('2026-01-01') }],
    ['a price that was refused', { refused_price: 100 }],
    ['the feed’s id of the deal', { external_id: 'x-1' }],
    ['the time of the last link check', { link_checked_at: new Date('2026-01-01') }],
    ['the same values', { title: 'Kept', sale_price: 1999 }],
  ])('announces nothing for a change that visitors cannot see: %s', async (_what, values) => {
    const { places } = await aShop();
    const { id } = await insertDeal(database.db, { ...places, title: 'Kept', sale_price: 1999 });
    expect(await newsOf(changeDeal(id, values))).toEqual([]);
  });

  it('announces a deal’s move to another category or store', async () => {
    const [from, to] = [await aShop(), await aShop()];
    const { id } = await insertDeal(database.db, from.places);
    expect(await newsOf(changeDeal(id, to.places))).toEqual([
      `old deal:${id}`,
      lists('deals', [from.places, to.places]),
    ]);
  });

  it('announces many changes together, and more than two hundred as `all`', async () => {
    const { places } = await aShop();
    const ids: number[] = [];
    for (let n = 0; n < 201; n++) ids.push((await insertDeal(database.db, places)).id);
    const raise = (few: number[]) => (db: Db) =>
      db
        .updateTable('deals')
        .set({ is_featured: sql<boolean>`not is_featured` })
        .where('id', 'in', few)
        .execute();
    const [told = '', ...more] = await newsOf(raise(ids.slice(0, 200)));
    expect(more).toEqual([lists('deals', [places])]);
    const [mark, ...deals] = told.split(' ');
    expect(mark).toBe('old');
    expect(deals.toSorted()).toEqual(
      ids
        .slice(0, 200)
        .map((id) => `deal:${id}`)
        .toSorted(),
    );
    expect(await newsOf(raise(ids))).toEqual(['old all']);
    const takeOff = (db: Db) => db.updateTable('deals').set({ is_active: false }).execute();
    expect(await newsOf(takeOff)).toEqual(['all']);
  });
});

it('falls back to `all` when the tag list exceeds the NOTIFY limit', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 200; n++) ids.push((await insertDeal(database.db)).id);
  const change = (few: number[]) => (db: Db) =>
    db
      .updateTable('deals')
      .set({ sale_price: sql<number>`sale_price + 1`, is_featured: true })
      .where('id', 'in', few)
      .execute();
  const [, ofHalf = ''] = await newsOf(change(ids.slice(0, 100)));
  expect(ofHalf.split(' ')).toHaveLength(1 + 2 * (1 + 100 + 100));
  const of = (told: string[]) => told.map((one) => one.replace(/( deal:\d+)+/, ' deal:…'));
  expect(of(await newsOf(change(ids)))).toEqual(['old deal:…', 'old all']);
});

describe('a category or a store', () => {
  it.each<[string, object]>([
    ['name', { name: 'Another' }],
    ['slug', { slug: 'another' }],
    ['description', { description: 'Another' }],
    ['icon', { icon: 'lamp' }],
  ])(
    "announces `all` when a category's %s changes, since every page has a menu",
    async (_of, values) => {
      const { category } = await aShop();
      const change = (db: Db) =>
        db.updateTable('categories').set(values).where('id', '=', category.id).execute();
      expect(await newsOf(change)).toEqual(['old all']);
    },
  );

  it.each<[string, object]>([
    ['name', { name: 'Another' }],
    ['slug', { slug: 'another' }],
    ['description', { description: 'Another' }],
    ['logo', { logo_url: '/media/a.webp' }],
    ['address', { website_url: 'https://other.example' }],
    ['featured flag', { is_featured: true }],
    ['free shipping limit', { free_shipping_over: 5000 }],
    ['shipping cost', { standard_shipping: 495 }],
    ['affiliate template', { affiliate_template: '{url}?tag={subid}' }],
  ])(
    "announces `all` when a store's %s changes, and pages may be shown as stale",
    async (_of, values) => {
      const { merchant } = await aShop();
      const change = (db: Db) =>
        db.updateTable('merchants').set(values).where('id', '=', merchant.id).execute();
      expect(await newsOf(change)).toEqual(['old all']);
    },
  );

  it.each<[string, object]>([
    ['history policy', { keep_history: false }],
    ['alert policy', { allow_alerts: false }],
    ['price expiry', { hide_price_after_hours: 24 }],
    ['price time setting', { show_price_timestamp: true }],
    ['disclaimer', { price_disclaimer: 'As of now' }],
  ])("announces `all` when a store's %s changes, and no page may be stale", async (_of, values) => {
    const { merchant } = await aShop();
    const change = (db: Db) =>
      db
        .updateTable('merchants')
        .set({ ...values, name: 'Another' })
        .where('id', '=', merchant.id)
        .execute();
    expect(await newsOf(change)).toEqual(['all']);
  });

  it('announces `all` when a category or store is added or deleted, and the count for its deals', async () => {
    const { db } = database;
    let ids = { category: 0, merchant: 0 };
    const added = await newsOf(async () => {
      ids = { category: (await insertCategory(db)).id, merchant: (await insertMerchant(db)).id };
    });
    expect(added).toEqual(['old all', 'old all']);
    const counted = await newsOf(() =>
      insertDeal(db, { category_id: ids.category, merchant_id: ids.merchant, is_active: true }),
    );
    const places = { category_id: ids.category, merchant_id: ids.merchant };
    expect(counted).toEqual([expect.stringMatching(/^old deal:\d+$/), lists('deals', [places])]);
    await db.deleteFrom('deals').execute();
    const removed = await newsOf(async () => {
      await db.deleteFrom('categories').where('id', '=', ids.category).execute();
      await db.deleteFrom('merchants').where('id', '=', ids.merchant).execute();
    });
    expect(removed).toEqual(['all', 'all']);
  });
});

it('announces the blog’s pages for a post, all pages and the gate for a setting', async () => {
  const { db } = database;
  const changePost = (values: object) =>
    newsOf(() => db.updateTable('blog_posts').set(values).execute());
  expect(await newsOf(() => insertBlogPost(db, { slug: 'guide' }))).toEqual(['old blog']);
  expect(await changePost({ title: 'Other' })).toEqual(['old blog']);
  expect(await changePost({ is_published: false })).toEqual(['blog']);
  expect(await changePost({ is_published: true })).toEqual(['old blog']);
  expect(await changePost({ published_at: new Date('2199-01-01') })).toEqual(['blog']);
  expect(await newsOf(() => db.deleteFrom('blog_posts').execute())).toEqual(['blog']);
  const setting = { name: 'siteName', value: JSON.stringify('Other') };
  expect(await newsOf(() => db.insertInto('site_settings').values(setting).execute())).toEqual([
    'all settings',
  ]);
  expect(await newsOf(() => db.deleteFrom('site_settings').execute())).toEqual(['all settings']);
});

it('does not announce changes of personal data such as accounts, favorites, alerts and emails', async () => {
  const { places } = await aShop();
  const { id } = await insertDeal(database.db, places);
  const told = await newsOf(async (db) => {
    const user = await insertUser(db);
    await db.insertInto('user_favorites').values({ user_id: user.id, deal_id: id }).execute();
    await db.deleteFrom('users').where('id', '=', user.id).execute();
  });
  expect(told).toEqual([]);
});

it('announces a change on commit, but never after a rollback', async () => {
  const { places } = await aShop();
  const { id } = await insertDeal(database.db, places);
  await news();
  const late = await database.db.transaction().execute(async (tx) => {
    await changeDeal(id, { title: 'Soon' })(tx);
    return news();
  });
  expect(late).toEqual([]);
  expect(await news()).toEqual([`old deal:${id}`]);
  const undone = database.db.transaction().execute(async (tx) => {
    await changeDeal(id, { title: 'Never' })(tx);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  expect(await news()).toEqual([]);
});
