import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { waitForLock } from '#test/wait-for-lock.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { judgePair, undoDecision, type Verdict, verdicts } from './judge-pair.server.ts';
import { matchProducts } from './match-offers.server.ts';
import { suggestMatches } from './suggest-matches-job.server.ts';
import {
  countSuggestions,
  findLastDecision,
  listSuggestions,
  readRuleRecords,
} from './suggestion-queue.server.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
const black = 'Lumo Nova 15 Pro 256 GB Black';
const red = 'Lumo Nova 15 Pro 256 GB Red';
let category_id = 0;

beforeEach(async () => {
  category_id = (await insertCategory(database.db)).id;
});

async function addDeal(changes: object = {}): Promise<number> {
  const merchant_id = (await insertMerchant(database.db, { matches_freely: true })).id;
  const deal = { title: black, gtin, sale_price: 90_000, category_id, merchant_id, ...changes };
  return (await insertDeal(database.db, deal)).id;
}

async function settle(): Promise<void> {
  await matchProducts(database.db);
  await suggestMatches(database.db);
}

async function pairs(): Promise<number[][]> {
  await settle();
  const found = await listSuggestions(database.db, 1);
  return found.map(({ deals }) => deals.map(({ id }) => id));
}

const judge = (verdict: Verdict, one: number, other: number) =>
  judgePair(database.db, 'u1', verdict, { one, other });

async function undo(): Promise<boolean> {
  const last = await findLastDecision(database.db, 'u1');
  return last !== null && (await undoDecision(database.db, 'u1', last.id));
}

/** Returns all data that a decision changes. */
async function state(): Promise<unknown> {
  await settle();
  const rows = async (query: string) => (await database.pool.query(query)).rows;
  return {
    deals: await rows('select id, product_id, is_active from deals order by id'),
    dismissals: await rows('select deal_id, other_id from duplicate_dismissals order by 1, 2'),
    variants: await rows('select id from products where variant_of is not null order by id'),
    pairs: await rows('select deal_id, other_id, reason from match_suggestions order by 1, 2'),
  };
}

describe('the queue', () => {
  test('lists the most likely pair first, with the better offer first', async () => {
    const one = await addDeal();
    const dear = await addDeal({ title: red, sale_price: 95_000 });
    const part = { brand: 'Lumo', mpn: 'KT-100', gtin: null, title: 'Lumo kettle steel KT-100' };
    const kettle = await addDeal({ ...part, availability: 'out_of_stock' });
    const other = await addDeal(part);
    expect(await pairs()).toEqual([
      [other, kettle],
      [one, dear],
    ]);
    expect(await countSuggestions(database.db)).toBe(2);
  });

  test('omits pairs whose deals are hidden before the job removes the pairs', async () => {
    const [one] = [await addDeal(), await addDeal({ title: red })];
    expect(await pairs()).toHaveLength(1);
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', one)
      .execute();
    expect(await countSuggestions(database.db)).toBe(0);
    expect(await pairs()).toEqual([]);
  });
});

describe('a decision', () => {
  test('links the deals to one product despite a difference', async () => {
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await settle();
    expect(await judge('same', one, other)).toBe(true);
    const deals = await database.db.selectFrom('deals').select('product_id').distinct().execute();
    expect(deals).toEqual([{ product_id: expect.any(Number) }]);
    expect(await pairs()).toEqual([]);
    expect(await judge('same', one, other)).toBe(false);
  });

  test('links deals only together with the record for its undo', async () => {
    const { db } = database;
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await settle();
    let judging: Promise<boolean> = Promise.resolve(false);
    await db.transaction().execute(async (tx) => {
      await sql`lock table match_decisions in share mode`.execute(tx);
      judging = judge('same', one, other);
      await waitForLock(db);
      const linked = db.selectFrom('deals').select('id').where('product_id', 'is not', null);
      expect(await linked.execute()).toEqual([]);
    });
    expect(await judging).toBe(true);
    expect(await undo()).toBe(true);
  });

  test('creates a product and a variant, named by the words that only its title has', async () => {
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await settle();
    expect(await judge('variant', one, other)).toBe(true);
    const products = await database.db
      .selectFrom('products as p')
      .innerJoin('deals as d', 'd.product_id', 'p.id')
      .select(['d.id', 'p.id as product', 'p.variant_of', 'p.variant_label'])
      .orderBy('d.id')
      .execute();
    expect(products).toMatchObject([
      { id: one, variant_of: null, variant_label: 'Black' },
      { id: other, variant_of: products[0]?.product, variant_label: 'Red' },
    ]);
    expect(await pairs()).toEqual([]);
  });

  test('declares all pairs of two products different, even after the next import', async () => {
    const [a, b] = [await addDeal(), await addDeal()];
    const c = await addDeal({ title: red });
    await settle();
    expect(await judge('different', a, c)).toBe(true);
    const refused = await database.db
      .selectFrom('duplicate_dismissals')
      .select(['deal_id', 'other_id'])
      .orderBy('deal_id')
      .execute();
    expect(refused).toEqual([
      { deal_id: a, other_id: c },
      { deal_id: b, other_id: c },
    ]);
    await sql`update deals set title = title || ' new'`.execute(database.db);
    expect(await pairs()).toEqual([]);
    expect(await judge('different', a, c)).toBe(false);
  });

  test('hides only the second deal', async () => {
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await settle();
    expect(await judge('hide', one, other)).toBe(true);
    const active = await database.db
      .selectFrom('deals')
      .select('id')
      .where('is_active', '=', true)
      .execute();
    expect(active).toEqual([{ id: one }]);
  });

  test.each(verdicts)('undoes %s completely but only once, and logs the actor', async (verdict) => {
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await addDeal();
    const before = await state();
    expect(await judge(verdict, one, other)).toBe(true);
    expect(await state()).not.toEqual(before);
    expect(await findLastDecision(database.db, 'u2')).toBeNull();
    expect(await undo()).toBe(true);
    expect(await state()).toEqual(before);
    expect(await undo()).toBe(false);
    const log = await database.db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .orderBy('id')
      .execute();
    expect(log.at(-1)).toEqual({ actor: 'u1', action: 'deal.undo-decision' });
    expect(log.length).toBeGreaterThan(1);
  });

  test('changes nothing when the last step of undoing a variant fails', async () => {
    const { db } = database;
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    await settle();
    await judge('variant', one, other);
    const before = await state();
    await sql`alter table match_suggestions add constraint broken check (false) not valid`.execute(
      db,
    );
    await expect(undo()).rejects.toThrow('broken');
    await sql`alter table match_suggestions drop constraint broken`.execute(db);
    expect(await state()).toEqual(before);
    expect(await undo()).toBe(true);
  });

  test('undoes only the last decision', async () => {
    const [one, other] = [await addDeal(), await addDeal({ title: red })];
    const blue = await addDeal({ title: 'Lumo Nova 15 Pro 256 GB Blue' });
    await settle();
    await judge('different', one, other);
    const first = await findLastDecision(database.db, 'u1');
    await judge('different', one, blue);
    expect(await undoDecision(database.db, 'u1', first?.id ?? 0)).toBe(false);
    expect([await undo(), await undo()]).toEqual([true, true]);
    expect(await findLastDecision(database.db, 'u1')).toBeNull();
  });
});

test('counts the suggestions of each rule that staff accepted', async () => {
  const [one, other] = [await addDeal(), await addDeal({ title: red })];
  const blue = await addDeal({ title: 'Lumo Nova 15 Pro 256 GB Blue' });
  await settle();
  await judge('same', one, other);
  await judge('different', one, blue);
  expect(await readRuleRecords(database.db)).toEqual({
    'gtin-colour': { accepted: 1, judged: 2 },
  });
});
