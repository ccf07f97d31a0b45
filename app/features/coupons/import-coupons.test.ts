import * as fc from '#test/fast-check.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { importCoupons, type ImportCouponsOptions } from './import-coupons.server.ts';
import type { CouponFields, CouponLine } from './read-coupon-list.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-28T12:00:00Z');
const later = new Date('2026-12-31T00:00:00Z');
const past = new Date('2026-11-01T00:00:00Z');
let store: Awaited<ReturnType<typeof insertMerchant>>;

beforeEach(async () => {
  store = await insertMerchant(database.db, { name: 'Lamp House' });
});

const row = (fields: Partial<CouponFields> = {}, named = 'Lamp House'): CouponLine => ({
  line: 2,
  store: named,
  coupon: {
    code: 'LAMP20',
    title: '20% off',
    terms: '',
    url: null,
    starts_at: null,
    ends_at: later,
    ...fields,
  },
});
const take = (lines: CouponLine[], options: Partial<ImportCouponsOptions> = {}) =>
  importCoupons(
    database.db,
    { lines, withoutCode: 0 },
    { list: 'lamps.csv', addsStores: false, actor: 'cli', now, ...options },
  );
const stored = () =>
  database.db
    .selectFrom('coupons')
    .select(['merchant_id', 'code', 'title', 'ends_at', 'list', 'version'])
    .orderBy('code')
    .execute();

describe('an import of coupons', () => {
  test('changes nothing when the same list of coupons is imported again', async () => {
    const first = await take([row(), row({ code: 'LAMP30' })]);
    expect(first.counts).toMatchObject({ added: 2, changed: 0, ended: 0 });
    const before = await stored();
    const second = await take([row({ code: 'LAMP30' }), row()]);
    expect(second.counts).toMatchObject({ added: 0, changed: 0, unchanged: 2, ended: 0 });
    expect(await stored()).toEqual(before);
  });

  test('imports two rows with one code at one store as one coupon, in any order', async () => {
    const rows = [row({ code: 'lamp20', title: 'A' }), row({ title: 'B' })];
    expect((await take(rows)).counts).toMatchObject({ added: 1, repeated: 1 });
    const again = await take(rows.toReversed());
    expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: 1, repeated: 1 });
  });

  test('ends a coupon that its list no longer contains, and revives a coupon listed again', async () => {
    await take([row(), row({ code: 'GONE' })]);
    expect((await take([row()])).counts).toMatchObject({ unchanged: 1, ended: 1 });
    expect((await stored())[0]).toMatchObject({ code: 'GONE', ends_at: now });
    expect((await take([row(), row({ code: 'GONE' })])).counts).toMatchObject({ changed: 1 });
    expect((await stored())[0]).toMatchObject({ code: 'GONE', ends_at: later });
  });

  test('keeps a listed coupon whose row cannot be read', async () => {
    await take([row()]);
    const broken = { line: 2, store: 'Lamp House', code: 'lamp20', problem: 'no date' };
    const { counts, problems } = await take([broken]);
    expect([counts.ended, problems]).toEqual([0, [{ line: 2, message: 'no date' }]]);
  });

  test('does not end coupons when the list is empty', async () => {
    await take([row()]);
    expect((await take([])).counts.ended).toBe(0);
  });

  test('does not change coupons from staff or other lists when a list is imported', async () => {
    await insertCoupon(database.db, { merchant_id: store.id, code: 'OWN', title: 'By hand' });
    await take([row()], { list: 'other.csv' });
    const { counts } = await take([row({ title: 'Mine' }), row({ code: 'own', title: 'Mine' })]);
    expect(counts).toMatchObject({ added: 0, kept: 2, ended: 0 });
    expect((await stored()).map(({ title }) => title)).toEqual(['20% off', 'By hand']);
  });

  test('takes over a coupon that another list has dropped', async () => {
    await take([row(), row({ code: 'OTHER' })], { list: 'other.csv' });
    await take([row({ code: 'OTHER' })], { list: 'other.csv' });
    expect((await take([row({ title: 'Mine' })])).counts).toMatchObject({ changed: 1 });
    expect((await stored())[0]).toMatchObject({ title: 'Mine', list: 'lamps.csv', ends_at: later });
  });

  test('does not import new coupons that have ended', async () => {
    expect((await take([row({ ends_at: past })])).counts).toMatchObject({ added: 0, over: 1 });
  });

  test('refuses rows of unknown stores, or adds each store once', async () => {
    const rows = [row({}, 'Chair Co'), row({ code: 'SIT' }, 'chair co')];
    const refused = await take(rows);
    expect(refused.problems[0]?.message).toBe('no store, or more than one, is called “chair co”');
    const added = await take(rows, { addsStores: true });
    expect([added.counts.added, added.newStores]).toEqual([2, ['Chair Co']]);
    expect((await take(rows)).counts).toMatchObject({ unchanged: 2 });
  });

  test('assigns the given store to rows that name none', async () => {
    expect((await take([row({}, '')])).problems[0]?.message).toBe('the store is missing');
    await take([row({}, '')], { store: 'lamp house' });
    expect((await stored())[0]?.merchant_id).toBe(store.id);
  });

  test('counts the changes of a previewed coupon import without making them', async () => {
    const rows = [row(), row({}, 'Chair Co')];
    const { counts, newStores } = await take(rows, { dryRun: true, addsStores: true });
    expect([counts.added, newStores]).toEqual([2, ['Chair Co']]);
    expect(await stored()).toEqual([]);
    expect(await database.db.selectFrom('merchants').selectAll().execute()).toHaveLength(1);
  });

  test('writes one audit entry for a coupon import, and none when nothing changes', async () => {
    await take([row()]);
    await take([row()]);
    const entries = await database.db.selectFrom('audit_log').select(['action', 'after']).execute();
    expect(entries).toEqual([
      { action: 'coupon.import', after: { list: 'lamps.csv', added: 1, changed: 0, ended: 0 } },
    ]);
  });
});

const codes = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { maxLength: 5 });

test('stores the same coupons as a naive model when lists are imported repeatedly in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(codes, { minLength: 1, maxLength: 6 }), async (imports) => {
      await database.db.deleteFrom('coupons').execute();
      const live = new Set<string>();
      for (const listed of imports) {
        const rows = listed.map((code) => row({ code }));
        await take(rows);
        expect((await take(rows.toReversed())).counts).toMatchObject({ added: 0, changed: 0 });
        if (listed.length > 0) live.clear();
        for (const code of listed) live.add(code);
        const found = (await stored()).filter(({ ends_at }) => ends_at && ends_at > now);
        expect(found.map(({ code }) => code)).toEqual([...live].toSorted());
      }
    }),
    { numRuns: 25 },
  );
});
