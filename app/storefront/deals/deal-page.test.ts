import { beforeEach, describe, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
let site: TestSite;

beforeEach(() => {
  site = testSite(database);
});

const hours = (n: number) => new Date(Date.now() + n * 3_600_000);

/** Returns the visible text, without markup, scripts and React's text separators. */
function textOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

function structuredData(html: string): Record<string, Record<string, unknown>>[] {
  return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((found) =>
    JSON.parse(found[1] ?? ''),
  );
}

test('asks search engines not to list an expired deal only if the owner chose this', async () => {
  await insertDeal(database.db, { slug: 'over', expires_at: hours(-1) });
  await insertDeal(database.db, { slug: 'live' });
  const isHidden = async (slug: string) =>
    (await site.page(`/deals/${slug}`)).html.includes('name="robots" content="noindex, follow"');
  expect([await isHidden('over'), await isHidden('live')]).toEqual([false, false]);
  await writeSiteSetting(database.db, 'hideExpiredDeals', true, 'test');
  expect([await isHidden('over'), await isHidden('live')]).toEqual([true, false]);
});

describe('a live deal', () => {
  // Proves Storefront 2: Deal detail: prices, You Save, evidence (deal-price-box.tsx)
  test('shows a live deal’s price, the saving, and the basis of that claim', async () => {
    const merchant = await insertMerchant(database.db, { name: 'Oakhaft' });
    await insertDeal(database.db, {
      slug: 'drill',
      title: 'Cordless drill',
      sale_price: 7999,
      original_price: 14999,
      merchant_id: merchant.id,
    });
    const { status, html } = await site.page('/deals/drill');
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain('Cordless drill');
    expect(text).toContain('$79.99');
    expect(text).toContain('You Save $70.00 (47%)');
    expect(text).toContain('$149.99 is Oakhaft’s own claim. Our log is too short to check it.');
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  test('links to the store through our own URL, in a new tab, and names the host', async () => {
    const deal = await insertDeal(database.db, {
      slug: 'drill',
      deal_url: 'https://www.shop.example/x',
    });
    const { html } = await site.page('/deals/drill');
    const links = html.match(new RegExp(`<a[^>]*href="/out/${deal.id}"[^>]*>`, 'g')) ?? [];
    // The links are Get This Deal, Visit Store, and the bar's button.
    expect(links).toHaveLength(3);
    for (const link of links) {
      expect(link).toContain('target="_blank"');
      expect(link).toContain('rel="sponsored nofollow noopener"');
    }
    expect(textOf(html)).toContain('Opens shop.example in a new tab');
    expect(html).not.toContain('https://www.shop.example/x');
  });

  test('includes a hidden bar that scripts show in place of the store button', async () => {
    await insertDeal(database.db, { slug: 'drill' });
    const { html } = await site.page('/deals/drill');
    const [bar = ''] = html.match(/<aside[^>]*data-stands-in[^>]*>/) ?? [];
    expect(bar).toMatch(/\shidden=""/);
    expect(html).toMatch(/<div data-stood-for="true">(?:(?!<\/div>).)*Get This Deal/s);
  });

  // Proves Storefront 2: Deal detail: coupon, condition, seller, expiry (deal-facts.tsx)
  test('shows coupon, condition, seller and expiry as facts', async () => {
    await insertDeal(database.db, {
      slug: 'drill',
      coupon_code: 'TOOLS15',
      status: 'used',
      condition: 'like_new',
      seller_type: 'amazon',
      expires_at: hours(75),
    });
    const text = textOf((await site.page('/deals/drill')).html);
    expect(text).toContain('TOOLS15');
    expect(text).toContain('Copy this code at checkout');
    expect(text).toContain('Used Condition: Like new');
    expect(text).toContain('Seller Amazon');
    expect(text).toContain('4 days left');
  });

  // Proves Storefront 9: Free shipping (deal-price-box.tsx)
  // Proves P35a: free shipping per merchant (deal-price-box.tsx)
  test('mentions free shipping only if the merchant offers it', async () => {
    const giving = await insertMerchant(database.db, { free_shipping_over: 3500 });
    const silent = await insertMerchant(database.db, { free_shipping_over: null });
    await insertDeal(database.db, { slug: 'with', merchant_id: giving.id });
    await insertDeal(database.db, { slug: 'without', merchant_id: silent.id });
    expect(textOf((await site.page('/deals/with')).html)).toContain(
      'Free shipping on orders over $35',
    );
    expect(textOf((await site.page('/deals/without')).html)).not.toContain('Free shipping');
  });

  test('never shows a price held for review', async () => {
    await insertDeal(database.db, {
      slug: 'drill',
      sale_price: 7999,
      held_price: 123,
      held_at: new Date(),
    });
    const { html } = await site.page('/deals/drill');
    // The pattern excludes parts of a time, such as 10:05:11.239.
    expect(html).not.toMatch(/(?<!\d)1\.23/);
  });

  test('includes structured data of a product with an offer', async () => {
    const category = await insertCategory(database.db, { name: 'Tools', slug: 'tools' });
    const merchant = await insertMerchant(database.db, { name: 'Oakhaft' });
    await insertDeal(database.db, {
      slug: 'drill',
      title: 'Cordless drill',
      sale_price: 7999,
      image_url: '/media/demo/drill-640.webp',
      expires_at: new Date('2126-12-01T00:00:00Z'),
      category_id: category.id,
      merchant_id: merchant.id,
    });
    const { html } = await site.page('/deals/drill');
    const [product, crumbs] = structuredData(html);
    expect(product).toMatchObject({
      '@type': 'Product',
      name: 'Cordless drill',
      image: `${testOrigin}/media/demo/drill-640.webp`,
      offers: {
        price: '79.99',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/NewCondition',
        priceValidUntil: '2126-12-01',
        seller: { name: 'Oakhaft' },
        url: `${testOrigin}/deals/drill`,
      },
    });
    expect(crumbs?.['@type']).toBe('BreadcrumbList');
    expect(html).toContain('<meta property="og:type" content="product"/>');
    expect(html).toContain(`<link rel="canonical" href="${testOrigin}/deals/drill"/>`);
  });

  test('shows a title full of markup as text, in the page and in its structured data', async () => {
    const title = '</script><script>alert(1)</script>';
    await insertDeal(database.db, { slug: 'drill', title });
    const { html } = await site.page('/deals/drill');
    expect(html).not.toContain('<script>alert(1)');
    expect(structuredData(html)[0]?.name).toBe(title);
  });

  // Proves Storefront 2: Deal detail: similar deals or the sentence (similar-deals.tsx)
  test('lists other live deals of the same category, or states that there are none', async () => {
    const category = await insertCategory(database.db);
    await insertDeal(database.db, { slug: 'drill', category_id: category.id });
    expect(textOf((await site.page('/deals/drill')).html)).toContain(
      'No similar deals found in this category.',
    );
    await insertDeal(database.db, { title: 'Torch', category_id: category.id });
    await insertDeal(database.db, {
      title: 'Old lamp',
      category_id: category.id,
      expires_at: hours(-1),
    });
    const text = textOf((await site.page('/deals/drill')).html);
    expect(text).toContain('Torch');
    expect(text).not.toContain('Old lamp');
  });
});

describe('a deal when price claims are set to observed', () => {
  beforeEach(() =>
    database.db
      .insertInto('site_settings')
      .values({ name: 'priceClaims', value: '"observed"' })
      .execute(),
  );

  test('shows no percentage and no struck price without a history when claims are observed', async () => {
    await insertDeal(database.db, { slug: 'drill', sale_price: 7999, original_price: 14999 });
    const { html } = await site.page('/deals/drill');
    expect(html).not.toContain('<s ');
    expect(html).not.toContain('$149.99');
    expect(textOf(html)).not.toContain('You Save');
    expect(textOf(html)).toContain(
      'We have not watched this price long enough to call it a reduction.',
    );
  });

  test('computes the saving from the 30-day low in our log when claims are observed', async () => {
    await insertDeal(database.db, {
      slug: 'drill',
      sale_price: 8000,
      original_price: 14999,
      low_30_before: 10_000,
    });
    expect(textOf((await site.page('/deals/drill')).html)).toContain('You Save $20.00 (20%)');
  });
});

describe('the rules of a merchant’s program', () => {
  test('hides an old price everywhere on the page if the program requires it, including structured data', async () => {
    const merchant = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    await insertDeal(database.db, {
      slug: 'drill',
      sale_price: 7999,
      merchant_id: merchant.id,
      price_checked_at: hours(-25),
    });
    const { html } = await site.page('/deals/drill');
    const seen = html.replace(/window\.__reactRouterContext\.streamController[\s\S]*/, '');
    expect(textOf(html)).toContain('See price at store');
    expect(seen).not.toContain('79.99');
    expect(structuredData(html)[0]).not.toHaveProperty('offers');
  });

  // Proves P35d: merchant policy (hide-price.ts)
  test('replaces a forbidden price history with a note', async () => {
    const merchant = await insertMerchant(database.db, { name: 'Strict', keep_history: false });
    await insertDeal(database.db, { slug: 'drill', merchant_id: merchant.id });
    expect(textOf((await site.page('/deals/drill')).html)).toContain(
      'Strict does not allow its prices to be tracked',
    );
  });

  // Proves P35b: time of the price (deal-price-box.tsx)
  test('shows the program’s disclaimer and the time of the price', async () => {
    const merchant = await insertMerchant(database.db, {
      price_disclaimer: 'Prices are accurate as of the time shown.',
      show_price_timestamp: true,
    });
    await insertDeal(database.db, {
      slug: 'drill',
      merchant_id: merchant.id,
      price_checked_at: '2026-11-20T10:00:00Z',
    });
    const text = textOf((await site.page('/deals/drill')).html);
    expect(text).toContain('Prices are accurate as of the time shown.');
    expect(text).toMatch(/Price as of November 20, 2026 at 10:00\sAM UTC\./);
  });
});

describe('the price history', () => {
  async function aWatchedDeal() {
    const deal = await insertDeal(database.db, {
      slug: 'drill',
      sale_price: 7999,
      price_source: 'demo',
    });
    const log = [
      [200, 19_999],
      [60, 14_999],
      [10, 7999],
    ] as const;
    for (const [days, sale_price] of log) {
      const entry = { deal_id: deal.id, at: hours(-24 * days), sale_price };
      await database.db
        .insertInto('price_log')
        .values({ ...entry, availability: 'in_stock', source: 'feed' })
        .execute();
    }
  }

  test('shows the price history as a chart, a sentence and a table', async () => {
    await aWatchedDeal();
    const { html } = await site.page('/deals/drill');
    expect(textOf(html)).toContain('Lowest $79.99 (today) · Highest $199.99 · 90 days');
    // There is one chart for wide screens, and one for narrow screens.
    expect(html.match(/<svg[^>]*role="img"/g)).toHaveLength(2);
    expect(html.match(/<tbody>.*<\/tbody>/s)?.[0].match(/<tr>/g)).toHaveLength(3);
  });

  test('begins the price block with one sentence that the log proves', async () => {
    await aWatchedDeal();
    const { html } = await site.page('/deals/drill');
    const [box = ''] = html.match(/<section aria-label="Price".*?<\/section>/s) ?? [];
    expect(textOf(box)).toMatch(
      /^ \$79\.99 , usually \$149\.99: lower than on (79|80) of the last 90 days /,
    );
    // The other statements about the price are in the list below.
    expect(textOf(box).match(/\$\d/g)).toHaveLength(2);
    expect(html.indexOf('id="evidence"')).toBeGreaterThan(html.indexOf('id="price-history"'));
  });

  test('uses a different URL of the same page for each chart range', async () => {
    await aWatchedDeal();
    const { html } = await site.page('/deals/drill?days=30');
    expect(textOf(html)).toContain('Highest $149.99 · 30 days');
    expect(html).toContain(`<link rel="canonical" href="${testOrigin}/deals/drill"/>`);
  });

  test('shows the default for an unknown range of the price history', async () => {
    await aWatchedDeal();
    const { status, html } = await site.page('/deals/drill?days=-1%27');
    expect(status).toBe(200);
    expect(textOf(html)).toContain('· 90 days');
  });

  test('shows in the chart when a deal was not watched yet', async () => {
    await insertDeal(database.db, { slug: 'drill', price_source: 'demo' });
    expect(textOf((await site.page('/deals/drill')).html)).toContain(
      'No history yet. Price changes',
    );
  });
});

describe('an expired deal', () => {
  // Proves Storefront 2: Deal detail: "Deal Expired", inert (get-deal-button.tsx)
  test('keeps an expired deal’s page without a store link, and lists live deals of its category first', async () => {
    const category = await insertCategory(database.db);
    const deal = await insertDeal(database.db, {
      slug: 'drill',
      expires_at: hours(-1),
      category_id: category.id,
    });
    await insertDeal(database.db, { title: 'Torch', category_id: category.id });
    const { status, html } = await site.page('/deals/drill');
    expect(status).toBe(200);
    expect(textOf(html)).toContain('EXPIRED');
    expect(textOf(html)).toContain('Deal Expired');
    expect(html).not.toContain(`href="/out/${deal.id}"`);
    expect(html.indexOf('Torch')).toBeLessThan(html.indexOf('Deal Expired'));
    const [product] = structuredData(html);
    expect(product?.offers?.availability).toBe('https://schema.org/Discontinued');
  });
});

describe('a missing deal', () => {
  test.each(['/deals/nothing', '/deals/999999', '/deals/%00', '/deals/9999999999999999999'])(
    'returns 404 for %s, with links to other pages',
    async (path) => {
      const { status, html } = await site.page(path);
      expect(status).toBe(404);
      expect(textOf(html)).toContain('Deal Not Found');
      expect(textOf(html)).toContain(
        'The deal you’re looking for doesn’t exist or has been removed.',
      );
      expect(html).toContain('href="/deals"');
      expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    },
  );

  test('returns 404 for an inactive deal, by slug, by id or by an old slug', async () => {
    const deal = await insertDeal(database.db, { slug: 'first' });
    await database.db
      .updateTable('deals')
      .set({ slug: 'second', is_active: false })
      .where('id', '=', deal.id)
      .execute();
    for (const path of ['/deals/second', '/deals/first', `/deals/${deal.id}`]) {
      expect([path, (await site.request(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('a deal at its old address', () => {
  // Proves Storefront 2: Routes: deal by slug or id
  test('redirects permanently from a deal’s id and its old slug', async () => {
    const deal = await insertDeal(database.db, { slug: 'first' });
    await database.db
      .updateTable('deals')
      .set({ slug: 'second' })
      .where('id', '=', deal.id)
      .execute();
    for (const path of ['/deals/first', `/deals/${deal.id}`]) {
      const response = await site.request(path);
      expect([path, response.status, response.headers.get('location')]).toEqual([
        path,
        301,
        '/deals/second',
      ]);
    }
  });
});
