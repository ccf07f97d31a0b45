import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDealBySlug } from '#app/features/deals/deal-queries.server.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { importFeed, type ImportOptions } from './import-feed.server.ts';
import type { ImportReport } from './import-steps.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'feeds-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const header = 'id,title,link,price,sale price,product type,availability';
interface Product {
  id?: string;
  title?: string;
  price?: string;
  sale?: string;
  category?: string;
  availability?: string;
}

describe('a first import and later ones', () => {
  test('logs an import started on the command line, but not a dry run', async () => {
    await run([{}], { dryRun: true, startedBy: 'cli' });
    await run([{}]);
    const { runId } = await run([{}], { startedBy: 'cli' });
    const log = database.db.selectFrom('audit_log').select(['actor', 'action', 'names']);
    expect(await log.execute()).toEqual([
      {
        actor: 'cli',
        action: 'import.start',
        names: { import: { [String(runId)]: expect.stringContaining('feed.csv') } },
      },
    ]);
  });

  test('creates merchant, categories and deals, and writes the price log with its source', async () => {
    const report = await run([{ price: '40', sale: '25', category: 'Home & Kitchen > Pots' }]);
    expect(report).toMatchObject({
      state: 'done',
      format: 'google-tsv',
      error: null,
      counts: counts({ read: 1, new: 1, reduced: 1 }),
    });
    const deal = await theDeal();
    expect(deal).toMatchObject({
      slug: 'enamel-kettle',
      sale_price: 2_500,
      original_price: 4_000,
      price_source: 'import',
      seller_type: 'third_party',
      availability: 'in_stock',
      is_active: true,
    });
    const { db } = database;
    expect(
      await db.selectFrom('merchants').select(['name', 'slug', 'deal_count']).execute(),
    ).toEqual([{ name: 'Example Shop', slug: 'example-shop', deal_count: 1 }]);
    expect(await db.selectFrom('categories').select(['name', 'slug', 'icon']).execute()).toEqual([
      { name: 'Home & Kitchen', slug: 'home-kitchen', icon: 'home' },
    ]);
    expect(await prices()).toEqual([2_500]);
  });

  test('assigns the merchant’s seller type to new deals, and leaves existing deals unchanged', async () => {
    const { db } = database;
    await insertMerchant(db, { name: 'Example Shop', seller_type: 'amazon' });
    await run([{ id: '1' }]);
    await db.updateTable('merchants').set({ seller_type: 'third_party' }).execute();
    await run([
      { id: '1', title: 'Copper kettle' },
      { id: '2', title: 'Steel kettle' },
    ]);
    expect(
      await db.selectFrom('deals').select(['title', 'seller_type']).orderBy('id').execute(),
    ).toEqual([
      { title: 'Copper kettle', seller_type: 'amazon' },
      { title: 'Steel kettle', seller_type: 'third_party' },
    ]);
  });

  test('does not change deals when the same feed is imported again, and only records that prices were seen', async () => {
    await run([{}]);
    const before = await theDeal();
    const report = await run([{}]);
    const after = await theDeal();
    expect(report.counts).toEqual(counts({ read: 1, unchanged: 1 }));
    expect(after).toEqual(before);
    const check = await database.db
      .selectFrom('deal_price_checks')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(check.checked_at.getTime()).toBeGreaterThan(before.price_checked_at.getTime());
    const shown = await findDealBySlug(database.db, after.slug);
    expect(shown?.price_checked_at).toEqual(check.checked_at);
    expect(await prices()).toEqual([1_999]);
  });

  test('keeps the slug, category and editors’ changes, and logs the new price', async () => {
    await run([{}]);
    await database.db
      .updateTable('deals')
      .set({ is_featured: true, coupon_code: 'SAVE' })
      .execute();
    const report = await run([{ title: 'Another name', price: '15', category: 'Garden' }]);
    expect(report.counts).toEqual(counts({ read: 1, changed: 1 }));
    expect(await theDeal()).toMatchObject({
      slug: 'enamel-kettle',
      title: 'Another name',
      sale_price: 1_500,
      is_featured: true,
      coupon_code: 'SAVE',
      version: 2,
    });
    expect(await prices()).toEqual([1_999, 1_500]);
  });

  // Proves P7b: price sanity (write-plan-queries.server.ts)
  // Proves R51: price sanity
  test('R51: holds a price drop of more than 90% until the feed withdraws it', async () => {
    await run([{ price: '100' }]);
    const held = await run([{ price: '9.99' }]);
    expect(held.counts).toEqual(counts({ read: 1, held: 1 }));
    expect(held.issues).toEqual([
      {
        kind: 'held',
        line: 2,
        external_id: '1',
        reason: 'held for review: the price fell by more than 90%, to 9.99',
      },
    ]);
    const waiting = await theDeal();
    expect(waiting).toMatchObject({ sale_price: 10_000, held_price: 999 });
    expect(waiting.held_at).not.toBeNull();

    expect((await run([{ price: '9.99' }])).counts).toEqual(counts({ read: 1, held: 1 }));
    expect(await theDeal()).toEqual(waiting);
    expect((await run([{ price: '10' }])).counts).toEqual(counts({ read: 1, changed: 1 }));
    expect(await theDeal()).toMatchObject({ sale_price: 1_000, held_price: null, held_at: null });
    expect(await prices()).toEqual([10_000, 1_000]);
  });

  test('previews all changes in a dry run, and stores none of them', async () => {
    const report = await run([{}, { id: '2' }, { id: '2' }, { id: '1' }], {
      dryRun: true,
      batchSize: 2,
    });
    expect(report).toMatchObject({ runId: null, counts: counts({ read: 4, new: 2, rejected: 2 }) });
    for (const table of ['deals', 'merchants', 'categories', 'import_runs'] as const) {
      expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});

describe('slugs', () => {
  test('numbers the slugs of equal titles, skipping current and old slugs, and titles that end in a number', async () => {
    await run([{ id: 'old', title: 'Tea pot' }]);
    await database.db.updateTable('deals').set({ slug: 'renamed' }).execute();
    await run([
      { id: 'a', title: 'Tea pot' },
      { id: 'b', title: 'Tea pot' },
      { id: 'c', title: 'Tea pot 3' },
      { id: 'd', title: 'Tea pot!' },
      { id: 'e', title: 'Tea' },
    ]);
    expect(await slugs()).toEqual({
      old: 'renamed',
      a: 'tea-pot-2',
      b: 'tea-pot-4',
      c: 'tea-pot-3',
      d: 'tea-pot-5',
      e: 'tea',
    });
    await run([{ id: 'f', title: 'Tea pot' }], { merchant: 'Another' });
    expect(await slugs()).toMatchObject({ f: 'tea-pot-6' });
  });

  test('uses the deal’s id for a title without a slug', async () => {
    await run([
      { id: 'a', title: '☕☕' },
      { id: 'b', title: '★★' },
    ]);
    const deals = await database.db.selectFrom('deals').select(['id', 'slug']).execute();
    expect(deals.map((deal) => deal.slug)).toEqual(deals.map((deal) => `deal-${deal.id}`));
  });

  test('transliterates titles in other scripts, and avoids slugs that look like ids', async () => {
    await run([
      { id: 'a', title: '茶壺' },
      { id: 'b', title: 'Чайник' },
      { id: 'c', title: 'Чайник' },
      { id: 'd', title: '2024' },
    ]);
    expect(await slugs()).toEqual({ a: 'chahu', b: 'chaynik', c: 'chaynik-2', d: 'deal-2024' });
  });
});

describe('categories', () => {
  test('uses the first existing category of a path, else the fallback, else a new one', async () => {
    await database.db
      .insertInto('categories')
      .values([
        { name: 'Kitchen', slug: 'kitchen' },
        { name: 'Books', slug: 'books' },
      ])
      .execute();
    await run([
      { id: 'a', category: 'Home > KITCHEN > Pots' },
      { id: 'b', category: 'Toys' },
    ]);
    await run(
      [
        { id: 'c', category: 'Garden > Pots' },
        { id: 'd', category: '' },
      ],
      { category: 'books' },
    );
    const placed = await database.db
      .selectFrom('deals')
      .innerJoin('categories', 'categories.id', 'deals.category_id')
      .select(['external_id', 'categories.name', 'icon'])
      .orderBy('external_id')
      .execute();
    expect(placed).toEqual([
      { external_id: 'a', name: 'Kitchen', icon: 'tag' },
      { external_id: 'b', name: 'Toys', icon: 'gamepad2' },
      { external_id: 'c', name: 'Books', icon: 'tag' },
      { external_id: 'd', name: 'Books', icon: 'tag' },
    ]);
  });
});

describe('rejected rows', () => {
  test('R30: reports rejected rows with line and reason, and stores them with the run', async () => {
    const report = await run([
      { price: '0' },
      { id: '2', price: 'ask' },
      { id: '3', title: '' },
      { id: '4', price: '-5' },
    ]);
    const issues = [
      { line: 2, external_id: '1', reason: 'price is 0' },
      { line: 3, external_id: '2', reason: 'price is not a number: ask' },
      { line: 4, external_id: '3', reason: 'no title' },
      { line: 5, external_id: '4', reason: 'price is negative: -5' },
    ];
    expect(report.counts).toEqual(counts({ read: 4, rejected: 4 }));
    expect(report.issues).toEqual(issues.map((issue) => ({ kind: 'rejected', ...issue })));
    const { db } = database;
    expect(
      await db.selectFrom('import_issues').select(['line', 'external_id', 'reason']).execute(),
    ).toEqual(issues);
    expect(await theRun()).toMatchObject({
      state: 'done',
      rows_read: 4,
      rows_rejected: 4,
      source_name: 'feed.csv',
      format: 'google-tsv',
    });
  });

  test('rejects later rows with the same id, however far apart they are', async () => {
    const rows = [{ price: '1' }, { price: '2' }, { id: 'x' }, { price: '3' }];
    const report = await run(rows, { batchSize: 3 });
    expect(report.counts).toEqual(counts({ read: 4, new: 2, rejected: 2 }));
    expect(report.issues.map(({ line, reason }) => ({ line, reason }))).toEqual([
      { line: 3, reason: 'duplicate: line 2 has the same id and is used instead' },
      { line: 5, reason: 'duplicate: line 2 has the same id and is used instead' },
    ]);
    expect((await run(rows, { batchSize: 3 })).counts).toEqual(
      counts({ read: 4, unchanged: 2, rejected: 2 }),
    );
    expect(await prices('1')).toEqual([100]);
  });
});

describe('imports that are not completed', () => {
  test('fails the run and changes nothing when the feed is cut off', async () => {
    const report = await runText(`${header}\n${lineOf({})}\n2,"Half`);
    expect(report).toMatchObject({
      state: 'failed',
      error: 'the feed ends in the middle of an item at line 3',
      counts: counts({ read: 1 }),
    });
    expect(await theRun()).toMatchObject({ state: 'failed', rows_new: 0, error: report.error });
    expect(await database.db.selectFrom('deals').selectAll().execute()).toEqual([]);
  });

  test('records a run with the reason, but creates no merchant, for an invalid feed', async () => {
    const report = await runText('<!DOCTYPE html><html></html>');
    expect(report).toMatchObject({
      state: 'failed',
      error: 'this is a web page, not a product feed',
    });
    expect(await theRun()).toMatchObject({ state: 'failed', merchant_id: null });
    expect(await database.db.selectFrom('merchants').selectAll().execute()).toEqual([]);
    const missing = await importFeed(
      database.db,
      { file: '/nowhere/feed.xml' },
      { merchant: 'Example Shop' },
    );
    expect(missing.error).toBe('the file cannot be read: /nowhere/feed.xml');
    const inside = await importFeed(
      database.db,
      { url: 'http://127.0.0.1/feed.xml' },
      { merchant: 'Example Shop' },
    );
    expect(inside.error).toBe('127.0.0.1 is not an address of the public internet');
  });

  test('reads no rows beyond the limit', async () => {
    const report = await run([{}, { id: '2' }, { id: '3' }], { limit: 2 });
    expect(report).toMatchObject({ state: 'failed', counts: counts({ read: 2 }) });
    expect(report.error).toBe('the feed has more than 2 rows');
  });

  test('R30: ends an interrupted import after the current batch, and the next run completes it', async () => {
    const rows = ['1', '2', '3', '4', '5'].map((id) => ({ id }));
    const stop = new AbortController();
    const file = await write(csv(rows));
    const options = { merchant: 'Example Shop', batchSize: 2, signal: stop.signal };
    const report = await importFeed(database.db, { file }, options, (facts) => {
      if (facts.phase === 'writing' && facts.rows === 2) stop.abort();
    });
    expect(report).toMatchObject({ state: 'interrupted', counts: counts({ read: 5, new: 2 }) });
    expect(await theRun()).toMatchObject({ state: 'interrupted', rows_new: 2, rows_done: 2 });
    expect((await run(rows)).counts).toEqual(counts({ read: 5, new: 3, unchanged: 2 }));
  });

  test('closes a run whose process died when the next run starts', async () => {
    await run([{}]);
    const { id } = await database.db
      .insertInto('import_runs')
      .values({ merchant_id: 1, source_name: 'dead', format: 'csv', state: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await run([{}]);
    const dead = await database.db
      .selectFrom('import_runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(dead).toMatchObject({ state: 'interrupted', finished_at: expect.any(Date) });
  });

  test('R30: rolls back a failed batch completely, and the next import works', async () => {
    const file = await write(csv([{}]));
    const failing = importFeed(database.db, { file }, { merchant: 'Example Shop' }, (facts) => {
      if (facts.phase === 'writing' && facts.rows > 0) throw new Error('the power is gone');
    });
    await expect(failing).rejects.toThrow('the power is gone');
    expect(await database.db.selectFrom('deals').selectAll().execute()).toEqual([]);
    expect(await database.db.selectFrom('import_changes').selectAll().execute()).toEqual([]);
    expect(await theRun()).toMatchObject({ state: 'failed', rows_done: 0 });
    expect((await run([{}])).counts).toEqual(counts({ read: 1, new: 1 }));
  });

  // Proves R30: one at a time, resumable, guarded against shrinking
  test('R30: rejects a second parallel import, regardless of its products', async () => {
    const seen: Promise<ImportReport>[] = [];
    // The import is long enough to be running when the second one starts.
    const file = await write(csv(Array.from({ length: 80 }, (_, n) => ({ id: String(n) }))));
    const slow = { merchant: 'Example Shop', batchSize: 1 };
    await importFeed(database.db, { file }, slow, () => {
      if (seen.length === 0) {
        seen.push(importFeed(database.db, { file }, { merchant: 'Another' }));
      }
    });
    expect(await seen[0]).toMatchObject({ state: 'busy', error: 'another import is running' });
    expect((await run([{}], { merchant: 'Another' })).state).toBe('done');
  });

  test('keeps the changes of a canceled import, and ends no deals', async () => {
    // There are so many products that the cancellation arrives long before the last batch.
    const file = await write(csv(Array.from({ length: 150 }, (_, n) => ({ id: `${n + 1}` }))));
    const options = { merchant: 'Example Shop', batchSize: 1 };
    const report = await importFeed(database.db, { file }, options, ({ phase }) => {
      if (phase === 'matching') {
        void database.pool.query('update import_runs set wants_cancel = true');
      }
    });
    expect(report.state).toBe('cancelled');
    expect(await theRun()).toMatchObject({ state: 'cancelled', phase: null });
  });
});

function counts(some: Partial<ImportReport['counts']>): ImportReport['counts'] {
  const none = { read: 0, new: 0, changed: 0, unchanged: 0, held: 0, rejected: 0 };
  return { ...none, ended: 0, folded: 0, reduced: 0, ...some };
}

function lineOf({
  id = '1',
  title = 'Enamel kettle',
  price = '19.99',
  sale = '',
  category = 'Home',
  availability = 'in stock',
}: Product): string {
  return [id, title, `https://shop.example/${id}`, price, sale, category, availability].join(',');
}

function csv(products: Product[]): string {
  return `${[header, ...products.map(lineOf)].join('\n')}\n`;
}

async function write(text: string): Promise<string> {
  const file = path.join(folder, 'feed.csv');
  await writeFile(file, text);
  return file;
}

function run(products: Product[], options: Partial<ImportOptions> = {}): Promise<ImportReport> {
  return runText(csv(products), options);
}

async function runText(text: string, options: Partial<ImportOptions> = {}): Promise<ImportReport> {
  const file = await write(text);
  return importFeed(database.db, { file }, { merchant: 'Example Shop', ...options });
}

function theDeal() {
  return database.db.selectFrom('deals').selectAll().executeTakeFirstOrThrow();
}

function theRun() {
  return database.db
    .selectFrom('import_runs')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

async function prices(externalId = '1'): Promise<number[]> {
  const rows = await database.db
    .selectFrom('price_log')
    .innerJoin('deals', 'deals.id', 'price_log.deal_id')
    .select('price_log.sale_price')
    .where('external_id', '=', externalId)
    .orderBy('price_log.id')
    .execute();
  return rows.map((row) => row.sale_price);
}

async function slugs(): Promise<Record<string, string>> {
  const rows = await database.db.selectFrom('deals').select(['external_id', 'slug']).execute();
  return Object.fromEntries(rows.map((row) => [row.external_id ?? '', row.slug]));
}
