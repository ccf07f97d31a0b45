import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { describeReductions } from './describe-reductions.ts';
import { importFeed, type ImportOptions } from './import-feed.server.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'any-shop-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fixture = (name: string) =>
  readFile(fileURLToPath(new URL(`../formats/fixtures/${name}`, import.meta.url)));

async function run(content: string | Uint8Array, options: Partial<ImportOptions> = {}) {
  const file = path.join(folder, 'feed');
  await writeFile(file, content);
  return importFeed(database.db, { file }, { merchant: 'Example Shop', ...options });
}

const deals = () =>
  database.db
    .selectFrom('deals')
    .innerJoin('categories', 'categories.id', 'deals.category_id')
    .select(['external_id', 'sale_price', 'original_price', 'deal_url', 'is_expired'])
    .select('categories.name as category')
    .orderBy('external_id')
    .execute();

const header = 'id,title,link,price,old price,currency,product type,end date\n';

describe('the site’s currency', () => {
  test('rejects prices in a currency other than the site’s, and assumes the site’s if none is given', async () => {
    await writeSiteSetting(database.db, 'currency', 'EUR', 'test');
    const report = await run(
      `${header}1,Cup,https://x.example/1,5 USD,,,Home,\n2,Pot,https://x.example/2,7,,,Home,\n3,Pan,https://x.example/3,"9,50 EUROS",,,Home,\n4,Lid,https://x.example/4,9,,dollars,Home,\n`,
    );
    expect(report.counts).toMatchObject({ new: 2, rejected: 2 });
    expect(report.issues.map(({ reason }) => reason)).toEqual([
      "sale price is in USD, but this site's currency is EUR",
      "sale price is in USD, but this site's currency is EUR",
    ]);
    expect((await deals()).map((deal) => deal.sale_price)).toEqual([700, 950]);
  });

  test('rejects all rows of a source with prices in another currency', async () => {
    const report = await run(`${header}1,Cup,https://x.example/1,5,,,Home,\n`, {
      feedCurrency: 'GBP',
    });
    expect(report.counts).toMatchObject({ new: 0, rejected: 1 });
    expect(report.issues[0]?.reason).toBe("sale price is in GBP, but this site's currency is USD");
  });
});

describe('values that some feeds omit', () => {
  test('puts a product without a category into "Uncategorised", and leaves it where staff moved it', async () => {
    const feed = `${header}1,Cup,https://x.example/1,5,,,,\n2,Pot,https://x.example/2,5,,,166,\n`;
    expect((await run(feed)).counts).toMatchObject({ new: 2, rejected: 0 });
    expect((await deals()).map(({ category }) => category)).toEqual([
      'Uncategorised',
      'Uncategorised',
    ]);
    const { id } = await database.db
      .insertInto('categories')
      .values({ name: 'Kitchen', slug: 'kitchen', icon: 'home' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.db
      .updateTable('deals')
      .set({ category_id: id })
      .where('external_id', '=', '1')
      .execute();
    await run(feed.replace('Cup', 'Tea cup'));
    expect((await deals())[0]).toMatchObject({ external_id: '1', category: 'Kitchen' });
  });

  test('skips a row that has already expired, and reports it', async () => {
    const report = await run(
      `${header}1,Cup,https://x.example/1,5,,,Home,2020-01-31\n2,Pot,https://x.example/2,5,,,Home,\n`,
    );
    expect(report.issues).toEqual([
      { kind: 'note', line: 2, external_id: '1', reason: 'expired: its end was 2020-01-31' },
    ]);
    expect((await deals()).map((deal) => deal.is_expired)).toEqual([true, false]);
  });

  test('completes the links of a Shopify export with the shop’s URL, and reports a missing URL', async () => {
    const shopify = await fixture('shopify-csv.csv');
    const without = await run(shopify);
    expect(without.counts).toMatchObject({ new: 0, rejected: 3 });
    expect(without.issues[0]?.reason).toBe(
      'no link: this feed has none; enter the shop address in the source’s settings or with --shop',
    );
    const report = await run(shopify, { shop: 'https://mills.example/' });
    expect(report.counts).toMatchObject({ new: 2, folded: 1, reduced: 2 });
    expect(await deals()).toMatchObject([
      // The size that is in stock has no sale price.
      { external_id: 'linen-shirt', sale_price: 4_500, original_price: null },
      {
        external_id: 'oak-stool',
        sale_price: 12_050,
        original_price: 15_000,
        deal_url: 'https://mills.example/products/oak-stool',
      },
    ]);
  });

  test('imports Awin, YML and JSON of any shape with their old prices', async () => {
    await writeSiteSetting(database.db, 'currency', 'RUB', 'test');
    const report = await run(await fixture('yandex-yml.xml'));
    expect(report.counts).toMatchObject({ new: 2, reduced: 1 });
    const nested = JSON.stringify({
      meta: { pages: 1 },
      result: { goods: [{ product: { name: 'Cup' }, go: '/1', cost: { now: '5', before: '8' } }] },
    });
    const mapping = {
      title: 'product.name',
      deal_url: 'go',
      sale_price: 'cost.now',
      original_price: 'cost.before',
    };
    const mapped = await run(nested, { mapping, shop: 'https://x.example' });
    expect(mapped).toMatchObject({ error: null, counts: { new: 1, reduced: 1 } });
    expect((await deals()).find(({ external_id }) => external_id === '/1')).toMatchObject({
      deal_url: 'https://x.example/1',
      sale_price: 500,
      original_price: 800,
    });
  });
});

describe('a dry run', () => {
  test('lists sale prices and changes to every field in a dry run', async () => {
    const line = (title: string, price: number, old: string) =>
      `1,${title},https://x.example/1,${price},${old},,Home,\n`;
    await run(header + line('Cup', 5, ''));
    const file = path.join(folder, 'feed');
    await writeFile(file, header + line('Tea cup', 4, '6'));
    const runId = await database.db
      .insertInto('import_runs')
      .values({ source_name: 'feed', format: 'auto', state: 'queued', is_dry_run: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    const report = await importFeed(
      database.db,
      { file },
      { merchant: 'Example Shop', dryRun: true, runId: runId.id },
    );
    expect(report.fieldChanges).toEqual({ title: 1, sale_price: 1, original_price: 1 });
    const kept = await database.db
      .selectFrom('import_runs')
      .select(['preview', 'field_changes', 'rows_reduced'])
      .where('id', '=', runId.id)
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ field_changes: report.fieldChanges, rows_reduced: 1 });
    expect(kept.preview).toMatchObject([
      {
        before: 500,
        after: 400,
        fields: [
          { field: 'original_price', before: null, after: '600' },
          { field: 'title', before: 'Cup', after: 'Tea cup' },
        ],
      },
    ]);
  });

  test('counts rows with a sale price in a dry run, and warns if there are few', () => {
    expect(describeReductions(12, 100)).toBe(
      '12% of rows have a sale price; fewer than in most feeds: check the mapping',
    );
    expect(describeReductions(34, 100)).toBe('34% of rows have a sale price');
    expect(describeReductions(1, 1_000)).toContain('Less than 1% of rows');
    expect(describeReductions(0, 0)).toBeNull();
  });
});
