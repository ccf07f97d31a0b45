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
])('shows a coupon’s code as text on %s, and no expired coupon', async (address) => {
  const { status, html } = await site.page(address);
  expect(status).toBe(200);
  expect(html).toContain('<code>LAMP20</code>');
  expect(html).not.toContain('ENDED');
  expect(html).toMatch(
    /href="\/out\/coupon\/\d+" target="_blank" rel="sponsored nofollow noopener"/,
  );
  expect(html).toContain(`/coupons/${id}/report`);
});

test('shows no coupons on other lists and searches', async () => {
  for (const address of ['/deals', '/deals?search=sofa', '/']) {
    expect((await site.page(address)).html).not.toContain('LAMP20');
  }
});

test('collapses the coupons of a deal’s store below the deal’s price', async () => {
  await insertDeal(database.db, { slug: 'lamp', merchant_id: store.id, coupon_code: 'OWN5' });
  const { html } = await site.page('/deals/lamp');
  expect(html).toContain('1 coupon for Lamp House');
  expect(html).toContain('<code>LAMP20</code>');
  expect(html).toContain('<code>OWN5</code>');
});

test('describes an empty list of coupons', async () => {
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

  test('links to a coupon’s store through its affiliate link, and counts the click once', async () => {
    const answer = await follow(`/out/coupon/${id}`);
    await follow(`/out/coupon/${id}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `https://network.example/?to=https%3A%2F%2Flamps.example%2F&sub=coupon-${id}`,
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // Clicks are stored a second later.
    const counted = async () =>
      database.db.selectFrom('coupon_clicks').select(['coupon_id', 'count']).execute();
    await expect.poll(counted, { timeout: 30_000 }).toEqual([{ coupon_id: id, count: 1 }]);
  });

  test.each([
    ['an ended coupon', 'ENDED', '/coupons?merchant=lamp-house'],
    ['an unknown coupon', null, '/coupons'],
  ])('stays on the site when a coupon’s link is followed: %s', async (_name, code, location) => {
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
  test('shows the captcha question on a coupon’s report page without JavaScript', async () => {
    const { status, html } = await site.page(`/coupons/${id}/report`);
    expect(status).toBe(200);
    expect(html).toContain('Does this code work?');
    expect(html).toContain(`action="/coupons/${id}/report"`);
  });

  test('returns 404 for a report on an unknown coupon, and refuses one on an expired coupon', async () => {
    expect((await site.page('/coupons/999999/report')).status).toBe(404);
    await database.db
      .updateTable('coupons')
      .set({ ends_at: new Date(0) })
      .execute();
    expect((await site.page(`/coupons/${id}/report`)).html).toContain('This coupon has ended.');
  });
});
