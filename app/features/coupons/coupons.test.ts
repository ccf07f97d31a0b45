import { beforeEach, describe, expect, test } from 'vitest';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { couponMessages } from './coupon-messages.ts';
import { addCouponClicks, countCoupons, listCoupons } from './coupon-queries.server.ts';
import { describeUse } from './describe-coupon.ts';
import { editableCoupons } from './editable-coupons.server.ts';
import { readAskedCoupons, readDealCoupons } from './read-coupons.server.ts';
import { findReportedCoupon, reportCoupon } from './report-coupon.server.ts';

const database = useTestDatabase();
const hour = 3_600_000;
const now = new Date();
const at = (hours: number) => new Date(now.getTime() + hours * hour);
let store: Awaited<ReturnType<typeof insertMerchant>>;
beforeEach(async () => {
  store = await insertMerchant(database.db, { name: 'Lamp House', website_url: null });
});
const insert = (overrides: Partial<Parameters<typeof insertCoupon>[1]> = {}) =>
  insertCoupon(database.db, { merchant_id: store.id, ...overrides });
const codesOf = (coupons: readonly { code: string }[]) => coupons.map(({ code }) => code);

describe('the lists for visitors', () => {
  test('lists coupons to visitors from their start to their end, newest first', async () => {
    await insert({ code: 'ENDED', ends_at: at(-1) });
    await insert({ code: 'SOON', starts_at: at(2) });
    await insert({ code: 'NOW', starts_at: at(-2), ends_at: at(3) });
    await insert({ code: 'ALWAYS' });
    const shown = await listCoupons(database.db, { now }, { limit: 10 });
    expect(codesOf(shown)).toEqual(['ALWAYS', 'NOW']);
    expect(await countCoupons(database.db, { now })).toEqual({ total: 2, changesAt: at(2) });
    expect(codesOf(await listCoupons(database.db, { now: at(2) }, { limit: 10 }))).toEqual([
      'ALWAYS',
      'NOW',
      'SOON',
    ]);
  });

  test('states for each listed coupon whether it has a link', async () => {
    await insert({ code: 'PLAIN' });
    await insert({ code: 'LINKED', url: 'https://lamps.example/sale' });
    const shown = await listCoupons(database.db, { now }, { limit: 10 });
    expect(shown.map(({ hasLink }) => hasLink)).toEqual([true, false]);
  });

  test('leaves out a code that its deal shows already, and all coupons of an expired deal', async () => {
    await insert({ code: 'OWN' });
    await insert({ code: 'OTHER' });
    const services = testServices(database);
    const deal = { merchant: store, coupon_code: 'own', is_expired: false };
    const { coupons, total } = await readDealCoupons(services, deal);
    expect([codesOf(coupons), total]).toEqual([['OTHER'], 1]);
    const expired = await readDealCoupons(services, { ...deal, is_expired: true });
    expect(expired.coupons).toEqual([]);
  });
});

describe('a search', () => {
  const ask = async (text: string, isForCoupons = false, merchantId?: number) => {
    const asked = { text, merchantId, isForCoupons };
    return codesOf((await readAskedCoupons(testServices(database), asked)).coupons).toSorted();
  };
  beforeEach(async () => {
    const other = await insertMerchant(database.db, { name: 'Pizza' });
    await insert({ code: 'LAMP', title: '10% off lamps' });
    await insert({ code: 'SLICE', title: 'A free slice', merchant_id: other.id });
  });

  test.each([
    ['lamp house', ['LAMP']],
    ['Pizza', ['SLICE']],
    ['pizza promo code', ['SLICE']],
    ['coupons', ['LAMP', 'SLICE']],
    ['lamps coupon', ['LAMP']],
    ['sofa coupon', []],
    ['lamps', []],
    ['couponing book', []],
  ])('finds coupons by a search for %o: %o', async (text, codes) => {
    expect(await ask(text)).toEqual(codes);
  });

  test('finds a store’s coupons when the search is filtered by that store', async () => {
    expect(await ask('anything', false, store.id)).toEqual(['LAMP']);
  });
});

describe('a report on a coupon', () => {
  type Who = Parameters<typeof reportCoupon>[3];
  const stranger = (address: string): Who => ({ user: null, address });
  const member = async (address: string): Promise<Who> => {
    const { id } = await insertUser(database.db, { email_verified: true });
    return { user: { id, emailVerified: true }, address };
  };
  const say = async (who: Who, works: string, time = now, code = 'SAVE10') => {
    const services = {
      ...testServices(database, { RATE_LIMITS: 'report-address=0' }),
      now: () => time,
    };
    const { id } = await database.db.selectFrom('coupons').select('id').executeTakeFirstOrThrow();
    const coupon = await findReportedCoupon(database.db, id, time);
    if (!coupon) throw new Error('the coupon is gone');
    const form = new FormData();
    form.set('works', works);
    form.set('code', code);
    if (!who.user) form.set('captcha_token', await solveCaptcha(services));
    return reportCoupon(services, coupon, form, who);
  };
  const tally = async () => {
    const [coupon] = await listCoupons(database.db, { now }, { limit: 1 });
    return [coupon?.works, coupon?.fails];
  };

  test('counts each person’s report on a coupon once a day, with the last answer', async () => {
    await insert();
    expect(await say(stranger('192.0.2.1'), 'yes')).toEqual({ ok: true });
    await say(stranger('192.0.2.1'), 'no');
    expect(await tally()).toEqual([0, 1]);
    const someone = await member('192.0.2.2');
    await say(someone, 'yes');
    await say(someone, 'yes', at(-24));
    expect(await tally()).toEqual([2, 1]);
  });

  test('counts a visitor’s report once if the visitor signs in meanwhile', async () => {
    await insert();
    const someone = await member('192.0.2.1');
    await say(stranger('192.0.2.1'), 'no');
    await say(someone, 'yes');
    await say(stranger('192.0.2.1'), 'no');
    expect(await tally()).toEqual([1, 0]);
  });

  test('requires the captcha from signed-out visitors who report on a coupon', async () => {
    const { id } = await insert();
    const coupon = await findReportedCoupon(database.db, id, now);
    const form = new FormData();
    form.set('works', 'yes');
    form.set('code', 'SAVE10');
    const services = testServices(database);
    expect(
      coupon && (await reportCoupon(services, coupon, form, stranger('192.0.2.1'))),
    ).toMatchObject({ ok: false, reason: 'captcha' });
  });

  test('rejects a coupon report for another code, without an answer, and after the end', async () => {
    await insert({ ends_at: at(1) });
    const someone = await member('192.0.2.1');
    expect(await say(someone, 'yes', now, 'OTHER')).toMatchObject({
      message: couponMessages.codeChanged,
    });
    expect(await say(someone, '')).toMatchObject({ reason: 'refused' });
    expect(await say(someone, 'yes', at(2))).toMatchObject({ message: couponMessages.over });
  });

  test('deletes a coupon report with its code, and after 14 days', async () => {
    const { id } = await insert();
    await say(await member('192.0.2.1'), 'yes', at(-24 * 15));
    await say(await member('192.0.2.2'), 'yes');
    await forgetOldRows(database.db, 'forget-spent-attempts');
    expect(await tally()).toEqual([1, 0]);
    await database.db.updateTable('coupons').set({ title: 'New' }).where('id', '=', id).execute();
    expect(await tally()).toEqual([1, 0]);
    await database.db.updateTable('coupons').set({ code: 'NEW' }).where('id', '=', id).execute();
    expect(await tally()).toEqual([0, 0]);
  });

  test('shows how many people reported on a coupon, and when the last one did', async () => {
    await insert();
    await say(await member('192.0.2.1'), 'yes', at(-2));
    const [coupon] = await listCoupons(database.db, { now }, { limit: 1 });
    expect(coupon && describeUse(coupon, now)).toBe('Code worked for 1, last 2 hours ago');
  });
});

test('counts clicks for the coupon, its store and the site', async () => {
  const { id } = await insert();
  const day = '2026-11-28';
  await addCouponClicks(database.db, [{ dealId: id, day, count: 2 }]);
  await addCouponClicks(database.db, [
    { dealId: id, day, count: 1 },
    { dealId: id + 1, day, count: 9 },
  ]);
  const clicks = await database.db.selectFrom('coupon_clicks').select('count').execute();
  const days = await database.db.selectFrom('click_days').select(['kind', 'count']).execute();
  expect([clicks, days.toSorted((a, b) => a.kind.localeCompare(b.kind))]).toEqual([
    [{ count: 3 }],
    [
      { kind: 'merchant', count: 3 },
      { kind: 'site', count: 3 },
    ],
  ]);
});

describe('a deletion', () => {
  const actor = 'u1';
  test('undoes the deletion of a coupon once, and again after another deletion', async () => {
    const coupon = await insert({ ends_at: at(5) });
    const remove = () => editableCoupons.remove(database.db, coupon.id, actor);
    const restore = () => editableCoupons.restore(database.db, coupon.id, actor);
    const read = () => database.db.selectFrom('coupons').selectAll().execute();
    for (const _ of [1, 2]) {
      expect((await remove()).ok).toBe(true);
      expect(await read()).toEqual([]);
      expect(await restore()).toEqual({ ok: true });
      expect(await read()).toEqual([coupon]);
      expect(await restore()).toEqual({ ok: false, reason: 'there-again' });
    }
  });

  test('does not undo the deletion of a coupon when the store has its code again', async () => {
    const { id } = await insert();
    await editableCoupons.remove(database.db, id, actor);
    await insert({ code: 'save10' });
    expect(await editableCoupons.restore(database.db, id, actor)).toEqual({
      ok: false,
      reason: 'slug-taken',
    });
  });
});
