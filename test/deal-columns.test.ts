import { sql } from 'kysely';
import pg from 'pg';
import { createElement } from 'react';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DealForm } from '#app/admin/deals/deal-form.tsx';
import { dealFormFields } from '#app/admin/deals/deal-form-labels.ts';
import { dealFormValues } from '#app/admin/deals/read-deal-form.server.ts';
import { fieldLabel } from '#app/admin/imports/import-words.ts';
import { sqlTypes } from '#app/features/deals/deal-column-sql.server.ts';
import { type DealColumn, dealColumns } from '#app/features/deals/deal-columns.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { dealInput } from '#app/features/deals/deal-input.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { dealExportHeadings, exportDeals } from '#app/features/deals/export-deals.server.ts';
import { duplicateDeal } from '#app/features/deals/manage-deal.server.ts';
import { findEditableDeal } from '#app/features/deals/publish-deal.server.ts';
import { checkFeedRow } from '#app/features/feeds/formats/check-feed-row.ts';
import { type FeedField, feedFields } from '#app/features/feeds/formats/feed-fields.ts';
import { makePlan } from '#app/features/feeds/runs/import-plan-queries.server.ts';
import { finishRun, startRun } from '#app/features/feeds/runs/import-run-queries.server.ts';
import { rollBackImport } from '#app/features/feeds/review/roll-back-import.server.ts';
import {
  createStage,
  type StagedRow,
  stageRows,
} from '#app/features/feeds/runs/stage-rows.server.ts';
import { writeBatch } from '#app/features/feeds/runs/write-plan-queries.server.ts';
import { deal as apiDeal, dealDetail as apiDetail } from '#app/features/public-api/api-schemas.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { encodeDealDetail } from '#app/features/public-api/encode-deal.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { sessionsOf, type Db } from '#database/connect.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { useTestDatabase } from '#test/database.ts';
import { render, testSiteFacts } from '#test/render-component.tsx';

// Each field of a deal is declared once, in deal-columns.ts. These tests declare an unknown column
// and add it to the table. Code derived from the declaration must handle the column. For
// hand-written code, a test must fail and name its file.

const database = useTestDatabase();
const pretended = 'color';
/** Loosely typed, so that the tests can look up a name that no type contains. */
const declared: Record<string, DealColumn> = dealColumns;
const uses: DealColumn['uses'] = ['form', 'feed', 'announced', 'exported', 'detail'];

beforeAll(async () => {
  await sql`alter table deals add column color text`.execute(database.db);
  declared[pretended] = { type: 'text', label: 'Color', uses };
});
afterAll(() => {
  delete declared[pretended];
});

type Values = Record<string, unknown>;
type Sample = Required<
  Omit<NewDeal, 'id' | 'merchant_id' | 'category_id' | 'feed_source_id' | 'product_id'> & {
    color: string;
  }
>;

const run = { feed_source_id: null, source_name: 'feed', format: 'csv', started_by: 'test' };
const anEnd = new Date('2190-01-01');
/** A deal with a value in every column. */
const full: Sample = {
  title: 'Kettle',
  slug: 'kettle',
  description: 'Boils.',
  sale_price: 2000,
  original_price: 3000,
  held_price: 100,
  currency: 'USD',
  waits_for_price: false,
  currency_since: new Date('2026-01-03'),
  coupon_code: 'OLD',
  is_active: true,
  is_featured: true,
  availability: 'in_stock',
  status: 'used',
  condition: 'good',
  seller_type: 'third_party',
  brand: 'Lumo',
  gtin: '4006381333931',
  mpn: 'KT-100',
  item_group_id: 'kt',
  net_contents: '700 g',
  shipping_cost: 495,
  deal_url: 'https://shop.example/kettle',
  image_url: 'https://shop.example/kettle.webp',
  expires_at: anEnd,
  created_at: new Date('2026-01-01'),
  low_30_before: 1900,
  reference_price: 1950,
  price_source: 'import',
  price_since: new Date('2026-01-02'),
  price_checked_at: new Date('2026-01-03'),
  held_at: new Date('2026-01-04'),
  is_expired: false,
  refused_price: 90,
  product_confirmed: false,
  external_id: 'k-1',
  updated_at: new Date('2026-01-05'),
  version: 4,
  is_demo: false,
  link_checked_at: new Date('2026-01-06'),
  link_missed_at: new Date('2026-01-07'),
  link_broken_since: new Date('2026-01-08'),
  link_trusted_at: new Date('2026-01-09'),
  color: 'red',
};
/** A different value for each column. */
const other: Sample = {
  title: 'Pot',
  slug: 'pot',
  description: 'Cooks.',
  sale_price: 1500,
  original_price: 2500,
  held_price: 80,
  currency: 'EUR',
  waits_for_price: true,
  currency_since: null,
  coupon_code: 'NEW',
  is_active: false,
  is_featured: false,
  availability: 'out_of_stock',
  status: 'new',
  condition: 'like_new',
  seller_type: 'amazon',
  brand: 'Vela',
  gtin: '96385074',
  mpn: 'PT-200',
  item_group_id: 'pt',
  net_contents: '12 ct',
  shipping_cost: 0,
  deal_url: 'https://shop.example/pot',
  image_url: 'https://shop.example/pot.webp',
  expires_at: new Date('2191-01-01'),
  created_at: new Date('2026-02-01'),
  low_30_before: 1800,
  reference_price: 1850,
  price_source: 'feed',
  price_since: new Date('2026-02-02'),
  price_checked_at: new Date('2026-02-03'),
  held_at: new Date('2026-02-04'),
  is_expired: true,
  refused_price: 70,
  product_confirmed: true,
  external_id: 'k-2',
  updated_at: new Date('2026-02-05'),
  version: 5,
  is_demo: true,
  link_checked_at: new Date('2026-02-06'),
  link_missed_at: new Date('2026-02-07'),
  link_broken_since: new Date('2026-02-08'),
  link_trusted_at: new Date('2026-02-09'),
  color: 'blue',
};

let places = { merchant_id: 0, category_id: 0 };
beforeEach(async () => {
  const { db } = database;
  const [merchant, category] = [await insertMerchant(db), await insertCategory(db)];
  places = { merchant_id: merchant.id, category_id: category.id };
});

async function fullDeal(): Promise<number> {
  return (await insertDeal(database.db, { ...full, ...places })).id;
}

async function rowOf(id: number): Promise<Values> {
  const { rows } = await sql<Values>`select * from deals where id = ${id}`.execute(database.db);
  return rows[0] ?? {};
}

function namesFor(...wanted: DealColumn['uses'][number][]): string[] {
  return Object.keys(declared).filter((name) =>
    declared[name]?.uses.some((use) => wanted.includes(use)),
  );
}

/** A staged feed row, with every column that a feed may set. */
function staged(values: object): StagedRow {
  const all: Values = { ...values };
  const told = Object.fromEntries(namesFor('feed').map((name) => [name, all[name]]));
  return {
    ...places,
    ...told,
    line: 1,
    external_id: 'k-1',
    n: 1,
    is_variant: false,
    slug_base: 'kettle',
    new_category: null,
  } as unknown as StagedRow;
}

function inSession<T>(work: (session: Db) => Promise<T>): Promise<T> {
  return sessionsOf(database.db).connection().execute(work);
}

async function plan(session: Db, values: object): Promise<string | undefined> {
  await createStage(session);
  await stageRows(session, [staged(values)], []);
  await makePlan(session, places.merchant_id);
  const { rows } = await sql<{ action: string }>`select action from pg_temp.import_plan`.execute(
    session,
  );
  return rows[0]?.action;
}

async function writeOther(): Promise<{ id: number; runId: number }> {
  const id = await fullDeal();
  const { db } = database;
  const runId = await startRun(db, { ...run, merchant_id: places.merchant_id });
  await inSession(async (session) => {
    await plan(session, other);
    await writeBatch(
      session,
      { after: 0, upTo: 1 },
      {
        runId,
        currency: 'USD',
        merchantId: places.merchant_id,
        priceSource: 'feed',
        sourceId: null,
      },
    );
  });
  return { id, runId };
}

/** Returns the columns whose values are equal. */
const alike = (names: string[], a: Values, b: Values): string[] =>
  names.filter((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));

describe('a newly declared column', () => {
  test('adds a new column to the import’s staging table', async () => {
    const row = await inSession(async (session) => {
      await createStage(session);
      await stageRows(session, [staged(full)], []);
      return (await sql<Values>`select * from pg_temp.import_rows`.execute(session)).rows[0] ?? {};
    });
    expect(alike(namesFor('feed'), row, full)).toEqual(namesFor('feed'));
  });

  test('writes a deal in an import if only a new column changes', async () => {
    await database.db
      .insertInto('deals')
      .values({ ...full, ...places, held_price: null, held_at: null, refused_price: null })
      .execute();
    const known = await inSession(async (session) => {
      expect(await plan(session, full)).toBe('same');
      const changed: Values = { ...other };
      const found: string[] = [];
      for (const name of namesFor('feed')) {
        const values = { ...full, [name]: changed[name] };
        // A different GTIN alone means another product, and thus a new deal.
        if ((await plan(session, values)) === (name === 'gtin' ? 'new' : 'write')) found.push(name);
      }
      return found;
    });
    expect(known).toEqual(namesFor('feed'));
  });

  test('writes a new column in an import', async () => {
    const { id } = await writeOther();
    expect(alike(namesFor('feed'), await rowOf(id), other)).toEqual(namesFor('feed'));
  });

  test('restores a new column in a rollback, unless the run did not store it', async () => {
    const { db } = database;
    const first = await writeOther();
    const columns = namesFor('feed', 'rollback');
    const { held_price, held_at, refused_price } = other;
    await db
      .updateTable('deals')
      .set({ held_price, held_at, refused_price })
      .where('id', '=', first.id)
      .execute();
    await finishRun(db, first.runId, 'done', null);
    expect(await rollBackImport(db, 'test', first.runId)).toMatchObject({ ok: true });
    expect(alike(columns, await rowOf(first.id), { ...full, feed_source_id: null })).toEqual(
      columns,
    );

    await db.deleteFrom('deals').execute();
    const second = await writeOther();
    await sql`update import_changes set before = before - ${pretended}`.execute(db);
    await finishRun(db, second.runId, 'done', null);
    await rollBackImport(db, 'test', second.runId);
    expect(await rowOf(second.id)).toMatchObject({ color: 'blue', brand: 'Lumo' });
  });

  test('copies a new column with a deal', async () => {
    const id = await fullDeal();
    const copy = await duplicateDeal(database.db, 'test', id);
    const changed = new Set(['title', 'slug', 'is_active']);
    const columns = namesFor('form').filter((name) => !changed.has(name));
    expect(alike(columns, await rowOf(copy?.id ?? 0), { ...full, ...places })).toEqual(columns);
  });

  test('restores a new column when a deal’s deletion is undone', async () => {
    const id = await fullDeal();
    const before = await rowOf(id);
    const batch = '00000000-0000-4000-8000-000000000001';
    await database.db.transaction().execute(async (tx) => {
      await deleteDeals(tx, { ids: [id], batch, actor: 'test' });
      await restoreDeals(tx, { ids: [id], batch });
    });
    expect(await rowOf(id)).toEqual(before);
    expect(before).toMatchObject({ color: 'red' });
  });

  test('adds a new column to the export', async () => {
    await fullDeal();
    const cells: unknown[] = [];
    const query = parseTableQuery(dealsTable, new URLSearchParams());
    for await (const row of exportDeals(database.db, query)) cells.push(...row);
    const headings = dealExportHeadings();
    // The product's slug and clicks are not columns of a deal.
    expect(headings).toHaveLength(namesFor('exported').length + 2);
    expect(cells).toHaveLength(headings.length);
    expect(cells).not.toContain(undefined);
    expect(cells[headings.indexOf('Color')]).toBe('red');
  });

  test('adds a new column to staff changes, to the form’s values and fields, and to the feed columns', async () => {
    const deal = await findEditableDeal(database.db, await fullDeal());
    if (!deal) throw new Error('the deal is gone');
    const shown = Object.keys(declared).filter(
      (name) => !declared[name]?.uses.includes('internal'),
    );
    expect(Object.keys(deal).sort()).toEqual(shown.sort());
    expect(
      await dealFormValues(database.db, deal, { currency: 'USD', timeZone: 'UTC' }),
    ).toMatchObject({ color: 'red' });
    expect(dealFormFields()).toContain(pretended);
    expect(fieldLabel(pretended as FeedField)).toBe('Color');
  });

  test('adds a new column to the deal’s page and the API response', async () => {
    const deal = await findDealById(database.db, await fullDeal());
    if (!deal) throw new Error('the deal is gone');
    expect(deal).toMatchObject({ color: 'red', brand: 'Lumo' });

    const told = encodeDealDetail(
      deal,
      { proof: noProof, forecast: null },
      testSiteFacts,
      new Date('2026-03-01'),
    );
    const columns = namesFor('listed', 'detail');
    expect(columns.filter((name) => !(name in told))).toEqual([]);
  });
});

/**
 * Tests hand-written code to which a developer must add a new column. Each test names the file that
 * lacks the column.
 */
describe('a newly declared column missing in hand-written code', () => {
  test('reports a new column that the table lacks, or has with another type', async () => {
    const { rows } = await sql<{ name: string; type: string }>`
      select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = 'deals'::regclass and attnum > 0 and not attisdropped`.execute(database.db);
    const stored = rows.map(({ name, type }) => [
      name,
      type.replace('smallint', 'integer').replace('timestamp with time zone', 'timestamptz'),
    ]);
    const wanted = Object.entries(declared).map(([name, { type }]) => [name, sqlTypes[type]]);
    expect(Object.fromEntries(wanted)).toEqual(Object.fromEntries(stored));
  });

  test('reports a new column that the form’s validation lacks (deal-input.ts)', () => {
    const values: Values = { ...full };
    const typed = Object.fromEntries(namesFor('form').map((name) => [name, values[name] ?? '1']));
    const read = dealInput('USD').parse({
      ...typed,
      sale_price: '20',
      original_price: '30',
      shipping_cost: '5',
    });
    expect(namesFor('form').filter((name) => !(name in read))).toEqual([pretended]);
  });

  test('reports a new column that the form lacks (deal-form.tsx)', () => {
    const form = createElement(DealForm, {
      stored: {},
      answer: undefined,
      categories: [],
      submitLabel: 'Save',
      cancelHref: '/',
    });
    const html = render(form);
    const fields = dealFormFields().filter((name) => !html.includes(`name="${name}"`));
    expect(fields).toEqual([pretended]);
  });

  test('reports a new column without a field for feeds (feed-fields.ts)', () => {
    // Feeds name the condition and group differently.
    const known = new Set<string>([...feedFields, 'status', 'item_group_id']);
    expect(namesFor('feed').filter((name) => !known.has(name))).toEqual([pretended]);
  });

  test('reports a new column that the feed row parser lacks (check-feed-row.ts)', () => {
    const values = {
      external_id: '1',
      title: 'Pot',
      deal_url: 'https://shop.example/1',
      sale_price: '9',
    };
    const rules = { currency: 'USD', now: new Date() };
    const read = checkFeedRow({ line: 1, values }, rules);
    expect(namesFor('feed').filter((name) => !read.ok || !(name in read.row))).toEqual([pretended]);
  });

  test('reports a new column that the API’s schemas lack (api-schemas.ts)', () => {
    const unknown = (names: string[], shape: object) => names.filter((name) => !(name in shape));
    expect(unknown(namesFor('listed'), apiDeal.shape)).toEqual([]);
    expect(unknown(namesFor('listed', 'detail'), apiDetail.shape)).toEqual([pretended]);
    const told = Object.keys(apiDetail.shape).filter((name) => name in declared);
    expect(
      unknown(told, Object.fromEntries(namesFor('listed', 'detail').map((name) => [name, 1]))),
    ).toEqual([]);
  });

  test('reports a new column whose changes the trigger does not announce', async () => {
    const client = new pg.Client({ connectionString: database.url });
    let heard = 0;
    client.on('notification', () => void heard++);
    await client.connect();
    try {
      await client.query('listen pages');
      const moved = await insertMerchant(database.db);
      const elsewhere = await insertCategory(database.db);
      const { id: product_id } = await insertProduct(database.db, { gtin: full.gtin ?? '' });
      const elsewhereIds = { merchant_id: moved.id, category_id: elsewhere.id, product_id };
      const values: Values = { ...other, ...elsewhereIds };
      const announced: string[] = [];
      for (const name of Object.keys(values)) {
        const id = await fullDeal();
        await client.query('select 1'); // By now, earlier notifications have arrived.
        heard = 0;
        const [set, value]: [string, unknown] =
          name === 'is_expired' ? ['expires_at', new Date('2020-01-01')] : [name, values[name]];
        await client.query(`update deals set ${pg.escapeIdentifier(set)} = $1 where id = $2`, [
          value,
          id,
        ]);
        await client.query('select 1');
        if (heard > 0) announced.push(name);
        await database.db.deleteFrom('deals').execute();
      }
      const wanted = namesFor('announced').filter((name) => name !== pretended);
      expect(announced.sort()).toEqual(wanted.sort());
    } finally {
      await client.end();
    }
  });
});
