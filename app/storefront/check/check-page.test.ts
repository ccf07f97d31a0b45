import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { endOf } from '#app/features/search/read-asked-product.server.ts';
import { insertDeal, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { textOf } from '#test/render-component.tsx';

const database = useTestDatabase();
const site = testSite(database);
const gtin = '4006381333931';
const lampLink = 'https://shop.example/p/desk-lamp?id=5';
const byLink = 'We know this product by its link.';
const byGtin = 'We know this product by its article number (GTIN).';
const byWords = 'We found this by its name only';
const unknown = 'We don’t know this one yet';

const check = async (parameters: Record<string, string>) => {
  const { status, html, headers } = await site.page(`/check?${new URLSearchParams(parameters)}`);
  return { status, html, headers, text: textOf(html) };
};

beforeEach(async () => {
  const { db } = database;
  const { id } = await insertMerchant(db, { name: 'Lamp House', slug: 'lamp-house' });
  await insertDeal(db, {
    slug: 'lamp',
    title: 'Arched desk lamp',
    merchant_id: id,
    deal_url: lampLink,
    sale_price: 4900,
    gtin,
  });
  const other = await insertMerchant(db, { name: 'Bulb Barn', slug: 'bulb-barn' });
  await insertDeal(db, {
    slug: 'barn-lamp',
    title: 'Lamp at the barn',
    merchant_id: other.id,
    deal_url: 'https://barn.example/lamps/9',
    sale_price: 5100,
    gtin,
  });
});

test('explains the price check on an unindexed, uncached page if no link is given', async () => {
  const { status, html, headers, text } = await check({});
  expect(status).toBe(200);
  expect(text).toContain('Paste a link to any product');
  expect(html).toContain('name="robots" content="noindex');
  expect(html).toMatch(/<form[^>]*action="\/check"/);
  expect(headers.get('cache-control') ?? '').not.toContain('public');
});

test('finds a deal by its link before GTIN and words, and shows its verdict and other stores', async () => {
  const { status, html, text } = await check({ url: lampLink, title: `Lamp at the barn ${gtin}` });
  expect(status).toBe(200);
  expect(text).toContain(byLink);
  expect(html).toContain('href="/deals/lamp"');
  expect(text).toContain('$49');
  expect(text).toContain('The same product at other stores');
  expect(html).toContain('href="/deals/barn-lamp"');
  expect(html).toMatch(/href="\/price-alerts\/new\?deal=\d+"/);
  expect(html).toContain(`value="${lampLink}"`);
});

test('links the product of the found deal with the other stores that sell it', async () => {
  expect((await check({ url: lampLink })).text).not.toContain('Also at');
  const { id } = await insertProduct(database.db, { slug: 'desk-lamp', gtin });
  await database.db.updateTable('deals').set({ product_id: id }).execute();
  const { html, text } = await check({ url: lampLink });
  expect(text).toContain('Also at 1 other store, from $51.00 plus shipping');
  expect(html).toContain('href="/products/desk-lamp"');
});

test('finds a product by its GTIN, and not a deal with this GTIN that is not linked to the product', async () => {
  const { db } = database;
  const { id: product_id } = await insertProduct(db, { slug: 'desk-lamp', gtin });
  await insertDeal(db, { slug: 'lamp-case', sale_price: 900, gtin });
  await db.updateTable('deals').set({ product_id }).where('slug', '<>', 'lamp-case').execute();
  const { text, html } = await check({ url: 'https://else.example/1', title: gtin });
  expect(text).toContain(byGtin);
  expect(html).toContain('href="/deals/lamp"');
  expect(html).toContain('href="/deals/barn-lamp"');
  expect(html).not.toContain('href="/deals/lamp-case"');
  await db.updateTable('deals').set({ gtin: null }).where('gtin', '=', gtin).execute();
  await db.updateTable('deals').set({ product_id }).where('slug', '=', 'lamp').execute();
  const withoutNumber = await check({ url: 'https://else.example/1', title: gtin });
  expect(withoutNumber.text).toContain(byGtin);
  expect(withoutNumber.html).toContain('href="/deals/lamp"');
});

test('does not confuse the linked product with another product whose link has the same path', async () => {
  const { text } = await check({ url: lampLink.replace('id=5', 'id=6') });
  expect(text).not.toContain(byLink);
});

test('finds a deal by GTIN before words, the cheapest first', async () => {
  const { text, html } = await check({
    url: `https://else.example/p/${gtin}`,
    title: 'Lamp at the barn',
  });
  expect(text).toContain(byGtin);
  expect(html.indexOf('href="/deals/lamp"')).toBeLessThan(html.indexOf('href="/deals/barn-lamp"'));
});

test('finds a deal by the words of the title or the URL, and states that it was found by words', async () => {
  const titled = await check({ url: 'https://else.example/1', title: 'arched desk lamp' });
  const slugged = await check({ url: 'https://else.example/arched-desk-lamp' });
  for (const { text, html } of [titled, slugged]) {
    expect(text).toContain(byWords);
    expect(html).toContain('href="/deals/lamp"');
  }
});

test('finds a model number that the URL spells with a space', async () => {
  await insertDeal(database.db, { slug: 'drill', title: 'Zorkmid Drill PSB-750' });
  const { text, html } = await check({ url: 'https://else.example/zorkmid-drill-psb-750' });
  expect(text).toContain(byWords);
  expect(html).toContain('href="/deals/drill"');
});

test('shows similar deals and a search to watch when there is no such deal', async () => {
  const { status, html, text } = await check({
    url: 'https://else.example/p/1',
    title: 'arched desk zorkmid',
  });
  expect(status).toBe(200);
  expect(text).toContain(unknown);
  expect(html).toContain('href="/deals/lamp"');
  expect(html).toContain('href="/price-alerts/searches/new?of=');
});

test('does not name a single product when only one word matches', async () => {
  expect((await check({ url: 'https://else.example/lamp' })).text).toContain(unknown);
});

test('ignores inactive deals in the price check', async () => {
  await ask(database.db).rows`update deals set is_active = false`;
  expect((await check({ url: lampLink, title: gtin })).text).toContain(unknown);
});

test('hides a price in the price check if its store wants it hidden', async () => {
  const hides = await insertMerchant(database.db, { hide_price_after_hours: 1 });
  await insertDeal(database.db, {
    slug: 'secret',
    merchant_id: hides.id,
    deal_url: 'https://secret.example/p/1',
    sale_price: 4321,
    price_checked_at: new Date(Date.now() - 86_400_000),
  });
  const { html, text } = await check({ url: 'https://secret.example/p/1' });
  expect(text).toContain(byLink);
  expect(text).toContain('See price at store');
  expect(html).not.toContain('43.21');
  expect(html).not.toContain('4321');
});

test('shows no verdict in the price check if the store forbids a price history', async () => {
  await ask(database.db).rows`update merchants set keep_history = false`;
  const { text } = await check({ url: lampLink });
  expect(text).toContain('this store does not let us track its prices');
});

test.each(['javascript:alert(1)', 'https://a:b@shop.example/p', '<script>alert(1)</script>'])(
  'shows the reason at the field, with 422, when %s is pasted',
  async (url) => {
    const { status, html, text } = await check({ url });
    expect(status).toBe(422);
    expect(html).toContain('aria-invalid="true"');
    expect(text).not.toContain(unknown);
    expect(html).not.toContain('<script>alert');
  },
);

describe('a given price', () => {
  const priced = 'https://priced.example/p/kettle';

  beforeEach(async () => {
    const lines = [
      { daysAgo: 60, price: 6300 },
      { daysAgo: 2, price: 3900 },
    ];
    await plantDeal(database.db, lines, { slug: 'kettle', deal_url: priced });
  });

  test('compares a given price with the log, worded as on the deal’s page', async () => {
    const { status, html, text } = await check({ url: priced, price: '$45.00' });
    expect(status).toBe(200);
    expect(text).toContain('$45 , usually $63: lower than on 58 of the last 60 days');
    expect(text).toContain('That is $6 more than the $39 that we have for this deal.');
    expect(html).toContain('value="$45.00"');
  });

  test.each([
    ['70', '$70 , usually $63: higher than on 60 of the last 60 days'],
    ['39', 'We have the same price for this deal.'],
    ['63', '$63 , its usual price: the same as on 58 of the last 60 days'],
  ])('compares the price %s with the price of every logged day', async (price, sentence) => {
    expect((await check({ url: priced, price })).text).toContain(sentence);
  });

  test.each([
    ['cheap', 'Please enter a price, such as 19.99'],
    ['0', 'Please enter a price, such as 19.99'],
    ['-5', 'Please enter a price, such as 19.99'],
    ['1.249', 'Write 1249 or 1.25: 1.249 could be either'],
  ])('rejects the price “%s” at its field, and keeps all input', async (price, why) => {
    const { status, html, text } = await check({ url: priced, price });
    expect(status).toBe(422);
    expect(text).toContain(why);
    expect(html).toContain(`value="${price}"`);
    expect(html).toContain(`value="${priced}"`);
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(text).not.toContain('Your price');
  });

  test('compares a given price with neither a hidden nor an expired price', async () => {
    await ask(database.db).rows`update deals set expires_at = now() - interval '1 day'`;
    const ended = await check({ url: priced, price: '45' });
    expect(ended.text).toContain('This deal has expired, so we no longer see');
    await ask(database.db).rows`
      update deals set expires_at = null, price_checked_at = now() - interval '2 days'`;
    await ask(database.db).rows`update merchants set hide_price_after_hours = 1`;
    const hidden = await check({ url: priced, price: '45' });
    expect(hidden.text).toContain('The store hides its price for now');
    expect(hidden.text).not.toContain('$39');
  });

  test('explains that a store forbids a price log instead of comparing prices', async () => {
    await ask(database.db).rows`update merchants set keep_history = false`;
    const { text } = await check({ url: priced, price: '45' });
    expect(text).toContain('$45 : this store does not let us track its prices');
    expect(text).not.toContain('usually $');
  });
});

/** Returns the URL that the page's bookmark opens when it is pressed on a store's page. */
async function pressBookmark(href: string, title: string): Promise<URL> {
  const { html } = await check({});
  const [, written = ''] = /value="(javascript:[^"]+)"/.exec(html) ?? [];
  const signs = { '&#x27;': "'", '&gt;': '>', '&lt;': '<', '&quot;': '"', '&amp;': '&' };
  const script = Object.entries(signs).reduce((text, [of, is]) => text.replaceAll(of, is), written);
  expect(script.slice(0, 11)).toBe('javascript:');
  // Browsers decode the bookmark's URL before they run it.
  expect(script).not.toMatch(/%[\da-f]{2}/i);
  const page = { location: { href }, document: { title } };
  runInNewContext(script.slice(11), page);
  return new URL(page.location.href);
}

test('offers a bookmark that sends a store’s page and its title to the price check', async () => {
  const { pathname, searchParams } = await pressBookmark(`${lampLink}&a=b`, 'Lamp – Shop');
  expect(pathname).toBe('/check');
  expect(searchParams.get('url')).toBe(`${lampLink}&a=b`);
  expect(searchParams.get('title')).toBe('Lamp');
});

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'shortens a link with %i letters before Chinese characters, and its emoji title, to 2,048 characters',
  async (letters) => {
    const { href } = new URL(`https://else.example/${'a'.repeat(letters)}${'檯燈'.repeat(400)}`);
    const target = await pressBookmark(href, `${'a'.repeat(letters)}${'💡'.repeat(300)}`);
    const { searchParams, search } = target;
    expect(decodeURIComponent(search)).toMatch(/💡$/u);
    const [url, title] = [searchParams.get('url') ?? '', searchParams.get('title') ?? ''];
    expect(href.startsWith(url)).toBe(true);
    expect(decodeURIComponent(url)).toMatch(/[檯燈]$/);
    expect(title).toMatch(/^a*💡+$/u);
    expect(search.length).toBeGreaterThan(1_850);

    const { html } = await check({ url, title });
    const [, of = ''] = /name="of" value="([^"]+)"/.exec(html) ?? [];
    const form = { title, of, url, price: '12345.67' };
    expect(`/check?${new URLSearchParams(form)}`.length).toBeLessThanOrEqual(2_048);
    expect((await check(form)).html).toContain(`name="title" value="${title}"`);
  },
);

test('links the price check in the footer, and offers its form below the hero', async () => {
  const { html } = await site.page('/');
  expect(html).toContain('<a href="/check">Price check</a>');
  expect(html).toMatch(/<form[^>]*role="search"[^>]*action="\/check"/);
});

test('uses a shared title only for the link that it was shared with', async () => {
  const url = `https://else.example/1?${'a'.repeat(60)}`;
  const { html } = await check({ url, title: 'arched desk lamp' });
  expect(html).toContain('name="title" value="arched desk lamp"');
  const of = endOf(url);
  expect(html).toContain(`name="of" value="${of}"`);
  const again = await check({ url, of, title: 'arched desk lamp', price: '50' });
  expect(again.text).toContain(byWords);
  const other = await check({ url: 'https://else.example/2', of, title: 'arched desk lamp' });
  expect(other.text).toContain(unknown);
});

test('stores nothing about a price check', async () => {
  const counts = () =>
    ask(database.db).rows`
      select (select count(*) from missed_searches) as missed, (select count(*) from audit_log) as audit,
             (select count(*) from rate_limits) as limits, (select count(*) from missed_paths) as paths`;
  const before = await counts();
  await check({ url: 'https://private.example/p/zorkmid-77', title: 'zorkmid' });
  expect(await counts()).toEqual(before);
});

const searchFor = async (search: string) =>
  (await site.page(`/deals?${new URLSearchParams({ search })}`)).html;

test.each([
  ['https://else.example/arched-desk-lamp', 'https://else.example/arched-desk-lamp'],
  ['else.example/arched-desk-lamp', 'https://else.example/arched-desk-lamp'],
  ['else.example/p/5', 'https://else.example/p/5'],
  ['https://unknown.example/', 'https://unknown.example/'],
  ['https://unknown.example?p=5', 'https://unknown.example?p=5'],
  ['www.unknown.example', 'https://www.unknown.example'],
  ['unknown.co.uk', 'https://unknown.co.uk'],
])('offers the check on a search for %s, which no deal has', async (typed, url) => {
  expect(await searchFor(typed)).toContain(`href="/check?${new URLSearchParams({ url })}"`);
});

test('offers the check on an exact search for a link, and does not open a deal', async () => {
  const { html } = await site.page(
    `/deals?${new URLSearchParams({ search: lampLink, exact: '1' })}`,
  );
  expect(html).toContain('Search Results for');
  expect(html).toContain(`href="/check?${new URLSearchParams({ url: lampLink })}"`);
});

test.each(['lamp', 'node.js', '3.5mm', '1.5 l', 'a/b'])(
  'does not offer the check on a search for %s, which is not a URL',
  async (typed) => {
    const html = await searchFor(typed);
    expect(html).toContain('Search Results for');
    expect(html).not.toContain('/check?');
  },
);

test('receives links that are shared with the installed app', async () => {
  const manifest: unknown = await (await site.request('/manifest.webmanifest')).json();
  expect(manifest).toMatchObject({
    share_target: {
      action: '/check',
      method: 'GET',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  });
});
