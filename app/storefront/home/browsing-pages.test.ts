import { describe, expect, it } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { addDemoSettings } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

/** Returns the text of a page without markup, in reading order. */
async function read(path: string): Promise<string> {
  const { html } = await site.page(path);
  const body = html.slice(html.indexOf('<body'));
  return body
    .replace(/<(script|style)[^]*?<\/\1>/g, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `“${part}” after what comes before it`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
}

describe('the home page', () => {
  // Proves Storefront 2: Home: sections in order, hero buttons (home-page.tsx)
  it('shows the home page’s sections in the specification’s order, each with its link', async () => {
    await addDemoSettings(database.db);
    await insertMerchant(database.db, { name: 'Fine Shop', is_featured: true });
    await insertDeal(database.db, { is_featured: true });
    await insertBlogPost(database.db, { title: 'A guide' });
    expectInOrder(await read('/'), [
      'Browse All Deals',
      'Shop by Category',
      '10,000+',
      '50,000+',
      '500+',
      '$2M+',
      'Featured Deals',
      'Shop by Category',
      'Recently Added Deals',
      'Featured Merchants',
      'Fine Shop',
      'Latest Blog Posts',
      'A guide',
      'Why Choose',
    ]);
  });

  // Proves Storefront 9: Home: 6, 6, 8, 3 (home-page.tsx)
  // Proves Storefront 9: Featured 6; home 6, 6, 8, 8, 3 (home-page.tsx)
  it('limits the home page to six featured and six recent deals, eight categories and three articles', async () => {
    for (let n = 0; n < 10; n++) {
      await insertDeal(database.db, { title: `Thing no ${n}`, is_featured: true });
      await insertBlogPost(database.db, { title: `Guide no ${n}`, slug: `guide-no-${n}` });
    }
    const { html } = await site.page('/');
    const targets = [...html.matchAll(/<a[^>]+href="(\/[a-z]+\/[^"]+)"/g)].map((found) => found[1]);
    const different = (start: string) =>
      new Set(targets.filter((target) => target?.startsWith(start))).size;
    expect(different('/deals/')).toBe(6);
    expect(different('/categories/')).toBe(8);
    expect(different('/blog/')).toBe(3);
  });
});

describe('the layout of every page', () => {
  // Proves Storefront 2: Header: logo, search, five links (site-header.tsx)
  // Proves Storefront 2: Footer: deals, categories, merchants; copyright; statement (site-footer.tsx)
  // Proves P35c: disclosure (affiliate-disclosure.tsx)
  it('shows search, the five links, the disclosure before the first store link, and the statement on every page', async () => {
    await insertDeal(database.db);
    await addDemoSettings(database.db);
    const { html } = await site.page('/deals');
    const nav = ['Home', 'Deals', 'Categories', 'Stores', 'Blog'];
    expectInOrder(await read('/deals'), nav);
    expect(html).toMatch(/<input[^>]+role="combobox"/);
    const disclosure = html.search(/commission/i);
    expect(disclosure).toBeGreaterThan(0);
    expect(html.indexOf('href="/out/')).toBeGreaterThan(disclosure);
    expect(await read('/deals')).toContain(`© 2025–${new Date().getFullYear()}`);
    expect(html).toContain('href="/how-we-rank"');
  });

  it('shows the layout around a missing page, and returns 404', async () => {
    const { status, html } = await site.page('/nothing/here');
    expect(status).toBe(404);
    expect(html).toContain('<h1');
    expect(html).toContain('href="/deals"');
  });
});

describe('the categories page', () => {
  // Proves Storefront 2: Categories page: "N deals available", description (categories-page.tsx)
  it('shows the categories as tiles with a count and a description', async () => {
    const audio = await insertCategory(database.db, { name: 'Audio', description: 'Loud things' });
    await insertDeal(database.db, { category_id: audio.id });
    await insertDeal(database.db, { category_id: audio.id });
    expectInOrder(await read('/categories'), ['Audio', '2 deals available']);
    expect(await read('/categories')).toContain('Loud things');
  });
});

describe('the merchants page', () => {
  // Proves Storefront 2: Merchants page: Featured Partners, All Merchants (merchants-page.tsx)
  it('lists featured partners first, then all merchants', async () => {
    await insertMerchant(database.db, { name: 'Plain Shop' });
    await insertMerchant(database.db, { name: 'Fine Shop', is_featured: true });
    expectInOrder(await read('/merchants'), [
      'Featured Partners',
      'Fine Shop',
      'All Merchants',
      'Plain Shop',
    ]);
  });

  // Proves Storefront 2: Merchants page: empty (merchants-page.tsx)
  it('shows a message when there are no merchants', async () => {
    expectInOrder(await read('/merchants'), [
      'No merchants found',
      'Merchants will appear here once they’re added to the platform.',
    ]);
  });
});
