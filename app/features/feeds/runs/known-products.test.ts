import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import { rollBackImport } from '../review/roll-back-import.server.ts';
import { importFeed } from './import-feed.server.ts';

// Products keep their deals whether a feed identifies them by ids, codes or links (decision 110).

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'known-products-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;
async function newSource() {
  made += 1;
  const name = `Shop ${made}`;
  const merchant = await insertMerchant(database.db, { name, slug: `shop-${made}` });
  const { id } = await insertFeedSource(database.db, { merchant_id: merchant.id, name });
  return { merchant: name, merchantId: merchant.id, feedSourceId: id };
}
type Source = Awaited<ReturnType<typeof newSource>>;

interface Row {
  id?: string;
  title: string;
  link: string;
  gtin?: string;
  price?: string;
  condition?: string;
}

async function bring(source: Source, rows: readonly Row[]) {
  const names = ['id', 'title', 'link', 'gtin', 'price', 'condition'] as const;
  const file = path.join(folder, 'feed.csv');
  // A feed without ids has no column for ids.
  const used = names.filter((name) => name !== 'id' || rows.some(({ id }) => id !== undefined));
  const lines = rows.map((row) => used.map((name) => row[name] ?? (name === 'price' ? '5' : '')));
  const text = [used, ...lines].map((cells) => `${cells.join(';')}\n`).join('');
  await writeFile(file, text);
  const { merchant, feedSourceId } = source;
  const options = { merchant, feedSourceId, endsMissing: true, mayEndMany: true };
  const report = await importFeed(database.db, { file }, options);
  expect(report.error).toBeNull();
  return report;
}

async function deals({ merchantId }: Source) {
  const { rows } = await sql<{ id: string; title: string; link: string; isLive: boolean }>`
    select external_id as id, title, deal_url as link, not is_expired as "isLive" from deals
     where merchant_id = ${merchantId} order by deals.id`.execute(database.db);
  return rows;
}

const shop = 'https://shop.example';
const gtins = ['4006381333931', '5901234123457', '036000291452'];
const lamp = (n: number, query: string, more: Partial<Row> = {}): Row => ({
  title: `Lamp ${n}`,
  link: `${shop}/p/${n}${query}`,
  ...more,
});
const five = (query: (n: number) => string, more: (n: number) => Partial<Row> = () => ({})) =>
  [1, 2, 3, 4, 5].map((n) => lamp(n, query(n), more(n)));

test('identifies products without ids by their links, regardless of session ids', async () => {
  const source = await newSource();
  await bring(
    source,
    five((n) => `?sid=abc${n}&utm_campaign=day1`),
  );
  const report = await bring(
    source,
    five((n) => `?sid=def${n}&utm_campaign=day2`),
  );
  expect(report.counts).toMatchObject({ new: 0, changed: 5, ended: 0, rejected: 0 });
  expect(await deals(source)).toHaveLength(5);
  expect((await deals(source))[0]).toMatchObject({ id: `${shop}/p/1`, isLive: true });
});

test('finds deals that an older version identified by their whole links', async () => {
  const source = await newSource();
  await bring(
    source,
    five((n) => `?sid=old${n}`),
  );
  await sql`update deals set external_id = deal_url where merchant_id = ${source.merchantId}`.execute(
    database.db,
  );
  const refused = five(
    (n) => `?sid=new${n}`,
    (n) => (n === 5 ? { price: 'ask us' } : {}),
  );
  const report = await bring(source, refused);
  expect(report.counts).toMatchObject({ new: 0, changed: 4, rejected: 1, ended: 0 });
  expect((await deals(source)).map(({ id, isLive }) => [id, isLive])).toEqual(
    [1, 2, 3, 4, 5].map((n) => [`${shop}/p/${n}?sid=old${n}`, true]),
  );
});

test('uses the deal with the longest history if an older version duplicated the shop’s deals', async () => {
  const source = await newSource();
  await bring(source, [lamp(1, '?sid=1')]);
  await sql`
    update deals set external_id = deal_url where merchant_id = ${source.merchantId}`.execute(
    database.db,
  );
  await sql`
    insert into deals (slug, title, sale_price, deal_url, external_id, category_id, merchant_id, feed_source_id)
      select slug || '-2', title, sale_price, ${`${shop}/p/1?sid=2`}, ${`${shop}/p/1?sid=2`}, category_id, merchant_id, feed_source_id
        from deals where merchant_id = ${source.merchantId}`.execute(database.db);
  const report = await bring(source, [lamp(1, '?sid=3')]);
  expect(report.counts).toMatchObject({ new: 0, changed: 1, ended: 1 });
  expect((await deals(source)).map(({ isLive }) => isLive)).toEqual([true, false]);
});

test('identifies products by GTIN when their links change or are swapped', async () => {
  const source = await newSource();
  const [one, two] = gtins;
  await bring(source, [
    { title: 'Lamp', link: `${shop}/a`, gtin: one ?? '' },
    { title: 'Bike', link: `${shop}/b`, gtin: two ?? '' },
  ]);
  const report = await bring(source, [
    { title: 'Lamp', link: `${shop}/b`, gtin: one ?? '' },
    { title: 'Bike', link: `${shop}/a`, gtin: `0${two}` },
    { title: 'Lamp, used', link: `${shop}/b`, gtin: one ?? '', condition: 'used' },
  ]);
  expect(report.counts).toMatchObject({ new: 1, changed: 2, ended: 0, rejected: 0 });
  expect((await deals(source)).map(({ title, link }) => [title, link])).toEqual([
    ['Lamp', `${shop}/b`],
    ['Bike', `${shop}/a`],
    ['Lamp, used', `${shop}/b`],
  ]);
});

test('distinguishes products that differ in their title and in an ignored parameter', async () => {
  const source = await newSource();
  const rows = [
    { title: 'Lamp', link: `${shop}/show?sid=1` },
    { title: 'Bike', link: `${shop}/show?sid=2` },
  ];
  expect((await bring(source, rows)).counts).toMatchObject({ new: 2, rejected: 0 });
  expect((await bring(source, rows)).counts).toMatchObject({ unchanged: 2, ended: 0 });
  const moved = rows.map(({ title, link }) => ({ title, link: `${link}7` }));
  expect((await bring(source, moved)).counts).toMatchObject({ new: 0, changed: 2, ended: 0 });
  const double = await bring(source, [
    { title: 'Lamp', link: `${shop}/show?sid=5` },
    { title: 'Lamp', link: `${shop}/show?sid=6` },
  ]);
  expect(double.counts).toMatchObject({ new: 0, changed: 1, rejected: 1, ended: 1 });
});

test('keeps one deal per product when ids appear, disappear and return', async () => {
  const source = await newSource();
  const ids = (n: number) => ({ id: `A${n}` });
  const link = (day: number) => (n: number) => `?sid=${day}${n}`;
  await bring(source, five(link(1)));
  const came = await bring(source, five(link(2), ids));
  expect(came.counts).toMatchObject({ new: 0, changed: 5, ended: 0 });
  expect((await deals(source)).map(({ id }) => id)).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
  for (const rows of [five(link(3)), five(link(4), ids), five(link(5)), five(link(6), ids)]) {
    const report = await bring(source, rows);
    expect(report.counts).toMatchObject({ new: 0, changed: 5, ended: 0, rejected: 0 });
  }
  expect((await deals(source)).map(({ id, isLive }) => [id, isLive])).toEqual(
    [1, 2, 3, 4, 5].map((n) => [`A${n}`, true]),
  );
  const renumbered = await bring(
    source,
    five(link(7), (n) => ({ id: `B${n}` })),
  );
  expect(renumbered.counts).toMatchObject({ new: 5, ended: 5 });
});

test('restores the former ids when a run is rolled back', async () => {
  const source = await newSource();
  await bring(
    source,
    five((n) => `?sid=1${n}`),
  );
  const before = await deals(source);
  const { runId } = await bring(
    source,
    five(
      (n) => `?sid=2${n}`,
      (n) => ({ id: `A${n}` }),
    ),
  );
  expect(await rollBackImport(database.db, 'u1', runId ?? 0)).toMatchObject({
    ok: true,
    counts: { restored: 5, removed: 0, skipped: 0 },
  });
  expect(await deals(source)).toEqual(before);
});

test('creates a new deal when the code of a link’s product changes', async () => {
  const source = await newSource();
  await bring(source, [lamp(1, '', { gtin: gtins[0] ?? '' })]);
  const report = await bring(source, [
    { title: 'Bike', link: `${shop}/p/1?sid=2`, gtin: gtins[1] ?? '' },
  ]);
  expect(report.counts).toMatchObject({ new: 1, ended: 1 });
});

// Each product has a link, and some have a code. Each day lists them with or without ids and
// sessions.
const day = fc.record({
  products: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
  how: fc.constantFrom('ids', 'links', 'sessions', 'codes'),
  session: fc.integer({ min: 1, max: 99 }),
});

test('never duplicates a product, in any order of feeds with and without ids', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 2, maxLength: 6 }), async (days) => {
      const source = await newSource();
      const seen = new Set<number>();
      let before = await deals(source);
      let runId = 0;
      for (const { products, how, session } of days) {
        const rows = products.map((n) =>
          lamp(n, how === 'sessions' ? `?sid=${session}` : '', {
            ...(how === 'ids' && { id: `A${n}` }),
            ...(how === 'codes' && { gtin: gtins[n] ?? '' }),
          }),
        );
        before = await deals(source);
        const report = await bring(source, rows);
        runId = report.runId ?? 0;
        expect(report.counts.rejected).toBe(0);
        expect(report.counts.new).toBe(products.filter((n) => !seen.has(n)).length);
        for (const n of products) seen.add(n);
        const now = await deals(source);
        expect(now.map(({ title }) => title).toSorted()).toEqual(
          [...seen].map((n) => `Lamp ${n}`).toSorted(),
        );
        expect(
          now
            .filter(({ isLive }) => isLive)
            .map(({ title }) => title)
            .toSorted(),
        ).toEqual(products.map((n) => `Lamp ${n}`).toSorted());
      }
      await rollBackImport(database.db, 'u1', runId);
      expect((await deals(source)).map(({ id, title }) => [id, title])).toEqual(
        before.map(({ id, title }) => [id, title]),
      );
    }),
    { numRuns: 20 },
  );
});
