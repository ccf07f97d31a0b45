import { beforeEach, expect, test } from 'vitest';
import { addClicks } from '#app/features/clicks/click-queries.server.ts';
import { addCouponClicks } from '#app/features/coupons/coupon-queries.server.ts';
import type { ClickSource } from '#app/features/earnings/click-source.ts';
import { importSales } from '#app/features/earnings/import-sales.server.ts';
import { listSilentStores } from '#app/features/earnings/silent-stores.server.ts';
import { type ClickTarget, encodeSubId } from '#app/features/earnings/sub-id.server.ts';
import { addSlotClicks } from '#app/features/slots/slot-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertDeal, insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const today = new Date().toISOString().slice(0, 10);
const awin = 'https://www.awin1.com/cread.php?awinmid=1&awinaffid=2&ued={url}';
let admin: Awaited<ReturnType<typeof signedInVisitor>>;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const aStore = (name: string, affiliate_template: string | null = awin, sub_id_network = 'auto') =>
  insertMerchant(database.db, { name, affiliate_template, sub_id_network });

const click = (merchantId: number, count: number) =>
  database.db
    .insertInto('click_days')
    .values({ kind: 'merchant', place_id: merchantId, day: today, count })
    .execute();

/** Reports a sale of $5.00 after a click. */
async function sellBy(
  target: ClickTarget,
  status: 'pending' | 'declined' = 'pending',
  source: ClickSource = { channel: 'site', newsletterId: null },
) {
  const subId = await encodeSubId(database.db, { target, source, day: today });
  await importSales(database.db, { network: 'awin', fileName: 'a.csv', actor: 'cli' }, [
    { transactionId: subId, status, amount: 500, currency: 'USD', day: today, subId },
  ]);
}

async function sell(
  merchantId: number,
  status: 'pending' | 'declined' = 'pending',
  newsletterId: number | null = null,
  feedId: number | null = null,
) {
  const deal = await insertDeal(database.db, { merchant_id: merchantId, feed_source_id: feedId });
  const source: ClickSource =
    newsletterId === null
      ? { channel: 'site', newsletterId }
      : { channel: 'newsletter', newsletterId };
  await sellBy({ kind: 'deal', id: deal.id }, status, source);
  return deal;
}

const silent = async () =>
  (await listSilentStores(database.db, new Date())).map(({ name }) => name);

test('warns of a store with 40 clicks and no sale once any store had a sale', async () => {
  const good = await aStore('Good');
  const quiet = await aStore('Quiet lamps');
  const few = await aStore('Few');
  const declined = await aStore('Declined');
  const elsewhere = await aStore('Elsewhere', 'https://shop.example/?u={url}');
  const off = await aStore('Off', awin, 'off');
  const plain = await aStore('Plain', null);
  for (const { id } of [good, quiet, declined, elsewhere, off, plain]) await click(id, 40);
  await click(few.id, 39);
  expect(await silent()).toEqual([]);
  await sell(good.id);
  await sell(declined.id, 'declined');
  expect(await silent()).toEqual(['Quiet lamps']);
  const { html } = await admin.open('/admin/earnings');
  expect(html).toContain('40 clicks, no sale in 14 days');
  expect((await admin.open('/admin')).html).toContain('1 store had 40 clicks and no sale');
  await sell(quiet.id);
  expect(await silent()).toEqual([]);
  expect((await admin.open('/admin')).html).not.toContain('no sale in 14 days');
});

test('warns of stores with network links but no template, and of stores with a chosen network', async () => {
  const linked = await aStore('Linked', null);
  const chosen = await aStore('Chosen', null, 'impact');
  const direct = await aStore('Direct', null);
  const forbidden = await aStore('Forbidden', null, 'off');
  const cj = 'https://www.anrdoezrs.net/click-1-2?url=https%3A%2F%2Fshop.example%2F';
  for (const { id } of [linked, forbidden])
    await insertDeal(database.db, { merchant_id: id, deal_url: cj });
  await insertDeal(database.db, { merchant_id: direct.id, deal_url: 'https://shop.example/a' });
  for (const { id } of [linked, chosen, direct, forbidden]) await click(id, 40);
  expect(await silent()).toEqual([]);
  await sell((await aStore('Good')).id); // by Awin
  expect(await silent()).toEqual(['Linked', 'Chosen']);
});

const wordsOf = async (path: string, visitor = admin) =>
  (await visitor.open(path)).html.replaceAll('<!-- -->', '');

test('shows earnings per click beside the clicks of stores and deals', async () => {
  const store = await aStore('Lamps');
  await click(store.id, 50);
  await sell(store.id);
  expect(await wordsOf('/admin/clicks')).toContain('$5.00 earned, $0.100 per click');
  expect((await admin.open('/admin/merchants')).html).toContain('$0.100');
});

test('shows earnings per click beside the total of the site and of a store', async () => {
  const [store, other] = [await aStore('Lamps'), await aStore('Saws')];
  const total = async (search = '') =>
    /Earned per click<\/span><strong[^>]*>([^<]*)</.exec(
      await wordsOf(`/admin/clicks${search}`),
    )?.[1];
  const deal = await sell(store.id);
  await sell(other.id, 'declined');
  expect(await total()).toBe('–');
  await addClicks(database.db, [{ dealId: deal.id, day: today, count: 50 }]);
  expect(await total()).toBe('$0.100');
  expect(await total(`?merchant=${store.id}`)).toBe('$0.100');
  expect(await total(`?merchant=${other.id}`)).toBe('–');
});

test('shows earnings per click wherever the admin shows clicks', async () => {
  const store = await aStore('Lamps');
  const feed = await insertFeedSource(database.db, { merchant_id: store.id });
  const deal = await sell(store.id, 'pending', null, feed.id);
  await addClicks(database.db, [{ dealId: deal.id, day: today, count: 50 }]);
  expect(await wordsOf('/admin/deals?columns=clicks')).toContain('$0.100 per click');
  expect(await wordsOf(`/admin/deals/${deal.id}/edit`)).toContain('$5.00 earned, $0.100 per click');
  expect(await wordsOf('/admin/imports')).toContain('$0.100 per click');
  expect(await wordsOf('/admin/categories')).toContain('in 30 days</a>, $0.100 per click');
  expect(await wordsOf('/admin')).toMatch(/Earnings per click<\/a><\/th><td>\$0\.100/);
});

test('shows no earnings per click in lists before the first click', async () => {
  const store = await aStore('Lamps');
  await sell(store.id);
  for (const path of ['/admin/deals?columns=clicks', '/admin/imports', '/admin/categories'])
    expect(await wordsOf(path)).not.toContain('per click');
});

test('shows what a coupon earned per click, excluding declined sales and other coupons', async () => {
  const store = await aStore('Lamps');
  const { id: coupon } = await insertCoupon(database.db, { merchant_id: store.id });
  const { id: other } = await insertCoupon(database.db, { merchant_id: store.id, code: 'OTHER' });
  await addCouponClicks(
    database.db,
    [coupon, other].map((dealId) => ({ dealId, day: today, count: 40 })),
  );
  expect(await wordsOf('/admin/coupons')).not.toContain('per click');
  await sellBy({ kind: 'coupon', id: coupon });
  await sellBy({ kind: 'coupon', id: other }, 'declined');
  expect((await wordsOf('/admin/coupons')).match(/[$\d.]+ per click/g)).toEqual([
    '$0.125 per click',
  ]);
});

test('shows what a newsletter earned per click', async () => {
  const { id } = await database.db
    .insertInto('newsletters')
    .values({ subject: 'Lamps', content: '', started_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database.db
    .insertInto('newsletter_links')
    .values([
      { newsletter_id: id, position: 1, href: '/blog', label: 'Blog', clicks: 10 },
      { newsletter_id: id, position: 2, href: '/deals', label: 'Deals', clicks: 40 },
    ])
    .execute();
  const page = `/admin/newsletters/${id}`;
  expect(await wordsOf(page)).toContain('<dt>Earned per click</dt><dd>–</dd>');
  await sell((await aStore('Lamps')).id, 'pending', id);
  expect(await wordsOf(page)).toContain('<dt>Earned</dt><dd>$5.00</dd>');
  expect(await wordsOf(page)).toContain('<dt>Earned per click</dt><dd>$0.100</dd>');
  const newsletter = { channel: 'newsletter', newsletterId: id } as const;
  await sellBy({ kind: 'link' }, 'pending', { ...newsletter, link: 2 });
  await sellBy({ kind: 'link' }, 'declined', { ...newsletter, link: 1 });
  const words = await wordsOf(page);
  expect(words).toContain('<dt>Earned per click</dt><dd>$0.200</dd>');
  expect(words).toContain('Blog</a></td><td>10</td><td>–</td>');
  expect(words).toContain('Deals</a></td><td>40</td><td>$0.125</td>');
});

test('shows what an ad earned per click', async () => {
  const { id } = await database.db
    .insertInto('slots')
    .values({ kind: 'ad', place: 'home', title: 'Lamps', url: '/deals', is_on: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addSlotClicks(database.db, [{ dealId: id, day: today, count: 50 }]);
  expect(await wordsOf('/admin/slots')).not.toContain('per click');
  await sellBy({ kind: 'link' }, 'pending', { channel: 'site', newsletterId: null, slotId: id });
  expect(await wordsOf('/admin/slots')).toContain('50<p class="small">$0.100 per click');
});

test('hides earnings per click from colleagues without the right to see earnings', async () => {
  const deal = await sell((await aStore('Lamps')).id);
  await addClicks(database.db, [{ dealId: deal.id, day: today, count: 50 }]);
  await database.db
    .updateTable('users')
    .set({ right_set: 'editor' })
    .where('id', '=', admin.userId)
    .execute();
  const { id } = await insertCoupon(database.db);
  await sellBy({ kind: 'coupon', id });
  for (const path of [
    '/admin',
    '/admin/clicks',
    '/admin/deals',
    `/admin/deals/${deal.id}/edit`,
    '/admin/imports',
    '/admin/coupons',
  ])
    expect(await wordsOf(path)).not.toContain('per click');
});
