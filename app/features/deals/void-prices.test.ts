import type { Insertable } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import type { Database } from '#database/schema.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { changeDeals, undoEdit } from './change-deals.server.ts';
import { deleteDeals, restoreDeals } from './delete-deals.server.ts';
import { previewEdit } from './edit-deals.server.ts';
import { findEditableDeal, updateDeal } from './publish-deal.server.ts';
import { listLoggedPrices, voidPrice } from './void-prices.server.ts';

const database = useTestDatabase();
const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);
const actor = 'admin-1';
let id = 0;

/** A feed's price was $679 for 88 days. */
beforeEach(async () => {
  const deal = await insertDeal(database.db, {
    slug: 'bike',
    sale_price: 67_900,
    price_source: 'feed',
    price_since: daysAgo(88),
    price_checked_at: daysAgo(1),
  });
  ({ id } = deal);
});

const price = (sale_price: number, price_source: 'feed' | 'admin' = 'feed') =>
  database.db.updateTable('deals').set({ sale_price, price_source }).where('id', '=', id).execute();

async function reprice(percent: number): Promise<string> {
  const edit = { field: 'sale_price', percent, seen: 'infinity' } as const;
  const change = { actor, verb: 'price', categoryId: null, edit } as const;
  const result = await changeDeals(database.db, change, { ids: [id] });
  if (!result.ok || result.state !== 'done') throw new Error('The price was not changed.');
  return result.batch;
}

const insertAlert = (alert: Insertable<Database['price_alerts']>) =>
  database.db.insertInto('price_alerts').values(alert).returning('id').executeTakeFirstOrThrow();

const events = () =>
  database.db.selectFrom('price_alert_events').select(['old_price', 'new_price']).execute();
const undo = (batch: string) => undoEdit(database.db, { actor, batch });
const lines = async () =>
  (await listLoggedPrices(database.db, id)).map((line) =>
    line.voided ? [line.sale_price, line.voided.reason] : [line.sale_price],
  );

/** Returns all data about the deal that is derived from the log. */
async function evidence() {
  const deal = await findEditableDeal(database.db, id);
  const proof = (await findPriceProofs(database.db, [{ id, original_price: null }])).get(id);
  const history = await readPriceHistory(database.db, id, null);
  const { rows: kept } = await database.pool.query(
    'select lowest_ever, lowest_before, below_usual from price_proofs where deal_id = $1',
    [id],
  );
  return {
    price: deal?.sale_price,
    since: deal?.price_since,
    checked: deal?.price_checked_at,
    low30: deal?.low_30_before,
    observed: deal?.observed_percent,
    lowest: [proof?.lowestEver, proof?.lowest30, proof?.lowest90, proof?.usual?.price],
    drawn: [...new Set(history.map(({ sale_price }) => sale_price))],
    kept,
  };
}

describe('an undone mistake', () => {
  test('removes an undone mistake from the evidence, but logs who undid it and why', async () => {
    const before = await evidence();
    const batch = await reprice(-10);
    expect(await evidence()).toMatchObject({ lowest: [61_110, 61_110, 61_110, 67_900] });
    await undo(batch);
    expect(await evidence()).toEqual(before);
    expect(await lines()).toEqual([[61_110, 'Undone'], [67_900]]);
  });

  test('removes the discount check of an undone mistake', async () => {
    await database.pool.query('update deals set original_price = 90000 where id = $1', [id]);
    const checked = () =>
      database.db.selectFrom('reduction_checks').select('sale_price').orderBy('began_at').execute();
    const check = () => database.pool.query(`select check_reductions(array[${id}], '-infinity')`);
    await check();
    const before = await checked();
    const batch = await reprice(10);
    const other = await reprice(-20);
    await check();
    await undo(other);
    await undo(batch);
    expect(await checked()).toEqual(before);
  });

  test('re-arms the alerts that a mistake fired, and cancels their unsent emails', async () => {
    const user = await insertUser(database.db, { email_verified: true });
    const alert = await insertAlert({
      deal_id: id,
      user_id: user.id,
      kind: 'any_drop',
    });
    const mails = () =>
      database.db
        .selectFrom('mail_outbox')
        .select('due_at')
        .where('kind', '=', 'price-alert')
        .execute();
    const batch = await reprice(-10);
    const [mail] = await mails();
    const wait = ((mail?.due_at.getTime() ?? 0) - Date.now()) / 60_000;
    expect(wait).toBeGreaterThan(4);
    expect(wait).toBeLessThanOrEqual(5);
    await undo(batch);
    const state = () =>
      database.db
        .selectFrom('price_alerts')
        .select(['is_active', 'base_price', 'last_mailed_price'])
        .where('id', '=', alert.id)
        .executeTakeFirst();
    expect(await state()).toEqual({ is_active: true, base_price: 67_900, last_mailed_price: null });
    expect(await events()).toEqual([]);
    // A real drop, although smaller than the mistake, is emailed.
    await price(65_000);
    expect(await state()).toMatchObject({ is_active: false, last_mailed_price: 65_000 });
    expect(await mails()).toHaveLength(2);
  });

  test('does not count a price drop when a price typed too high is undone', async () => {
    const user = await insertUser(database.db, { email_verified: true });
    await insertAlert({ deal_id: id, user_id: user.id, kind: 'any_drop' });
    await undo(await reprice(10));
    expect(await events()).toEqual([]);
  });
});

test('delays alert emails for typed prices by the configured time', async () => {
  await writeSiteSetting(database.db, 'alertUndoMinutes', 30, 'cli');
  const user = await insertUser(database.db, { email_verified: true });
  await insertAlert({ deal_id: id, user_id: user.id, kind: 'any_drop' });
  await reprice(-10);
  const mail = await database.db.selectFrom('mail_outbox').select('due_at').executeTakeFirst();
  expect(Math.round(((mail?.due_at.getTime() ?? 0) - Date.now()) / 60_000)).toBe(30);
});

test('shows how many alerts a change would fire in its preview', async () => {
  const user = await insertUser(database.db, { email_verified: true });
  const alert = { deal_id: id, user_id: user.id };
  await insertAlert({ ...alert, kind: 'any_drop' });
  await insertAlert({ ...alert, kind: 'target', target_price: 60_000 });
  await insertAlert({ ...alert, kind: 'new_low_30' });
  const stranger = await insertUser(database.db, { email_verified: true });
  await insertAlert({ deal_id: id, user_id: stranger.id, kind: 'any_drop', currency: 'EUR' });
  const shown = await previewEdit(
    database.db,
    { ids: [id] },
    { field: 'sale_price', percent: -10 },
  );
  expect(shown.alerts).toBe(2);
  await reprice(-10);
  expect(await events()).toHaveLength(2);
});

describe('a price saved by staff', () => {
  async function save(sale_price: number, more: { isConfirmed?: boolean } = {}) {
    const deal = await findEditableDeal(database.db, id);
    if (!deal) throw new Error('There is no deal.');
    const { title, slug, description, original_price, coupon_code, availability } = deal;
    const {
      image_url,
      deal_url,
      status,
      condition,
      seller_type,
      brand,
      gtin,
      mpn,
      net_contents,
      shipping_cost,
    } = deal;
    const words = { title, slug, description, original_price, coupon_code, availability, gtin };
    const rest = {
      image_url,
      deal_url,
      status,
      condition,
      seller_type,
      brand,
      mpn,
      net_contents,
      shipping_cost,
    };
    const { merchant_id, category_id, is_active, is_featured, expires_at } = deal;
    const places = { merchant_id, category_id, is_active, is_featured, expires_at };
    const input = { ...words, ...rest, ...places, sale_price, currency: deal.currency };
    const how = { source: 'admin', expectedVersion: deal.version, actor, ...more } as const;
    await updateDeal(database.db, id, input, how);
  }

  test('voids a price typed by staff if it is corrected within the hour', async () => {
    await save(68_600);
    await save(67_000);
    expect(await lines()).toEqual([[67_000], [68_600, 'Corrected within the hour'], [67_900]]);
    expect(await evidence()).toMatchObject({ low30: 67_900, observed: 1 });
    await save(67_900);
    expect(await evidence()).toMatchObject({ low30: null, drawn: [67_900] });
  });

  test('re-arms the alerts that a mistake fired, and compares them with the correct price', async () => {
    const user = await insertUser(database.db, { email_verified: true });
    const alert = { deal_id: id, user_id: user.id };
    await insertAlert({ ...alert, kind: 'any_drop' });
    const target = await insertAlert({ ...alert, kind: 'target', target_price: 62_000 });
    await save(6_110);
    await save(65_000);
    expect(await events()).toEqual([{ old_price: 67_900, new_price: 65_000 }]);
    const armed = database.db.selectFrom('price_alerts').select('id').where('is_active', '=', true);
    expect(await armed.execute()).toEqual([target]);
  });

  test('does not count a price drop when a price that was too high is corrected', async () => {
    const user = await insertUser(database.db, { email_verified: true });
    await insertAlert({ deal_id: id, user_id: user.id, kind: 'any_drop' });
    await save(679_000);
    await save(67_900);
    expect(await events()).toEqual([]);
    expect(await lines()).toEqual([[679_000, 'Corrected within the hour'], [67_900]]);
  });

  test('corrects even a deal’s first price', async () => {
    const user = await insertUser(database.db, { email_verified: true });
    ({ id } = await insertDeal(database.db, { sale_price: 50_000, price_source: 'admin' }));
    const target = { kind: 'target', target_price: 60_000 } as const;
    await insertAlert({ deal_id: id, user_id: user.id, ...target });
    await save(65_000);
    expect(await events()).toEqual([]);
    expect(await lines()).toEqual([[65_000], [50_000, 'Corrected within the hour']]);
  });

  test('does not void a price that a feed wrote or that is older than an hour', async () => {
    await price(60_000);
    await save(67_000);
    expect(await lines()).toEqual([[67_000], [60_000], [67_900]]);
  });

  test('updates the time of the last check only when staff confirm the price', async () => {
    const { checked } = await evidence();
    await save(68_600);
    expect((await evidence()).checked).toEqual(checked);
    await undo(await reprice(-10));
    expect((await evidence()).checked).toEqual(checked);
    await save(68_600, { isConfirmed: true });
    expect((await evidence()).checked?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('an entry voided by staff', () => {
  const lineOf = async (cents: number) =>
    (await listLoggedPrices(database.db, id)).find((line) => line.sale_price === cents)?.id ?? 0;
  const voidLine = async (cents: number) =>
    voidPrice(database.db, { actor, dealId: id, lineId: await lineOf(cents), reason: 'A typo' });

  test('hides a voided entry wherever the log is read', async () => {
    await price(61_110);
    await price(70_000);
    expect(await evidence()).toMatchObject({ low30: 61_110 });
    expect(await voidLine(61_110)).toMatchObject({ ok: true });
    expect(await evidence()).toMatchObject({
      low30: 67_900,
      lowest: [67_900, 67_900, 67_900, 67_900],
      drawn: [67_900, 70_000],
    });
    const { rows } = await database.pool.query(
      'select lowest_price_within($1, 30, now()) as low, claim_seen_until($1, 61110) as seen',
      [id],
    );
    expect(rows).toEqual([{ low: 67_900, seen: null }]);
    expect(await voidLine(61_110)).toEqual({ ok: false, reason: 'already-voided' });
  });

  test('replaces a voided current price with the correct one, as if it had never existed', async () => {
    const before = await evidence();
    const user = await insertUser(database.db, { email_verified: true });
    await insertAlert({ deal_id: id, user_id: user.id, kind: 'any_drop' });
    await insertAlert({ deal_id: id, user_id: user.id, kind: 'target', target_price: 60_000 });
    await price(6_111);
    const lineId = await lineOf(6_111);
    const line = { actor, dealId: id, lineId, reason: 'A typo' };
    expect(await voidPrice(database.db, line)).toEqual({ ok: false, reason: 'needs-price' });
    const same = await voidPrice(database.db, { ...line, price: 6_111 });
    expect(same).toEqual({ ok: false, reason: 'same-price' });
    expect(await voidPrice(database.db, { ...line, price: 61_110 })).toEqual({ ok: true });
    expect(await lines()).toEqual([[61_110], [6_111, 'A typo'], [67_900]]);
    expect(await evidence()).toMatchObject({
      price: 61_110,
      low30: 67_900,
      checked: before.checked,
    });
    expect(await events()).toEqual([{ old_price: 67_900, new_price: 61_110 }]);
    const again = { ...line, lineId: await lineOf(61_110), price: 67_900 };
    expect(await voidPrice(database.db, again)).toMatchObject({ ok: true });
    expect(await evidence()).toEqual(before);
  });

  test('voids an entry only through its own deal', async () => {
    expect(await voidLine(1)).toEqual({ ok: false, reason: 'not-found' });
    const other = await insertDeal(database.db, {});
    const lineId = await lineOf(67_900);
    expect(
      await voidPrice(database.db, { actor, dealId: other.id, lineId, reason: 'A typo' }),
    ).toEqual({ ok: false, reason: 'not-found' });
  });

  test('does not allow a void to be changed or removed', async () => {
    await price(61_110);
    await price(70_000);
    await voidLine(61_110);
    await expect(database.pool.query('update price_voids set reason = $1', ['x'])).rejects.toThrow(
      'append-only',
    );
    await expect(database.pool.query('delete from price_voids')).rejects.toThrow('append-only');
  });

  test('keeps an entry voided when a deleted deal is restored', async () => {
    await price(61_110);
    await price(70_000);
    await voidLine(61_110);
    const before = await evidence();
    const batch = crypto.randomUUID();
    await database.db.transaction().execute((tx) => deleteDeals(tx, { ids: [id], batch, actor }));
    await database.db.transaction().execute((tx) => restoreDeals(tx, { ids: [id], batch }));
    expect(await evidence()).toEqual(before);
    expect(await lines()).toEqual([[70_000], [61_110, 'A typo'], [67_900]]);
  });

  test('voids an entry on the deal’s page, which shows who did it and why', async () => {
    await price(61_110);
    await price(70_000);
    const site = testSite(database);
    const { cookie } = await signIn(database, { role: 'admin', full_name: 'Ada Byron' });
    const headers = { cookie };
    const page = `/admin/deals/${id}/edit`;
    const send = async (reason: string, cents = 61_110, typed = '', currency = 'USD') => {
      const line = String(await lineOf(cents));
      const fields = { intent: 'void-price', line, reason, price: typed, currency };
      return site.page(page, { method: 'POST', headers, body: new URLSearchParams(fields) });
    };
    await send(' ');
    expect(await lines()).toEqual([[70_000], [61_110], [67_900]]);
    await send('Typed by mistake');
    const text = textOf((await site.page(page, { headers })).html);
    expect(text).toContain('3 prices, 1 of them voided');
    expect(text).toMatch(/Voided by Ada Byron, .*: Typed by mistake/);
    expect(textOf((await site.page('/deals/bike')).html)).not.toContain('$611.10');
    // The form was opened before the site's currency changed, so the amount is not in the current
    // one.
    await send('Typed by mistake', 70_000, '690', 'EUR');
    expect((await lines())[0]).toEqual([70_000]);
    await send('Typed by mistake', 70_000, '$690');
    expect(await lines()).toEqual([
      [69_000],
      [70_000, 'Typed by mistake'],
      [61_110, 'Typed by mistake'],
      [67_900],
    ]);
  });
});
