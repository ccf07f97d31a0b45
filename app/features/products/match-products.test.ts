import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { matchProducts } from './match-offers.server.ts';
import { mergeProducts, shareNumber } from './merge-products.server.ts';
import { findLinkedProduct, linkDeals, splitDeal } from './review-links.server.ts';
import { undoAct } from './undo-product-act.server.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
const title = 'Lumo Nova 15 Pro 256 GB Black';
let stores: number[] = [];

beforeEach(async () => {
  stores = [];
  for (let n = 0; n < 4; n++) {
    const { id } = await insertMerchant(database.db, { matches_freely: true });
    stores.push(id);
  }
});

async function addOffer(store: number, changes: object = {}): Promise<number> {
  const place = { merchant_id: stores[store] ?? 0 };
  const deal = { title, gtin, sale_price: 90_000, ...place, ...changes };
  return (await insertDeal(database.db, deal)).id;
}

async function match(): Promise<void> {
  await matchProducts(database.db);
}

/** Returns the deals that are offers, by id. */
async function offers(): Promise<number[]> {
  const rows = await database.db
    .selectFrom('deals')
    .select('id')
    .where('product_id', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const links = () =>
  database.db
    .selectFrom('product_links')
    .select(['deal_id', 'from_product', 'to_product', 'actor'])
    .orderBy('id')
    .execute();

describe('matching', () => {
  test('links deals of several stores with one GTIN, and gives the product the shortest title', async () => {
    const one = await addOffer(0, { title: `${title} smartphone` });
    await match();
    expect(await offers()).toEqual([]);
    const two = await addOffer(1);
    await match();
    expect(await offers()).toEqual([one, two]);
    const product = await database.db.selectFrom('products').selectAll().executeTakeFirstOrThrow();
    expect(product).toMatchObject({ title, slug: `lumo-nova-15-pro-256-gb-black-${gtin}` });
    expect(await links()).toEqual(
      [one, two].map((deal_id) => ({
        deal_id,
        from_product: null,
        to_product: product.id,
        actor: null,
      })),
    );
    const versions = await database.db
      .selectFrom('deals')
      .select('version')
      .orderBy('id')
      .execute();
    expect(versions).toEqual([{ version: 1 }, { version: 1 }]);
  });

  test('excludes a different color, and a case with the GTIN of the phone', async () => {
    const [one, two] = [await addOffer(0), await addOffer(1)];
    await addOffer(2, { title: 'Lumo Nova 15 Pro 256 GB Red' });
    await addOffer(3, { title: 'Case for Lumo Nova 15 Pro', sale_price: 1_500 });
    await match();
    expect(await offers()).toEqual([one, two]);
  });

  test('unlinks a deal whose GTIN or title changes, and links it again when the change is reverted', async () => {
    const [one, two, three] = [await addOffer(0), await addOffer(1), await addOffer(2)];
    await match();
    const change = (changes: object) =>
      database.db.updateTable('deals').set(changes).where('id', '=', three).execute();
    await change({ gtin: '4006381333948' });
    expect(await offers()).toEqual([one, two]);
    await match();
    expect(await offers()).toEqual([one, two]);
    await change({ gtin });
    await match();
    expect(await offers()).toEqual([one, two, three]);
    await change({ title: 'Lumo Nova 15 Pro 256 GB Red' });
    await match();
    expect(await offers()).toEqual([one, two]);
    expect((await links()).filter(({ deal_id }) => deal_id === three)).toHaveLength(4);
  });

  test('queues only deals whose GTIN, brand or title changed', async () => {
    const id = await addOffer(0);
    await match();
    const queued = () => database.db.selectFrom('match_checks').select('gtin').execute();
    const change = (changes: object) =>
      database.db.updateTable('deals').set(changes).where('id', '=', id).execute();
    await change({ sale_price: 80_000, availability: 'in_stock', description: 'new' });
    expect(await queued()).toEqual([]);
    await change({ brand: 'Lumo' });
    await change({ gtin: null });
    expect(await queued()).toEqual([{ gtin }, { gtin }]);
  });

  test('links the waiting deals of a store once staff trust the store', async () => {
    const [one, two] = [await addOffer(0), await addOffer(1)];
    const fresh = await insertMerchant(database.db);
    const three = await addOffer(0, { merchant_id: fresh.id });
    await match();
    expect(await offers()).toEqual([one, two]);
    await database.db
      .updateTable('merchants')
      .set({ matches_freely: true })
      .where('id', '=', fresh.id)
      .execute();
    await match();
    expect(await offers()).toEqual([one, two, three]);
  });

  test('does not link deals by a GTIN that staff marked as shared', async () => {
    await addOffer(0);
    await addOffer(1);
    await match();
    const act = (await shareNumber(database.db, 'u1', gtin)) ?? 0;
    expect(await offers()).toEqual([]);
    await addOffer(2);
    await match();
    expect(await offers()).toEqual([]);
    expect(await undoAct(database.db, 'u1', act)).toBe('done');
    await match();
    expect(await offers()).toHaveLength(3);
  });

  test('does not link deals of a new store without a review', async () => {
    const [one, two] = [await addOffer(0), await addOffer(1)];
    const fresh = await insertMerchant(database.db);
    await addOffer(0, { merchant_id: fresh.id });
    await match();
    expect(await offers()).toEqual([one, two]);
  });
});

describe('a review', () => {
  test('links a deal of a new store, and its other deals after fifty reviews', async () => {
    const fresh = (await insertMerchant(database.db)).id;
    const numbers = await sql<{ gtin: string }>`
      select gtin from (select 400000000000 + n as digits from generate_series(1, 51) n) d,
        lateral (select digits::text || (10 - (select sum(substr(digits::text, at, 1)::int * case when at % 2 = 1 then 1 else 3 end)
                   from generate_series(1, 12) at) % 10) % 10 as gtin) g`.execute(database.db);
    const pairs: [number, number][] = [];
    for (const row of numbers.rows) {
      const one = await addOffer(0, { gtin: row.gtin });
      pairs.push([one, await addOffer(0, { gtin: row.gtin, merchant_id: fresh })]);
    }
    await match();
    expect(await offers()).toEqual([]);
    for (const [one, other] of pairs.slice(0, 49)) {
      expect(await linkDeals(database.db, 'u1', one, other)).toBe(true);
    }
    await match();
    expect(await offers()).toHaveLength(98);
    const [one = 0, other = 0] = pairs[49] ?? [];
    expect(await linkDeals(database.db, 'u1', one, other)).toBe(true);
    expect(await linkDeals(database.db, 'u1', one, other)).toBe(false);
    await match();
    expect(await offers()).toHaveLength(102);
  });

  test('keeps a link by staff despite a different color', async () => {
    const [one, two] = [await addOffer(0), await addOffer(1)];
    const blue = await addOffer(2, { title: 'Lumo Nova 15 Pro 256 GB Blue' });
    await match();
    expect(await linkDeals(database.db, 'u1', one, blue)).toBe(true);
    await sql`update deals set title = title || ' new' where id = ${blue}`.execute(database.db);
    await match();
    expect(await offers()).toEqual([one, two, blue]);
  });

  test('keeps the link by staff when the other offer is deleted and restored', async () => {
    const [one, blue] = [
      await addOffer(0),
      await addOffer(1, { title: 'Lumo Nova 15 Pro 256 GB Blue' }),
    ];
    expect(await linkDeals(database.db, 'u1', one, blue)).toBe(true);
    const batch = '00000000-0000-4000-8000-000000000001';
    await database.db.transaction().execute(async (tx) => {
      await deleteDeals(tx, { ids: [one], batch, actor: 'u1' });
    });
    await match();
    expect(await offers()).toEqual([blue]);
    await database.db.transaction().execute(async (tx) => {
      await restoreDeals(tx, { ids: [one], batch });
    });
    await match();
    expect(await offers()).toEqual([one, blue]);
  });

  test('links deals without a GTIN, joins them to a product, and merges products', async () => {
    const [one, two] = [await addOffer(0, { gtin: null }), await addOffer(1, { gtin: null })];
    expect(await linkDeals(database.db, 'u1', one, two)).toBe(true);
    const other = { gtin: '4006381333948' };
    const [three, four] = [await addOffer(2, other), await addOffer(3, other)];
    await match();
    const [five] = [await addOffer(3)];
    expect(await linkDeals(database.db, 'u1', five, one)).toBe(true);
    expect(await linkDeals(database.db, 'u1', three, one)).toBe(true);
    expect(await linkDeals(database.db, 'u1', four, one)).toBe(false);
    expect(await linkDeals(database.db, 'u1', one, 999_999)).toBe(false);
    await match();
    expect(await offers()).toEqual([one, two, three, four, five]);
    const { rows } = await sql`
      select gtin, count(*) over (partition by product_id)::int from product_gtins order by 1`.execute(
      database.db,
    );
    expect(rows).toEqual([
      { gtin, count: 2 },
      { gtin: other.gtin, count: 2 },
    ]);
  });

  test('ends a confirmed link when the deal’s GTIN changes, and restores the link with the GTIN', async () => {
    const change = (id: number, number: string | null) =>
      database.db.updateTable('deals').set({ gtin: number }).where('id', '=', id).execute();
    const [one, two] = [await addOffer(0, { gtin: null }), await addOffer(1)];
    await linkDeals(database.db, 'u1', one, two);
    for (const number of ['4006381333948', null, '4006381333955']) {
      await change(one, number);
      await match();
      expect(await offers()).toEqual([one, two]);
    }
    await change(one, '4006381333948');
    await match();
    expect(await offers()).toEqual([two]);
    await change(one, '4006381333955');
    await match();
    expect(await offers()).toEqual([one, two]);
  });

  test('deletes a linked deal without a GTIN, and restores it into the merged product', async () => {
    const [one, two] = [await addOffer(0, { gtin: null }), await addOffer(1, { gtin: null })];
    await linkDeals(database.db, 'u1', one, two);
    await addOffer(2);
    await addOffer(3);
    await match();
    const batch = '00000000-0000-4000-8000-000000000002';
    await database.db
      .transaction()
      .execute((tx) => deleteDeals(tx, { ids: [one], batch, actor: 'u1' }));
    const [from = 0, into = 0] = await ask(database.db)
      .column<number>`select id from products order by id`;
    const act = (await mergeProducts(database.db, 'u1', from, into)) ?? 0;
    await database.db.transaction().execute((tx) => restoreDeals(tx, { ids: [one], batch }));
    const products = () =>
      ask(database.db).column`select product_id from deals where id in (${one}, ${two})`;
    expect(await products()).toEqual([into, into]);
    expect(await undoAct(database.db, 'u1', act)).toBe('done');
    expect(await products()).toEqual([from, from]);
  });

  test('rejects an undo while one of its deals is in the trash', async () => {
    const [one, two] = [await addOffer(0, { gtin: null }), await addOffer(1, { gtin: null })];
    await linkDeals(database.db, 'u1', one, two);
    const batch = '00000000-0000-4000-8000-000000000003';
    await database.db
      .transaction()
      .execute((tx) => deleteDeals(tx, { ids: [one], batch, actor: 'u1' }));
    const act = (await ask(database.db).value<number>`select id from product_acts`) ?? 0;
    expect(await undoAct(database.db, 'u1', act)).toBe('deleted');
  });

  test('splits off a deal permanently, but can undo that completely', async () => {
    const [one, two, three] = [await addOffer(0), await addOffer(1), await addOffer(2)];
    await match();
    const act = (await splitDeal(database.db, 'u1', three)) ?? 0;
    expect(await splitDeal(database.db, 'u1', three)).toBeNull();
    expect(await findLinkedProduct(database.db, three)).toMatchObject({ title, splitBy: act });
    expect(await findLinkedProduct(database.db, one)).toMatchObject({ title, splitBy: null });
    // An import that changes the title, and another that reverts it, queue the GTIN again.
    await sql`update deals set title = title || ' new' where id = ${three}`.execute(database.db);
    await match();
    expect(await offers()).toEqual([one, two]);
    expect(await undoAct(database.db, 'u1', act)).toBe('done');
    expect(await undoAct(database.db, 'u1', act)).toBe('undone');
    expect(await offers()).toEqual([one, two, three]);
    expect(await database.db.selectFrom('duplicate_dismissals').selectAll().execute()).toEqual([]);
    await sql`insert into match_checks (gtin) values (${gtin})`.execute(database.db);
    await match();
    expect(await offers()).toEqual([one, two, three]);
    const audit = await database.db
      .selectFrom('audit_log')
      .select('action')
      .orderBy('id')
      .execute();
    expect(audit.map(({ action }) => action)).toEqual(['deal.split', 'product.undo']);
  });
});
