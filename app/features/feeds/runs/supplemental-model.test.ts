import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { rollBackImport } from '../review/roll-back-import.server.ts';
import { importFeed, type ImportOptions } from './import-feed.server.ts';

// Compares imports of a primary and a supplemental feed, and rollbacks, in any order, with a naive
// implementation. The last writer of a value wins.

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'supplemental-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Prices in cents. */
interface Deal {
  title: string;
  sale: number;
  original: number | null;
  availability: string;
}
type Shop = Record<string, Deal>;

const ids = ['a', 'b', 'c'];
// The prices are within a factor of ten, so that none is held.
const price = fc.constantFrom(2_000, 3_000, 4_000, 5_000);
const stock = fc.constantFrom('in_stock', 'out_of_stock');

const primary = fc.dictionary(
  fc.constantFrom(...ids),
  fc.record({ title: fc.constantFrom('Kettle', 'Pot'), price, availability: stock }),
  { minKeys: 1 },
);
const supplement = fc.record({
  rows: fc.dictionary(
    fc.constantFrom(...ids, 'unknown'),
    fc.record({ sale: price, price, availability: stock, title: fc.constantFrom('Cup', 'Mug') }),
    { minKeys: 1 },
  ),
  columns: fc.subarray(['sale', 'price', 'availability', 'title'] as const, { minLength: 1 }),
});
type Primary = typeof primary extends fc.Arbitrary<infer Value> ? Value : never;
type Supplement = typeof supplement extends fc.Arbitrary<infer Value> ? Value : never;
const step = fc.oneof(
  { weight: 2, arbitrary: primary.map((rows) => ({ primary: rows })) },
  { weight: 3, arbitrary: supplement.map((rows) => ({ supplement: rows })) },
  { weight: 1, arbitrary: fc.constant({ rollBack: true as const }) },
);
const walk = fc.array(step, { minLength: 3, maxLength: 7, size: 'max' });

let shops = 0;

async function newShop() {
  shops += 1;
  const merchant = `Shop ${shops}`;
  const { id: merchantId } = await insertMerchant(database.db, {
    name: merchant,
    slug: `shop-${shops}`,
  });
  const source = (name: string) => insertFeedSource(database.db, { merchant_id: merchantId, name });
  return {
    merchant,
    merchantId,
    primaryId: (await source('Primary')).id,
    supplementId: (await source('Supplement')).id,
  };
}

const money = (cents: number) => `${(cents / 100).toFixed(2)} USD`;

async function bring(text: string, options: ImportOptions) {
  const file = path.join(folder, 'feed.tsv');
  await writeFile(file, text);
  return importFeed(database.db, { file }, { endsMissing: true, mayEndMany: true, ...options });
}

function primaryText(rows: Primary): string {
  const lines = Object.entries(rows).map(([id, { title, price: cents, availability }]) =>
    [id, title, `https://shop.example/${id}`, money(cents), availability].join('\t'),
  );
  return ['id\ttitle\tlink\tprice\tavailability', ...lines, ''].join('\n');
}

const headings = {
  sale: 'sale_price',
  price: 'price',
  availability: 'availability',
  title: 'title',
};

function supplementText({ rows, columns }: Supplement): string {
  const lines = Object.entries(rows).map(([id, row]) =>
    [
      id,
      ...columns.map((name) => {
        const value = row[name];
        return typeof value === 'number' ? money(value) : value;
      }),
    ].join('\t'),
  );
  return [['id', ...columns.map((name) => headings[name])].join('\t'), ...lines, ''].join('\n');
}

function supplemented(deal: Deal, row: Supplement['rows'][string], columns: readonly string[]) {
  const after = { ...deal };
  if (columns.includes('title')) after.title = row.title;
  if (columns.includes('availability')) after.availability = row.availability;
  const [hasSale, hasPrice] = [columns.includes('sale'), columns.includes('price')];
  const regular = Math.max(deal.original ?? 0, deal.sale);
  if (hasSale) {
    const original = hasPrice ? row.price : regular;
    return { ...after, sale: row.sale, original: original > row.sale ? original : null };
  }
  if (!hasPrice || (deal.original === row.price && row.price > deal.sale)) return after;
  const original = deal.original !== null && deal.original > row.price ? deal.original : null;
  return { ...after, sale: row.price, original };
}

async function dealsOf(merchantId: number): Promise<Shop> {
  const { rows } = await sql<Deal & { id: string }>`
    select external_id as id, title, sale_price as sale, original_price as original, availability
      from deals where merchant_id = ${merchantId} and not is_expired`.execute(database.db);
  return Object.fromEntries(rows.map(({ id, ...deal }) => [id, deal]));
}

const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3];

test.each(seeds)(
  'changes only values in a supplemental feed, in random sequences with seed %i',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        const { merchant, merchantId, primaryId, supplementId } = await newShop();
        let shop: Shop = {};
        let before: Shop | null = null;
        let runId = 0;
        const changes: unknown[] = [];
        for (const one of steps) {
          if ('rollBack' in one) {
            if (before === null) continue;
            await rollBackImport(database.db, 'staff', runId);
            [shop, before] = [before, null];
          } else if ('primary' in one) {
            const report = await bring(primaryText(one.primary), {
              merchant,
              feedSourceId: primaryId,
            });
            [before, runId] = [shop, report.runId ?? 0];
            shop = Object.fromEntries(
              Object.entries(one.primary).map(([id, { title, price: sale, availability }]) => [
                id,
                { title, sale, original: null, availability },
              ]),
            );
          } else {
            const { rows, columns } = one.supplement;
            const report = await bring(supplementText(one.supplement), {
              merchant,
              feedSourceId: supplementId,
              updatesOnly: true,
            });
            changes.push([report.state, report.counts.new, report.counts.ended]);
            [before, runId] = [shop, report.runId ?? 0];
            shop = Object.fromEntries(
              Object.entries(shop).map(([id, deal]) => {
                const row = rows[id];
                return [id, row ? supplemented(deal, row, columns) : deal];
              }),
            );
          }
          expect(await dealsOf(merchantId)).toEqual(shop);
        }
        expect(changes).toEqual(changes.map(() => ['done', 0, 0]));
      }),
      { seed, numRuns: 8 },
    );
  },
);

const first =
  'id\ttitle\tlink\tprice\tavailability\n1\tPot\thttps://shop.example/1\t10.00 USD\tin stock\n';

test('recognizes a supplemental feed, notes its unknown ids, and leaves deals to their source', async () => {
  const { merchant, merchantId, primaryId, supplementId } = await newShop();
  await bring(first, { merchant, feedSourceId: primaryId });
  const text =
    'id\tsale_price\tsale_price_effective_date\tcustom_label_0\n1\t5.00 USD\t2020-01-01/2100-01-01\tx\n7\t2.00 USD\t\tx\n';
  const report = await bring(text, { merchant, feedSourceId: supplementId });
  expect(report).toMatchObject({ state: 'done', counts: { changed: 1, new: 0, ended: 0 } });
  expect(report.issues).toEqual([
    {
      kind: 'note',
      line: null,
      external_id: null,
      reason: expect.stringContaining('only updates') as string,
    },
    {
      kind: 'note',
      line: 3,
      external_id: '7',
      reason: expect.stringContaining('no deal has this id') as string,
    },
  ]);
  expect(await dealsOf(merchantId)).toEqual({
    1: { title: 'Pot', sale: 500, original: 1_000, availability: 'in_stock' },
  });
  const again = await bring(text, { merchant, feedSourceId: supplementId });
  expect(again.counts).toMatchObject({ changed: 0, unchanged: 1 });
  const owner = await database.db
    .selectFrom('deals')
    .select('feed_source_id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  expect(owner?.feed_source_id).toBe(primaryId);
});

test('does not create deals from a supplemental feed that is imported before the primary one', async () => {
  const merchant = 'Shop of later';
  const report = await bring('id,availability\n1,out of stock\n', { merchant });
  expect(report).toMatchObject({ state: 'done', counts: { new: 0, changed: 0 } });
  expect(report.issues.map(({ reason }) => reason)).toContainEqual(
    expect.stringContaining('no deal has this id'),
  );
  const found = database.db.selectFrom('merchants').select('id').where('name', '=', merchant);
  expect(await found.execute()).toEqual([]);
});

test('recognizes a supplemental feed as XML, and leaves an expired deal expired', async () => {
  const { merchant, merchantId, primaryId } = await newShop();
  await bring(first, { merchant, feedSourceId: primaryId });
  const deals = database.db.updateTable('deals').where('merchant_id', '=', merchantId);
  await deals.set({ expires_at: new Date('2026-01-01') }).execute();
  const item = '<item><g:id>1</g:id><g:availability>out of stock</g:availability></item>';
  const xml = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>x</title><link>https://shop.example</link>${item}</channel></rss>`;
  const report = await bring(xml, { merchant });
  expect(report).toMatchObject({ state: 'done', counts: { changed: 1, ended: 0 } });
  const deal = await database.db
    .selectFrom('deals')
    .select(['availability', 'expires_at', 'sale_price'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  expect(deal).toEqual({
    availability: 'out_of_stock',
    expires_at: new Date('2026-01-01'),
    sale_price: 1_000,
  });
});

test('keeps a held price if the supplemental feed has none, and shows changes in a dry run', async () => {
  const { merchant, merchantId, primaryId } = await newShop();
  await bring(first, { merchant, feedSourceId: primaryId });
  await bring(first.replace('10.00', '0.50'), { merchant, feedSourceId: primaryId });
  const text = 'id,availability\n1,out of stock\n';
  const shown = await bring(text, { merchant, dryRun: true });
  expect(shown.counts).toMatchObject({ new: 0, ended: 0 });
  expect(shown.fieldChanges).toEqual({ availability: 1 });
  await bring(text, { merchant });
  const deal = await database.db
    .selectFrom('deals')
    .select(['availability', 'sale_price', 'held_price'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  expect(deal).toEqual({ availability: 'out_of_stock', sale_price: 1_000, held_price: 50 });
});

test('rejects a feed whose unknown columns may be titles', async () => {
  const { merchant } = await newShop();
  const report = await bring('id,price,otsikkoni\n1,5.00 USD,Pata\n', { merchant });
  expect(report).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('title') as string,
  });
});
