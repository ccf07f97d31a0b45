import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

let tools: { id: number };
let outpost: { id: number };

beforeEach(async () => {
  tools = await insertCategory(database.db, {
    name: 'Tools',
    slug: 'tools',
    description: 'To mend.',
  });
  outpost = await insertMerchant(database.db, {
    name: 'Outpost',
    slug: 'outpost',
    website_url: 'https://www.outpost.example/',
    free_shipping_over: 3500,
  });
  await insertOf({ title: 'Claw hammer', slug: 'claw-hammer', sale_price: 1900 });
});

function insertOf(deal: Parameters<typeof insertDeal>[1]) {
  return insertDeal(database.db, { category_id: tools.id, merchant_id: outpost.id, ...deal });
}

describe('a list of deals', () => {
  // Proves Storefront 2: Deals list: heading and count by place (deal-list-section.tsx)
  it('counts the deals of a list within its scope: everywhere, a category, a store', async () => {
    expect(text((await site.page('/deals')).html)).toContain('1 deal from 1 store');
    const category = text((await site.page('/categories/tools')).html);
    expect(category).toContain('1 deal in Tools');
    expect(category).toContain('To mend.');
    const store = text((await site.page('/merchants/outpost')).html);
    expect(store).toContain('1 deal at Outpost');
    expect(store).toContain('Free shipping on orders over $35');
  });

  // Proves Storefront 2: Deals list: chip row, preselected, none at a store (category-chips.tsx)
  it('marks the category’s chip, keeps the other filters, and shows no chips for a store', async () => {
    const { html } = await site.page('/categories/tools?status=new&page=1');
    expect(html).toMatch(/aria-current="page" href="\/categories\/tools\?status=new"/);
    expect(html).toContain('href="/deals?status=new"');
    expect(html).toContain('aria-label="Categories"');
    expect((await site.page('/merchants/outpost')).html).not.toContain('aria-label="Categories"');
  });

  it('shows active filters of a list, which is then not indexed', async () => {
    const { html } = await site.page('/deals?status=used&min=10&sort=price_low');
    expect(text(html)).toContain('No deals found');
    expect(text(html)).toContain(
      'Try adjusting your search criteria or browse different categories.',
    );
    expect(text(html)).toContain('Clear Filters (2)');
    expect(html).toContain('href="/deals?min=10&amp;sort=price_low"');
    expect(html).toContain('content="noindex, follow"');
    expect(html).not.toContain('rel="canonical"');
  });

  it('disables filter options without results', async () => {
    const { html } = await site.page('/deals');
    expect(html).toContain('<option value="used" disabled="">Used (0)</option>');
    expect(html).toContain('<option value="new">New (1)</option>');
  });

  it('ignores invalid parameters of a list', async () => {
    const { status, html } = await site.page('/deals?status=stolen&page=-3&min=cheap&sort=luck');
    expect(status).toBe(200);
    expect(html).toContain(`rel="canonical" href="${testOrigin}/deals"`);
    expect(text(html)).not.toContain('Clear Filters');
  });

  // Proves P5: pages of 24 (deal-list-queries.server.ts)
  it('links a list’s neighboring pages, and ends after the last one', async () => {
    for (let n = 0; n < 24; n++) await insertOf({ slug: `nail-${n}` });
    const { html } = await site.page('/categories/tools?page=2');
    expect(html).toContain(`rel="canonical" href="${testOrigin}/categories/tools?page=2"`);
    expect(html).toContain(`rel="prev" href="${testOrigin}/categories/tools"`);
    expect(text(html)).toContain('Showing 25–25 of 25 deals');
    const beyond = await site.page('/categories/tools?page=3');
    expect(beyond.status).toBe(302);
    expect(beyond.headers.get('location')).toBe('/categories/tools?page=2');
  });

  it('includes a list’s deals as structured data', async () => {
    const { html } = await site.page('/merchants/outpost');
    expect(html).toContain('"@type":"ItemList"');
    expect(html).toContain(`"url":"${testOrigin}/deals/claw-hammer"`);
    expect(html).toContain('"@type":"BreadcrumbList"');
    expect(html).toContain('/feeds/deals.xml?merchant=outpost');
  });

  it('links the feed of the list’s filter, or of the search', async () => {
    const feeds = async (path: string) =>
      [...(await site.page(path)).html.matchAll(/rel="alternate"[^>]* href="([^"]*)"/g)].map(
        ([, href]) => href?.replace(`${testOrigin}/feeds/`, ''),
      );
    expect(await feeds('/deals?evidence=fell')).toEqual(['price-drops.xml', 'price-drops.json']);
    expect(await feeds('/categories/tools?type=expiring')).toEqual(
      ['xml', 'json', 'ics'].map((ending) => `ending-soon.${ending}?category=tools`),
    );
    expect(await feeds('/deals?search=claw+hammer')).toEqual([
      'deals.xml?search=claw+hammer',
      'deals.json?search=claw+hammer',
    ]);
  });

  it('redirects a list to a new slug, and returns 404 for an unknown one', async () => {
    await database.db.updateTable('categories').set({ slug: 'hand-tools' }).execute();
    await database.db.updateTable('merchants').set({ slug: 'the-outpost' }).execute();
    const category = await site.request('/categories/tools?page=1');
    expect([category.status, category.headers.get('location')]).toEqual([
      301,
      '/categories/hand-tools?page=1',
    ]);
    const store = await site.request('/merchants/outpost');
    expect([store.status, store.headers.get('location')]).toEqual([301, '/merchants/the-outpost']);
    for (const slug of ['nowhere', '%00', '%F0%9F%8E%A7', 'a'.repeat(2_000)]) {
      expect((await site.page(`/categories/${slug}`)).status).toBe(404);
      expect((await site.page(`/merchants/${slug}`)).status).toBe(404);
    }
  });
});

describe('an old name of a sort order', () => {
  it.each([
    ['/deals?sort=price-low', '/deals?sort=price_low'],
    [
      '/categories/tools?type=coupon&sort=price-high&page=2',
      '/categories/tools?type=coupon&sort=price_high&page=2',
    ],
    [
      '/merchants/outpost?sort=price-low&utm_source=mail',
      '/merchants/outpost?sort=price_low&utm_source=mail',
    ],
    [
      '/deals?search=claw+hammer&sort=price-high&min=5',
      '/deals?search=claw+hammer&sort=price_high&min=5',
    ],
  ])('redirects the old sort order %s to %s', async (former, present) => {
    for (const forCache of [false, true]) {
      const { status, headers } = await site.request(former, { forCache });
      expect([status, headers.get('location')]).toEqual([301, present]);
    }
    expect((await site.request(present)).status).not.toBe(301);
  });
});

describe('a search', () => {
  // Proves Storefront 2: Search results: heading, counts (search-results.tsx)
  it('shows the number of search results of each kind', async () => {
    const { status, html } = await site.page('/deals?search=hammer');
    expect(status).toBe(200);
    expect(text(html)).toContain('Search Results for "hammer"');
    expect(text(html)).toContain('Found 1 result');
    expect(text(html)).toContain('1 deal · 0 categories · 0 stores');
    expect(html).toContain('content="noindex, follow"');
    expect(html).toMatch(/<input[^>]*id="header-search"[^>]*value="hammer"/);
  });

  // Proves Storefront 2: Search results: three sections (search-results.tsx)
  it('finds categories and stores in a search', async () => {
    expect(text((await site.page('/deals?search=outpost')).html)).toContain('Stores (1)');
    expect(text((await site.page('/deals?search=tools')).html)).toContain('Categories (1)');
  });

  // Proves Storefront 2: Search results: "No results found" and tips (no-results.tsx)
  it('shows four tips for a search without results', async () => {
    const { html } = await site.page('/deals?search=zeppelin&max=5');
    expect(text(html)).toContain('No results found');
    for (const tip of [
      'Check your spelling',
      'Try different keywords',
      'Use a more general term',
      'Browse categories',
    ]) {
      expect(text(html)).toContain(tip);
    }
    expect(text(html)).toContain('Clear Filters (1)');
  });

  it('shows detected filters with links to remove each, or to search the typed text', async () => {
    await insertOf({ title: 'Claw hammer deluxe', slug: 'deluxe', sale_price: 9900 });
    const { html } = await site.page('/deals?search=outpost+hammer+under+$20');
    expect(text(html)).toContain('Search Results for "outpost hammer under $20"');
    expect(text(html)).toContain('Searched for hammer and turned the rest into filters.');
    expect(text(html)).toContain('1 deal · ');
    for (const href of [
      'search=hammer&amp;max=20',
      'search=hammer&amp;merchant=outpost',
      'search=hammer',
    ])
      expect(html).toContain(`href="/deals?${href}"`);
    expect(html).toContain('href="/deals?search=outpost+hammer+under+%2420&amp;exact=1"');
    const exact = await site.page('/deals?search=outpost+hammer+under+$20&exact=1');
    expect(text(exact.html)).toContain('No results found');
    const filters = await site.page('/deals?search=under+$20&type=coupon');
    expect(filters.status).toBe(302);
    expect(filters.headers.get('location')).toBe('/deals?type=coupon&max=20');
    const category = await site.page('/deals?search=used+tools+under+$20');
    expect(category.headers.get('location')).toBe('/categories/tools?status=used&max=20');
  });

  it('turns a discount and a condition in a search into filter pills, as on lists', async () => {
    const used = { status: 'used', condition: 'refurbished' } as const;
    const half = { sale_price: 5000, original_price: 10_000, ...used };
    await insertOf({ title: 'Jack hammer', slug: 'jack', ...half });
    await insertOf({ title: 'Drop hammer', slug: 'drop', ...half, original_price: 9_000 });
    await insertOf({ title: 'Air hammer', slug: 'air', ...half, condition: 'good' });
    const read = await site.page('/deals?search=refurbished+hammer+50%25+off');
    const list = await site.page('/categories/tools?condition=refurbished&off=50');
    for (const { html } of [read, list]) {
      expect(html).toContain('>Jack hammer<');
      expect(html).not.toContain('>Drop hammer<');
      expect(html).not.toContain('>Air hammer<');
      expect(text(html)).toContain('At least 50% off');
      expect(text(html)).toContain('Refurbished');
      // These filters are kept when another one is chosen.
      expect(html).toContain('<input type="hidden" name="condition" value="refurbished"/>');
      expect(html).toContain('<input type="hidden" name="off" value="50"/>');
    }
    expect(read.html).toContain('href="/deals?search=hammer&amp;condition=refurbished"');
    expect(list.html).toContain('href="/categories/tools?off=50"');
    const none = await site.page('/deals?search=refurbished+hammer+90%25+off');
    expect(text(none.html)).toContain('2 deals without “At least 90% off”');
  });

  it('detects a brand in a search if most matches belong to it', async () => {
    await insertOf({ title: 'Pear juicer', slug: 'juicer', brand: 'Pear', coupon_code: 'PIE' });
    await insertOf({ title: 'Silver phone', slug: 'phone', brand: 'Pear' });
    await insertOf({ title: 'Pear phone case', slug: 'case' });
    const phones = await site.page('/deals?search=PEAR+phone');
    expect(phones.html).toContain('>Silver phone<');
    expect(phones.html).not.toContain('>Pear phone case<');
    expect(phones.html).toContain('href="/deals?search=phone"');
    expect(phones.html).toContain('<input type="hidden" name="brand" value="Pear"/>');
    // The brand does not become a filter, since most deals with these words are not of the brand.
    // The brand alone is a plain search.
    await insertOf({ title: 'Pear juice', slug: 'juice' });
    for (const words of ['pear+juice', 'pear+case', 'pear']) {
      const { html } = await site.page(`/deals?search=${words}`);
      expect(html).not.toContain('name="brand"');
    }
    await insertOf({ title: 'Some fruit', slug: 'fruit', brand: 'Pear' });
    const coupons = await site.page('/deals?search=pear+coupon');
    expect(coupons.headers.get('location')).toBe('/deals?type=coupon&brand=Pear');
    const list = await site.page('/deals?brand=p%C3%A9ar&type=coupon');
    expect(list.html).toContain('>Pear juicer<');
    expect(text(list.html)).toContain('1 deal from 1 store');
    expect((await site.page('/deals/phone')).html).toContain('href="/deals?brand=Pear"');
  });

  it('shows how many results each filter hides when nothing is found', async () => {
    const { html } = await site.page('/deals?search=hammer&max=5&type=coupon&min=1');
    expect(text(html)).not.toContain('without');
    const one = await site.page('/deals?search=hammer&max=5');
    expect(text(one.html)).toContain('1 deal without “Up to $5”');
    expect(one.html).toContain('href="/deals?search=hammer"');
  });

  it('shows results for fewer words when no deal has all of them, with links to alternatives', async () => {
    for (const title of ['Cordless drill', 'Cordless drill kit', 'Blue cordless drill'])
      await insertOf({ title });
    for (const title of ['Cordless fan 18V', 'Cordless saw 18V', 'Drill 18V'])
      await insertOf({ title });
    await insertOf({ title: 'Old cordless drill', expires_at: new Date('2026-01-01') });
    const { status, html } = await site.page('/deals?search=cordless+drill+18v');
    expect(status).toBe(200);
    expect(text(html)).toContain('Search Results for "cordless drill 18v"');
    expect(text(html)).toContain(
      'No deal has all of: cordless drill 18v . 3 without “18v” · 1 without “cordless” · 2 without “drill”',
    );
    expect(html).toMatch(/href="\/deals\?search=drill\+18v"[^>]*>1 without “cordless”</);
    expect(html).toMatch(/href="\/deals\?search=cordless\+18v"[^>]*>2 without “drill”</);
    expect(html).toContain('>Blue cordless drill<');
    expect(html).not.toContain('>Drill 18V<');
    expect(text(html)).not.toContain('No results found');
    const two = await site.page('/deals?search=zqxwv+cordless+drill+18v');
    expect(text(two.html)).toContain('3 without “zqxwv” and “18v”');
  });

  it.each([
    ['one word', 'zqxwv'],
    ['three words that no deal has', 'zqxwv+vwxqz+qqzzw'],
  ])('shows tips and other deals for %s without a result', async (_, typed) => {
    const { html } = await site.page(`/deals?search=${typed}`);
    expect(text(html)).toContain('No results found');
    expect(text(html)).not.toContain('No deal has all of');
    expect(html).toContain('>Claw hammer<');
  });

  it('shows no results for a blank search', async () => {
    expect(text((await site.page('/deals?search=+')).html)).toContain('1 deal from 1 store');
  });

  it('offers all list filters in a search, plus filters by category and store', async () => {
    await insertOf({ title: 'Sledge hammer', slug: 'sledge', status: 'used', condition: 'good' });
    const other = await insertCategory(database.db, { name: 'Toys', slug: 'toys' });
    await insertOf({ title: 'Toy hammer', slug: 'toy', category_id: other.id });
    const found = async (query: string) => {
      const { html } = await site.page(`/deals?search=hammer${query}`);
      return ['Claw', 'Sledge', 'Toy'].filter((name) => html.includes(`>${name} hammer<`));
    };
    expect(await found('')).toHaveLength(3);
    expect(await found('&status=used')).toEqual(['Sledge']);
    expect(await found('&category=tools')).toEqual(['Claw', 'Sledge']);
    expect(await found('&category=toys&merchant=outpost&seller=third_party')).toEqual(['Toy']);
    const { html } = await site.page('/deals?search=hammer&category=toys');
    expect(html).toContain('<option value="tools">Tools (2)</option>');
    expect(html).toContain('<option value="used" disabled="">Used (0)</option>');
    // An unknown category or store is ignored.
    expect(await found('&category=nowhere&merchant=nobody')).toHaveLength(3);
    expect((await site.page('/deals?search=hammer&category=nowhere')).html).not.toContain(
      'Clear Filters',
    );
  });

  it('shows the text of a search as text', async () => {
    const { html } = await site.page(`/deals?search=${encodeURIComponent('<b>x</b>"')}`);
    expect(html).not.toContain('<b>x</b>');
  });

  // Proves Storefront 2: Search results: "Search Error" (search-results.tsx)
  it('reports a failed search with a link to retry', async () => {
    await sql`alter table merchants rename column description to hidden`.execute(database.db);
    try {
      const { status, html } = await site.page('/deals?search=hammer');
      expect(status).toBe(503);
      expect(text(html)).toContain('Search Error');
      expect(text(html)).toContain('There was an error searching for "hammer". Please try again.');
      expect(text(html)).toContain('Retry');
    } finally {
      await sql`alter table merchants rename column hidden to description`.execute(database.db);
    }
  });
});

/** Returns the visible text of a page. */
function text(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
