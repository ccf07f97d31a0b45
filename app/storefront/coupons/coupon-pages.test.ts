import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);
let store: Awaited<ReturnType<typeof insertMerchant>>;
let id = 0;

beforeEach(async () => {
  store = await insertMerchant(database.db, {
    name: 'Lamp House',
    slug: 'lamp-house',
    website_url: 'https://lamps.example/',
    affiliate_template: 'https://network.example/?to={url}&sub={deal_id}',
  });
  const merchant_id = store.id;
  id = (await insertCoupon(database.db, { merchant_id, code: 'LAMP20', title: '20% off lamps' }))
    .id;
  await insertCoupon(database.db, { merchant_id, code: 'ENDED', ends_at: new Date(0) });
});

test.each([
  '/coupons',
  '/coupons?merchant=lamp-house',
  '/coupons?merchant=no-such-store',
  '/merchants/lamp-house',
  '/deals?search=lamp+house',
  '/deals?search=lamp+house+coupon',
  '/deals?type=coupon',
])('%s shows the code as text, and none that has ended', async (address) => {
  const { status, html } = await site.page(address);
  expect(status).toBe(200);
  expect(html).toContain('<code>LAMP20</code>');
  expect(html).not.toContain('ENDED');
  expect(html).toMatch(
    /href="\/out\/coupon\/\d+" target="_blank" rel="sponsored nofollow noopener"/,
  );
  expect(html).toContain(`/coupons/${id}/report`);
});

test('other lists and searches show no coupons', async () => {
  for (const address of ['/deals', '/deals?search=sofa', '/']) {
    expect((await site.page(address)).html).not.toContain('LAMP20');
  }
});

test('a deal folds the coupons of its store below its price', async () => {
  await insertDeal(database.db, { slug: 'lamp', merchant_id: store.id, coupon_code: 'OWN5' });
  const { html } = await site.page('/deals/lamp');
  expect(html).toContain('1 coupon for Lamp House');
  expect(html).toContain('<code>LAMP20</code>');
  expect(html).toContain('<code>OWN5</code>');
});

test('an empty list says so', async () => {
  await database.db.deleteFrom('coupons').execute();
  expect((await site.page('/coupons')).html).toContain('No coupons right now');
});

describe('the link to the store', () => {
  const follow = (path: string) =>
    site.request(path, {
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    });

  test('carries the commission and is counted once', async () => {
    const answer = await follow(`/out/coupon/${id}`);
    await follow(`/out/coupon/${id}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `https://network.example/?to=https%3A%2F%2Flamps.example%2F&sub=coupon-${id}`,
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // Clicks are written a second later.
    const counted = async () =>
      database.db.selectFrom('coupon_clicks').select(['coupon_id', 'count']).execute();
    await expect.poll(counted, { timeout: 30_000 }).toEqual([{ coupon_id: id, count: 1 }]);
  });

  test.each([
    ['an ended coupon', 'ENDED', '/coupons?merchant=lamp-house'],
    ['an unknown coupon', null, '/coupons'],
  ])('of %s stays here', async (_name, code, location) => {
    const found = await database.db
      .selectFrom('coupons')
      .select('id')
      .where('code', '=', code ?? '')
      .executeTakeFirst();
    const answer = await follow(`/out/coupon/${found?.id ?? 999_999}`);
    expect(answer.headers.get('location')).toBe(location);
  });
});

describe('the page of a report', () => {
  test('shows the question without JavaScript', async () => {
    const { status, html } = await site.page(`/coupons/${id}/report`);
    expect(status).toBe(200);
    expect(html).toContain('Does this code work?');
    expect(html).toContain(`action="/coupons/${id}/report"`);
  });

  test('is missing for an unknown coupon, and closed for an ended one', async () => {
    expect((await site.page('/coupons/999999/report')).status).toBe(404);
    await database.db
      .updateTable('coupons')
      .set({ ends_at: new Date(0) })
      .execute();
    expect((await site.page(`/coupons/${id}/report`)).html).toContain('This coupon has ended.');
  });
});
