import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { insertBlogPost, insertDeal, insertUser } from '#test/factories/insert.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { useTestDatabase } from '#test/database.ts';
import { removeDemo } from './remove-demo.ts';
import { seedDemo } from './seed-demo.ts';
import { seedSample } from './seed-sample.ts';

const database = useTestDatabase();
const now = new Date();
const day = 24 * 60 * 60_000;
const imagesDir = await mkdtemp(path.join(os.tmpdir(), 'demo-pictures-'));
const media = openFolderMedia(imagesDir);
afterAll(() => rm(imagesDir, { recursive: true, force: true }));

type CountedTable = 'categories' | 'merchants' | 'deals' | 'blog_posts' | 'price_log';

async function countRows(table: CountedTable): Promise<number> {
  const { total } = await database.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

describe('seeding the demo shop', () => {
  test('adds the whole demo shop, and marks all of it as demo', async () => {
    const added = await seedDemo(database.db, { now });

    expect(added).toEqual({ categories: 8, merchants: 24, deals: 330, posts: 12 });
    for (const table of ['categories', 'merchants', 'deals', 'blog_posts'] as const) {
      const own = await database.db
        .selectFrom(table)
        .select('id')
        .where('is_demo', '=', false)
        .execute();
      expect(own).toEqual([]);
    }
  });

  test('updates the counters of live deals when seeding', async () => {
    await seedDemo(database.db, { now });

    const { rows } = await sql<{ live: number; counted: number; by_category: number }>`select
      (select count(*) from deals where is_active and not is_expired) as live,
      (select value from site_counters where name = 'live_deals') as counted,
      (select sum(deal_count) from categories) as by_category`.execute(database.db);
    expect(rows[0]).toEqual({ live: 318, counted: 318, by_category: 318 });
  });

  test('ends every demo history at the current price, and gives 40 deals a history of 400 days', async () => {
    await seedDemo(database.db, { now });

    const last = await database.db
      .selectFrom('price_log')
      .innerJoin('deals', 'deals.id', 'price_log.deal_id')
      .distinctOn('price_log.deal_id')
      .select([
        'price_log.sale_price as logged',
        'deals.sale_price as present',
        'price_log.availability as logged_stock',
        'deals.availability as present_stock',
      ])
      .orderBy('price_log.deal_id')
      .orderBy('price_log.at', 'desc')
      .execute();
    expect(last).toHaveLength(330);
    for (const row of last) {
      expect(row.logged).toBe(row.present);
      expect(row.logged_stock).toBe(row.present_stock);
    }
    const outside = await database.db
      .selectFrom('price_log')
      .select('id')
      .where((eb) => eb.or([eb('source', '<>', 'demo'), eb('at', '>', now)]))
      .execute();
    expect(outside).toEqual([]);
    const { rows } = await sql<{ days: number; deals: number }>`
      select days, count(*) as deals
        from (select case when min(at) < ${new Date(now.getTime() - 90 * day)} then 400 else 90 end as days, min(at) as first
                from price_log group by deal_id) logged
       where first >= ${new Date(now.getTime() - 405 * day)}
       group by days order by days`.execute(database.db);
    expect(rows).toEqual([
      { days: 90, deals: 290 },
      { days: 400, deals: 40 },
    ]);
  });

  test('computes the 30-day low of demo deals that have a history', async () => {
    await seedDemo(database.db, { now });

    const { rows } = await sql<{ unknown: number; reduced: number }>`select
      count(*) filter (where low_30_before is null) as unknown,
      count(*) filter (where observed_percent > 0) as reduced from deals`.execute(database.db);
    expect(rows[0]?.unknown).toBe(8);
    expect(rows[0]?.reduced).toBeGreaterThan(100);
  });

  test('adds nothing on a second seeding', async () => {
    await seedDemo(database.db, { now });
    const history = await countRows('price_log');

    const added = await seedDemo(database.db, { now });

    expect(added).toEqual({ categories: 0, merchants: 0, deals: 0, posts: 0 });
    expect(await countRows('price_log')).toBe(history);
  });

  test('stores the pictures of its deals, posts and merchants, in two widths', async () => {
    await seedDemo(database.db, { now, media });

    const pictures = await database.db
      .selectFrom('deals')
      .select('image_url')
      .where('image_url', 'is not', null)
      .execute();
    expect(pictures).toHaveLength(329);
    const files = new Set(await readdir(path.join(imagesDir, 'demo')));
    for (const { image_url } of pictures) {
      expect(image_url).toMatch(/^\/media\/demo\/[a-z0-9-]+-640\.webp$/);
      expect(files.has(path.basename(image_url ?? ''))).toBe(true);
      expect(files.has(path.basename(image_url ?? '').replace('-640', '-320'))).toBe(true);
    }
    const logos = await database.db.selectFrom('merchants').select('logo_url').execute();
    for (const { logo_url } of logos) expect(files.has(path.basename(logo_url ?? ''))).toBe(true);

    const sample = path.join(imagesDir, 'demo', path.basename(pictures[0]?.image_url ?? ''));
    expect(await sharp(sample).metadata()).toMatchObject({
      width: 640,
      height: 480,
      format: 'webp',
    });
    expect((await stat(sample)).size).toBeLessThan(12_000);
  });
});

describe('removing the demo shop', () => {
  test('removes every row and picture of the demo shop', async () => {
    await seedDemo(database.db, { now, media });

    const removed = await removeDemo(database.db, { media });

    expect(removed).toEqual({ categories: 8, merchants: 24, deals: 330, posts: 12 });
    const tables = ['categories', 'merchants', 'deals', 'blog_posts', 'price_log'] as const;
    for (const table of tables) expect(await countRows(table)).toBe(0);
    expect(await media.list()).toEqual([]);
  });

  test('deletes favorites and alerts on demo deals', async () => {
    await seedDemo(database.db, { now });
    const user = await insertUser(database.db);
    const { id } = await database.db.selectFrom('deals').select('id').executeTakeFirstOrThrow();
    await database.db
      .insertInto('user_favorites')
      .values({ user_id: user.id, deal_id: id })
      .execute();

    await removeDemo(database.db);

    expect(await database.db.selectFrom('user_favorites').selectAll().execute()).toEqual([]);
  });

  test('keeps the site’s own deals and posts, with their category and merchant', async () => {
    await seedDemo(database.db, { now });
    const category = await database.db
      .selectFrom('categories')
      .select('id')
      .where('slug', '=', 'tools')
      .executeTakeFirstOrThrow();
    const merchant = await database.db
      .selectFrom('merchants')
      .select('id')
      .where('slug', '=', 'oakhaft-tools')
      .executeTakeFirstOrThrow();
    const own = await insertDeal(database.db, {
      category_id: category.id,
      merchant_id: merchant.id,
    });
    const ownPost = await insertBlogPost(database.db);

    const removed = await removeDemo(database.db);

    expect(removed).toEqual({ categories: 7, merchants: 23, deals: 330, posts: 12 });
    const deals = await database.db.selectFrom('deals').select('id').execute();
    expect(deals).toEqual([{ id: own.id }]);
    const posts = await database.db.selectFrom('blog_posts').select('id').execute();
    expect(posts).toEqual([{ id: ownPost.id }]);
    const kept = await database.db.selectFrom('categories').select(['id', 'is_demo']).execute();
    expect(kept).toEqual([{ id: category.id, is_demo: false }]);
  });
});

describe('the sample seeder', () => {
  // Proves Back office 9: Seeder: 6 categories, 3 merchants, 2 deals (seed-sample.ts)
  test('adds 6 sample categories, 3 merchants and 2 deals, 20% and 40% off for 7 days', async () => {
    const answer = await seedSample(database.db, { now });

    expect(answer).toEqual({
      success: true,
      added: true,
      message: 'Added 6 categories, 3 merchants and 2 deals',
    });
    expect(await countRows('categories')).toBe(6);
    expect(await countRows('merchants')).toBe(3);
    const deals = await database.db
      .selectFrom('deals')
      .select(['discount_percent', 'expires_at'])
      .orderBy('discount_percent')
      .execute();
    const expires_at = new Date(now.getTime() + 7 * day);
    expect(deals).toEqual([
      { discount_percent: 20, expires_at },
      { discount_percent: 40, expires_at },
    ]);
    expect(await countRows('price_log')).toBe(2);
  });

  // Proves Back office 7: Seeder (seed-sample.ts)
  // Proves Back office 8: Seeder: “Data already exists” (seed-sample.ts)
  test('does not add samples if a category exists', async () => {
    await seedSample(database.db, { now });

    const answer = await seedSample(database.db, { now });

    expect(answer.message).toBe('Data already exists');
    expect(await countRows('deals')).toBe(2);
  });
});
