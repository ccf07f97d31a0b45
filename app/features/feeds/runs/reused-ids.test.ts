import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { answerProducts, listProductQuestions } from '../review/answer-products.server.ts';
import { rollBackImport } from '../review/roll-back-import.server.ts';
import { importFeed } from './import-feed.server.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reused-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lamp = {
  title: 'Brass desk lamp',
  link: 'lamp',
  brand: 'Lumen',
  gtin: '4006381333931',
  price: '40',
};
const bike = {
  title: 'Gravel bike 28',
  link: 'bike',
  brand: 'Velo',
  gtin: '5901234123457',
  price: '900',
};
type Product = typeof lamp;

async function run(product: Product, dryRun = false) {
  const file = path.join(folder, 'feed.csv');
  const { title, link, brand, gtin, price } = product;
  await writeFile(
    file,
    `id,title,link,brand,gtin,price,product type\n1,${title},https://shop.example/${link},${brand},${gtin},${price},Home\n`,
  );
  return importFeed(database.db, { file }, { merchant: 'Example Shop', dryRun });
}

function deals() {
  return database.db
    .selectFrom('deals')
    .select(['id', 'slug', 'title', 'external_id', 'is_expired', 'sale_price'])
    .orderBy('id')
    .execute();
}

async function lines(dealId: number) {
  const log = database.db.selectFrom('price_log').select('sale_price');
  const rows = await log.where('deal_id', '=', dealId).orderBy('id').execute();
  return rows.map(({ sale_price }) => sale_price);
}

const lampDeal = { slug: 'brass-desk-lamp', title: lamp.title, sale_price: 4_000 };
const bikeDeal = { slug: 'gravel-bike-28', title: bike.title, sale_price: 90_000 };

describe('an id that refers to another product', () => {
  test.each([
    ['has another GTIN', { ...bike, brand: lamp.brand }],
    ['has another title, link and brand, and no GTIN', { ...bike, gtin: '' }],
  ])('ends the deal and creates a new one when an id’s row %s', async (_, product) => {
    await run(lamp);
    const previewed = await run(product, true);
    expect(previewed.counts).toMatchObject({ new: 1, ended: 1, changed: 0 });
    const report = await run(product);
    expect(report.counts).toMatchObject({ new: 1, ended: 1, changed: 0, held: 0 });
    expect(report.issues).toEqual([
      {
        kind: 'note',
        line: 2,
        external_id: '1',
        reason:
          'another product has this id now: /deals/brass-desk-lamp ends, and a new deal is created',
      },
    ]);
    const [old, made] = await deals();
    expect(old).toMatchObject({ ...lampDeal, external_id: null, is_expired: true });
    expect(made).toMatchObject({ ...bikeDeal, external_id: '1', is_expired: false });
    // Neither log has a price of the other product.
    expect([await lines(old?.id ?? 0), await lines(made?.id ?? 0)]).toEqual([[4_000], [90_000]]);
    expect((await run(product)).counts).toMatchObject({ unchanged: 1, new: 0 });
  });

  test('returns a reused id to its former deal when the run is rolled back', async () => {
    await run(lamp);
    const { runId } = await run(bike);
    expect(await rollBackImport(database.db, 'cli', runId ?? 0)).toMatchObject({
      ok: true,
      counts: { restored: 1, removed: 1 },
    });
    expect(await deals()).toMatchObject([{ ...lampDeal, external_id: '1', is_expired: false }]);
    expect((await run(lamp)).counts).toMatchObject({ unchanged: 1, new: 0 });
  });

  test.each([
    ['the title changes alone', { ...lamp, gtin: '', title: 'Reading light in brass' }],
    ['half of the words stay', { ...bike, gtin: '', title: 'Large brass lamp' }],
    ['the GTIN is the same', { ...bike, gtin: lamp.gtin }],
    ['the GTIN is written with zeros in front', { ...bike, gtin: `0${lamp.gtin}` }],
  ])('identifies the same product when %s', async (_, product) => {
    await run(lamp);
    expect((await run(product)).counts).toMatchObject({ changed: 1, new: 0, held: 0, ended: 0 });
    expect(await deals()).toHaveLength(1);
  });
});

describe('an id that may refer to another product', () => {
  const doubtful = { ...bike, gtin: '', brand: lamp.brand };

  beforeEach(async () => {
    await run(lamp);
    await run(doubtful);
  });

  const waiting = () => listProductQuestions(database.db, { offset: 0, limit: 10 });
  const answer = async (given: 'same' | 'other') =>
    answerProducts(database.db, 'cli', given, [(await deals())[0]?.id ?? 0]);

  test('reports an id that may refer to another product, and leaves its deal unchanged', async () => {
    const report = await run(doubtful);
    expect(report.counts).toMatchObject({ held: 1, new: 0, changed: 0, ended: 0 });
    expect(report.issues).toMatchObject([
      { kind: 'held', reason: expect.stringContaining('another product than /deals/brass-desk-l') },
    ]);
    expect(await deals()).toMatchObject([{ ...lampDeal, external_id: '1', is_expired: false }]);
  });

  test('holds a doubtful product until the feed lists the deal’s product again', async () => {
    expect(await waiting()).toMatchObject({ total: 1, rows: [{ row: { title: bike.title } }] });
    await run(lamp);
    expect(await waiting()).toMatchObject({ total: 0 });
  });

  test('updates the deal with the next import when staff confirm a doubtful product', async () => {
    expect(await answer('same')).toBe(1);
    expect((await run(doubtful)).counts).toMatchObject({ changed: 1, new: 0 });
    expect(await deals()).toMatchObject([{ title: bike.title, external_id: '1' }]);
    expect(await waiting()).toMatchObject({ total: 0 });
  });

  test('ends the deal immediately when staff decide that the product is another one', async () => {
    expect(await answer('other')).toBe(1);
    expect(await deals()).toMatchObject([{ ...lampDeal, external_id: null, is_expired: true }]);
    expect((await run(doubtful)).counts).toMatchObject({ new: 1, changed: 0 });
    expect(await deals()).toMatchObject([lampDeal, { ...bikeDeal, external_id: '1' }]);
  });

  test('lets staff decide on doubtful products on their page, one by one or all at once', async () => {
    const site = testSite(database);
    const { cookie } = await signIn(database, { role: 'admin', full_name: 'Ada Byron' });
    const headers = { cookie };
    const page = '/admin/imports/products';
    const shown = textOf((await site.page(page, { headers })).html);
    expect(shown).toContain('Brass desk lamp');
    expect(shown).toContain('Gravel bike 28');
    const send = (fields: Record<string, string>) =>
      site.page(page, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const all = { intent: 'bulk', verb: 'other', all: '1' };
    await send({ ...all, expected: '7' });
    expect(await deals()).toMatchObject([{ is_expired: false }]);
    await send({ ...all, expected: '1' });
    expect(await deals()).toMatchObject([{ is_expired: true }]);
    expect((await site.page(page, { headers })).html).toContain('No products to review');
    expect((await send({ intent: 'other' })).status).toBe(400);
  });
});

test('holds all products for review when a feed reuses most of its ids at once', async () => {
  const file = path.join(folder, 'many.csv');
  const write = (of: (n: number) => string) =>
    writeFile(
      file,
      `id,title,link,gtin,price,product type\n${Array.from({ length: 25 }, (_, n) => of(n)).join('\n')}\n`,
    );
  const gtin = (n: number) => {
    const twelve = String(400_000_000_000 + n);
    const sum = twelve
      .split('')
      .reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
    return `${twelve}${(10 - (sum % 10)) % 10}`;
  };
  const options = { merchant: 'Example Shop' };
  await write((n) => `${n},Lamp ${n},https://shop.example/${n},${gtin(n)},40,Home`);
  await importFeed(database.db, { file }, options);
  await write((n) => `${n},Lamp ${n + 1},https://shop.example/${n + 1},${gtin(n + 1)},40,Home`);
  const report = await importFeed(database.db, { file }, options);
  expect(report.counts).toMatchObject({ held: 25, ended: 0, new: 0 });
});
