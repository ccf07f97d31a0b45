import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { importFeed, type ImportOptions } from './import-feed.server.ts';

// Runs of one feed whose number notation changes from day to day.

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prices-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(written: readonly string[], options: Partial<ImportOptions> = {}) {
  const rows = written.map((price, n) => `p${n};Lamp ${n};https://shop.example/${n};${price}`);
  const file = path.join(folder, 'feed.csv');
  await writeFile(file, ['id;title;link;price', ...rows, ''].join('\n'));
  return importFeed(database.db, { file }, { merchant: 'Example Shop', ...options });
}

async function prices(): Promise<Record<string, number>> {
  const deals = await database.db
    .selectFrom('deals')
    .select(['external_id', 'sale_price'])
    .execute();
  return Object.fromEntries(deals.map((deal) => [deal.external_id ?? '', deal.sale_price]));
}

test('does not change prices when a feed changes its convention or is imported again', async () => {
  const known = { p0: 129_900, p1: 1_999 };
  await run(['1,299', '19.99']);
  expect(await prices()).toEqual(known);
  for (const feed of [
    ['1.299', '19,99'],
    ['1.299', '19,99'],
    ['1 299', '19.99'],
  ]) {
    expect(await run(feed)).toMatchObject({ counts: { unchanged: 2, changed: 0, rejected: 0 } });
  }
  expect(await prices()).toEqual(known);
});

test('rejects a price that is ambiguous on one day, and reads it once the feed reveals its notation', async () => {
  const asked = await run(['1.299', '25']);
  expect(asked).toMatchObject({
    counts: { new: 1, rejected: 1 },
    issues: [{ kind: 'rejected', external_id: 'p0' }],
  });
  expect(await run(['1.299', '25,50'])).toMatchObject({ counts: { new: 1, changed: 1 } });
  expect(await prices()).toEqual({ p0: 129_900, p1: 2_550 });
  // The previous price remains while the new one is ambiguous.
  expect(await run(['1.199', '25'])).toMatchObject({ counts: { rejected: 1, changed: 1 } });
  expect(await prices()).toEqual({ p0: 129_900, p1: 2_500 });
});

test('reads prices in a dry run as in a real one', async () => {
  const feed = ['1.299', '19,99', '0,990'];
  const dry = await run(feed, { dryRun: true });
  expect(dry).toMatchObject({ counts: { new: 3, rejected: 0 } });
  expect((await run(feed)).counts).toEqual(dry.counts);
  expect(await prices()).toEqual({ p0: 129_900, p1: 1_999, p2: 99 });
});

test('reads prices in minor units if the source specifies that', async () => {
  await run(['1999', '25'], { decimalMark: 'none' });
  expect(await prices()).toEqual({ p0: 1_999, p1: 25 });
});
