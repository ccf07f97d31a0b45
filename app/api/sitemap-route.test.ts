import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, it } from 'vitest';
import routes from '#app/routes.ts';
import { listDealRanges } from '#app/features/deals/deal-feed-queries.server.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { strictlyParse } from '#test/strictly-parse.ts';
import sitemapPages from './sitemap-pages.json' with { type: 'json' };

const database = useTestDatabase();
const site = testSite(database);

async function locations(path: string): Promise<string[]> {
  const { status, html, headers } = await site.page(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
  return strictlyParse(html)
    .texts('loc')
    .map((address) => address.replace(testOrigin, ''));
}

describe('the sitemap', () => {
  it('lists the sitemap’s parts, with one for each range of ids that has a live deal', async () => {
    const { id: category_id } = await insertCategory(database.db);
    const { id: merchant_id } = await insertMerchant(database.db);
    const at = (id: number, fields = {}) =>
      insertDeal(database.db, { id, category_id, merchant_id, ...fields });
    await at(1);
    await at(45_000);
    await at(45_001, { is_active: false });
    await at(90_001);
    await at(4_500_000_000);
    expect(await locations('/sitemap.xml')).toEqual([
      '/sitemaps/pages.xml',
      '/sitemaps/categories.xml',
      '/sitemaps/merchants.xml',
      '/sitemaps/products.xml',
      '/sitemaps/blog.xml',
      '/sitemaps/deals-1.xml',
      '/sitemaps/deals-3.xml',
      '/sitemaps/deals-100000.xml',
    ]);
    expect(await locations('/sitemaps/deals-1.xml')).toHaveLength(2);
    expect(await locations('/sitemaps/deals-100000.xml')).toHaveLength(1);
  });

  it('omits hidden deals from the sitemap, and includes the time of each change', async () => {
    const live = await insertDeal(database.db, { slug: 'live' });
    await insertDeal(database.db, { slug: 'inactive', is_active: false });
    await insertDeal(database.db, { slug: 'expired', expires_at: new Date(Date.now() - 60_000) });
    expect(await locations('/sitemaps/deals-1.xml')).toEqual(['/deals/live']);
    const { html } = await site.page('/sitemaps/deals-1.xml');
    expect(strictlyParse(html).texts('lastmod')).toEqual([live.updated_at.toISOString()]);
  });

  it('reads a long sitemap range in batches without losing any', async () => {
    const { id: category_id } = await insertCategory(database.db);
    const { id: merchant_id } = await insertMerchant(database.db);
    const rows = Array.from({ length: 4_500 }, (_, n) => ({
      title: `Deal ${n}`,
      slug: `d-${n}`,
      sale_price: 100,
      deal_url: 'https://shop.example/',
      category_id,
      merchant_id,
    }));
    await database.db.insertInto('deals').values(rows).execute();
    const listed = await locations('/sitemaps/deals-1.xml');
    expect(new Set(listed).size).toBe(4_500);
  });

  it('lists categories, merchants and published posts in the sitemap', async () => {
    await insertCategory(database.db, { slug: 'audio' });
    await insertMerchant(database.db, { slug: 'shop' });
    await insertBlogPost(database.db, { slug: 'guide' });
    await insertBlogPost(database.db, { slug: 'draft', is_published: false });
    expect(await locations('/sitemaps/categories.xml')).toEqual(['/categories/audio']);
    expect(await locations('/sitemaps/merchants.xml')).toEqual(['/merchants/shop']);
    expect(await locations('/sitemaps/blog.xml')).toEqual(['/blog/guide']);
  });

  it('returns 404 for an empty sitemap range or an unknown name', async () => {
    expect(await listDealRanges(database.db, 45_000)).toEqual([]);
    for (const name of [
      'deals-1.xml',
      'deals-0.xml',
      'deals-01.xml',
      'deals-99999999999.xml',
      'other.xml',
    ]) {
      expect([name, (await site.request(`/sitemaps/${name}`)).status]).toEqual([name, 404]);
    }
  });

  // Proves Storefront 2: Routes: home, deals, categories, merchants, blog, any other path (routes.ts)
  it('lists every fixed page of the storefront in the sitemap, all of which respond', async () => {
    const fixed = fixedPages(routes, '');
    const known = new Set([...sitemapPages.listed, ...sitemapPages.notForSearch]);
    // A new page belongs in app/api/sitemap-pages.json.
    expect(fixed.filter((path) => !known.has(path))).toEqual([]);
    expect(await locations('/sitemaps/pages.xml')).toEqual(sitemapPages.listed);
    for (const path of sitemapPages.listed) {
      expect([path, (await site.request(path)).status]).toEqual([path, 200]);
    }
  });
});

function fixedPages(entries: readonly RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path ? `${parent}/${entry.path}` : parent;
    const inner = fixedPages(entry.children ?? [], path);
    const isPage = (entry.path ?? entry.index) && entry.file.startsWith('storefront/');
    return isPage && !/[:*]/.test(path) ? [path === '' ? '/' : path, ...inner] : inner;
  });
}
