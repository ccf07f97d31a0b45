import Validator from '@adobe/structured-data-validator';
import { parseFeed } from '@rowanmanning/feed-parser';
import { describe, expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

// Other programs read the site's machine-readable output in these tests.

const database = useTestDatabase();
const site = testSite(database);
const day = 86_400_000;

async function fillShop() {
  const { db } = database;
  const category = await insertCategory(db, { name: 'Home & <Garden>', slug: 'home' });
  const merchant = await insertMerchant(db, { name: 'Harbor & Pine', slug: 'harbor' });
  const common = { category_id: category.id, merchant_id: merchant.id };
  const posted = new Date(Date.now() - day);
  await insertDeal(db, {
    ...common,
    title: 'Kettle & "cups"',
    slug: 'kettle',
    description: 'Boils <fast>.',
    image_url: '/media/kettle-640.webp',
    sale_price: 7_999,
    original_price: 14_999,
    expires_at: new Date(Date.now() + 3 * day),
    created_at: posted,
  });
  // A product without a picture cannot be a rich result. The store must provide one.
  await insertDeal(db, {
    ...common,
    title: 'Lamp',
    slug: 'lamp',
    availability: 'out_of_stock',
    image_url: 'https://shop.example/lamp.jpg',
  });
  await insertBlogPost(db, {
    title: 'How to & why',
    slug: 'how-to',
    excerpt: 'Short.',
    content: '<p>See <a href="/deals">deals</a>.</p>',
    author: 'Ada',
    tags: ['Audio', 'C & D'],
    featured_image_url: '/media/post.webp',
    published_at: posted,
  });
}

describe('a feed reader', () => {
  test('lets a feed reader read the deals feed', async () => {
    await fillShop();
    const feed = parseFeed((await site.page('/feeds/deals.xml')).html);
    expect(feed.meta).toMatchObject({ type: 'rss', version: '2.0' });
    expect(feed.title).toBe('Newest deals – Deal Hub');
    expect(feed.language).toBe('en');
    expect(feed.url).toBe(`${testOrigin}/deals`);
    expect(feed.self).toBe(`${testOrigin}/feeds/deals.xml`);
    expect(feed.items).toHaveLength(2);
    const kettle = feed.items.find(({ title }) => title === 'Kettle & "cups"');
    expect(kettle?.url).toBe(`${testOrigin}/deals/kettle?from=feed`);
    expect(kettle?.categories.map(({ term }) => term)).toEqual(['Home & <Garden>']);
    expect(kettle?.published?.getTime()).toBeGreaterThan(Date.now() - 2 * day);
    expect(kettle?.media[0]).toMatchObject({
      url: `${testOrigin}/media/kettle-640.webp`,
      mimeType: 'image/webp',
    });
    expect(new Set(feed.items.map(({ id }) => id)).size).toBe(2);
  });

  test('lets a feed reader read the blog feed, with whole articles and absolute URLs', async () => {
    await fillShop();
    const feed = parseFeed((await site.page('/feeds/blog.xml')).html);
    expect(feed.title).toBe('Deal Hub Blog');
    const [post] = feed.items;
    expect(post).toMatchObject({ title: 'How to & why', url: `${testOrigin}/blog/how-to` });
    expect(post?.description).toBe('Short.');
    expect(post?.content).toContain(`<a href="${testOrigin}/deals">`);
    expect(post?.authors.map(({ name }) => name)).toEqual(['Ada']);
    expect(post?.categories.map(({ term }) => term)).toEqual(['Audio', 'C & D']);
  });
});

describe('a structured-data validator', () => {
  test.each([
    '/',
    '/deals',
    '/deals/kettle',
    '/deals/lamp',
    '/categories/home',
    '/merchants/harbor',
  ])('finds no error in the structured data of %s', async (path) => {
    await fillShop();
    expect(await faultsOf(path)).toEqual([]);
  });

  test.each(['/blog/how-to', '/faq'])('finds no error in %s', async (path) => {
    await fillShop();
    expect(await faultsOf(path)).toEqual([]);
  });

  test('detects a planted error with the structured-data validator', async () => {
    const jsonld = { Product: [{ '@type': 'Product', offers: { '@type': 'Offer' } }] };
    expect(await errorsIn(jsonld)).not.toEqual([]);
  });
});

async function faultsOf(path: string): Promise<string[]> {
  const { html } = await site.page(path);
  const found: Record<string, object[]> = {};
  for (const [, json = ''] of html.matchAll(
    /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs,
  )) {
    const thing = JSON.parse(json) as { '@type': string };
    (found[thing['@type']] ??= []).push(thing);
  }
  return Object.keys(found).length === 0 ? ['there is none'] : errorsIn(found);
}

async function errorsIn(jsonld: Record<string, object[]>): Promise<string[]> {
  const issues = await new Validator().validate({ jsonld, microdata: {}, rdfa: {} });
  return issues
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ issueMessage, path }) => `${path.map(({ type }) => type).join('/')}: ${issueMessage}`);
}
