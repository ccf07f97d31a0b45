import * as fc from '#test/fast-check.ts';
import { beforeEach, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { dismissDuplicate, hideDuplicate, listDuplicates } from './duplicate-deals.server.ts';

// The suggested duplicates, whatever staff have hidden or marked as different before.

const database = useTestDatabase();

interface Deal {
  gtin: string | null;
  merchant_id: number;
  sale_price: number;
  is_active: boolean;
  isExpired: boolean;
}

const deal: fc.Arbitrary<Deal> = fc.record({
  gtin: fc.constantFrom('4006381333931', '4006381333948', null),
  merchant_id: fc.constantFrom(1, 2),
  sale_price: fc.constantFrom(100, 200, 300),
  is_active: fc.constant(true),
  isExpired: fc.constantFrom(false, false, false, true),
});
const shops = fc.array(
  fc.record({ deal, isHidden: fc.constantFrom(false, false, false, true) }).map((given) => ({
    ...given.deal,
    is_active: !given.isHidden,
  })),
  { minLength: 2, maxLength: 8 },
);
const acts = fc.array(
  fc.record({ verb: fc.constantFrom('hide', 'dismiss'), one: fc.nat(7), other: fc.nat(7) }),
  { maxLength: 6 },
);

beforeEach(async () => {
  await insertCategory(database.db);
  await insertMerchant(database.db);
  await insertMerchant(database.db);
});

const pairKey = (a: number, b: number) => `${Math.min(a, b)}-${Math.max(a, b)}`;

test('suggests the same duplicates as the model, with pairs of one store and cheaper deals first', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(shops, acts, async (shop, done) => {
      await db.deleteFrom('deals').execute();
      const deals: (Deal & { id: number })[] = [];
      for (const { isExpired, ...given } of shop) {
        const expires_at = isExpired ? new Date(Date.now() - 60_000) : null;
        const { id } = await insertDeal(db, { ...given, category_id: 1, expires_at });
        deals.push({ ...given, isExpired, id });
      }
      const dismissed = new Set<string>();
      for (const { verb, one, other } of done) {
        const [a, b] = [deals[one % deals.length], deals[other % deals.length]];
        if (!a || !b) continue;
        const isPair = a.id !== b.id && a.gtin !== null && a.gtin === b.gtin;
        const isHiding = verb === 'hide';
        const may = isHiding
          ? isPair && a.is_active && b.is_active
          : isPair && !dismissed.has(pairKey(a.id, b.id));
        const act = isHiding ? hideDuplicate : dismissDuplicate;
        expect(await act(db, 'u1', a.id, b.id)).toBe(may);
        if (may && isHiding) a.is_active = false;
        else if (may) dismissed.add(pairKey(a.id, b.id));
      }
      const seen = deals.filter(({ is_active, isExpired }) => is_active && !isExpired);
      const expected = seen.flatMap((a) =>
        seen
          .filter(
            (b) =>
              a.gtin !== null &&
              a.gtin === b.gtin &&
              (a.sale_price < b.sale_price || (a.sale_price === b.sale_price && a.id < b.id)) &&
              !dismissed.has(pairKey(a.id, b.id)),
          )
          .map((b) => ({ a, b, isSame: a.merchant_id === b.merchant_id })),
      );
      const found = await listDuplicates(db);
      const inWords = (ids: [number, number], isSame: boolean) => `${ids.join(' ')} ${isSame}`;
      const suggested = found.map(({ deals: [a, b], isSameMerchant }) =>
        inWords([a.id, b.id], isSameMerchant),
      );
      expect(suggested.toSorted()).toEqual(
        expected.map(({ a, b, isSame }) => inWords([a.id, b.id], isSame)).toSorted(),
      );
      const stores = found.map(({ isSameMerchant }) => Number(isSameMerchant));
      expect(stores).toEqual(stores.toSorted((x, y) => y - x));
    }),
    { numRuns: 60 },
  );
});

test('logs who hid a pair or marked it as different, and logs no rejected action', async () => {
  const { db } = database;
  const place = { category_id: 1, merchant_id: 1, gtin: '4006381333931' };
  const a = await insertDeal(db, place);
  const b = await insertDeal(db, place);
  const other = await insertDeal(db, { ...place, gtin: null });
  expect(await dismissDuplicate(db, 'u1', a.id, other.id)).toBe(false);
  expect(await hideDuplicate(db, 'u1', a.id, a.id)).toBe(false);
  await dismissDuplicate(db, 'u1', b.id, a.id);
  await hideDuplicate(db, 'u2', a.id, b.id);
  expect(
    await db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'entity_id', 'after'])
      .orderBy('id')
      .execute(),
  ).toEqual([
    {
      actor: 'u1',
      action: 'deal.dismiss-duplicate',
      entity_id: String(b.id),
      after: { other: a.id },
    },
    { actor: 'u2', action: 'deal.hide-duplicate', entity_id: String(a.id), after: { kept: b.id } },
  ]);
});
