import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
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

const database = useTestDatabase();
const site = testSite(database);
const awkward = `R&D's "best" <b>kettle</b> ]]> 漢字 🎧`;
const yesterday = new Date(Date.now() - 86_400_000);

interface JsonFeed {
  version: string;
  title: string;
  home_page_url: string;
  feed_url: string;
  items: {
    id: string;
    url: string;
    title: string;
    content_html: string;
    date_published: string;
    image?: string;
    tags: string[];
    authors?: { name: string }[];
  }[];
}

async function readJson(path: string): Promise<JsonFeed> {
  const response = await site.request(path);
  expect(response.status).toBe(200);
  const feed: JsonFeed = await response.json();
  return feed;
}

async function readXml(path: string) {
  const { status, html } = await site.page(path);
  expect(status).toBe(200);
  return strictlyParse(html);
}

describe('the feed of deals', () => {
  it('lists only live deals in the feed, newest first', async () => {
    const db = database.db;
    await insertDeal(db, { title: 'Older', created_at: new Date(Date.now() - 2 * 86_400_000) });
    await insertDeal(db, { title: 'Newer' });
    await insertDeal(db, { title: 'Inactive', is_active: false });
    await insertDeal(db, { title: 'Expired', expires_at: yesterday });
    const { items } = await readJson('/feeds/deals.json');
    expect(items.map(({ title }) => title)).toEqual(['Newer', 'Older']);
    const { texts } = await readXml('/feeds/deals.xml');
    expect(texts('item title')).toEqual(['Newer', 'Older']);
  });

  it('lists at most fifty deals in the feed', async () => {
    const { id: category_id } = await insertCategory(database.db);
    const { id: merchant_id } = await insertMerchant(database.db);
    for (let n = 0; n < 51; n++) await insertDeal(database.db, { category_id, merchant_id });
    expect((await readJson('/feeds/deals.json')).items).toHaveLength(50);
  });

  it('writes well-formed XML for any title', async () => {
    const { id: category_id } = await insertCategory(database.db, { name: 'Home & <Garden>' });
    await insertDeal(database.db, { title: awkward, description: `${awkward}\u0007`, category_id });
    const { texts } = await readXml('/feeds/deals.xml');
    expect(texts('item title')).toEqual([`R&D's "best" <b>kettle</b> ]] > 漢字 🎧`]);
    expect(texts('item category')).toEqual(['Home & <Garden>']);
    expect(texts('item description')[0]).toContain(`&lt;b&gt;kettle&lt;/b&gt; ]]&gt; 漢字 🎧`);
    const { items } = await readJson('/feeds/deals.json');
    expect(items[0]?.title).toBe(awkward);
    expect(tagsIn(items[0]?.content_html ?? '')).toEqual(new Set(['p']));
  });

  it('states in the feed who claims the former price', async () => {
    await insertDeal(database.db, { sale_price: 7999, original_price: 14_999 });
    const { items } = await readJson('/feeds/deals.json');
    expect(items[0]?.content_html).toContain(
      '$79.99, was $149.99 (the store’s claim, not checked yet)',
    );
  });

  it('makes no price claim in the feed without the required history', async () => {
    await writeSiteSetting(database.db, 'priceClaims', 'observed', 'test');
    await insertDeal(database.db, { sale_price: 7999, original_price: 14_999 });
    const { items } = await readJson('/feeds/deals.json');
    expect(items[0]?.content_html).toContain('<p>$79.99</p>');
    expect(items[0]?.content_html).not.toContain('149.99');
  });

  it('omits from the feed a price that the merchant wants hidden now', async () => {
    const merchant = await insertMerchant(database.db, {
      hide_price_after_hours: 1,
      show_price_timestamp: true,
      price_disclaimer: 'Prices may change.',
    });
    await insertDeal(database.db, { merchant_id: merchant.id, price_checked_at: yesterday });
    const content = (await readJson('/feeds/deals.json')).items[0]?.content_html ?? '';
    expect(content).toContain('See price at store');
    expect(content).toContain('Prices may change.');
    expect(content).not.toContain('19.99');
  });

  it('keeps an entry’s id when its slug changes', async () => {
    const deal = await insertDeal(database.db, { slug: 'before' });
    const [before] = (await readJson('/feeds/deals.json')).items;
    await database.db
      .updateTable('deals')
      .set({ slug: 'after' })
      .where('id', '=', deal.id)
      .execute();
    const [after] = (await readJson('/feeds/deals.json')).items;
    expect(after?.id).toBe(before?.id);
    expect(after?.url).toBe(`${testOrigin}/deals/after?from=feed`);
    const { texts } = await readXml('/feeds/deals.xml');
    expect(texts('item guid')).toEqual([before?.id]);
  });

  it('includes a picture in the feed only if its type is known', async () => {
    await insertDeal(database.db, { image_url: '/media/a-640.webp' });
    await insertDeal(database.db, { image_url: 'https://shop.example/picture?id=7&size=l' });
    await insertDeal(database.db, { image_url: null });
    const { attributes } = await readXml('/feeds/deals.xml');
    expect(attributes('item enclosure')).toEqual([
      { url: `${testOrigin}/media/a-640.webp`, type: 'image/webp', length: '0' },
    ]);
    const { items } = await readJson('/feeds/deals.json');
    expect(items.map(({ image }) => image)).toEqual([
      undefined,
      'https://shop.example/picture?id=7&size=l',
      `${testOrigin}/media/a-640.webp`,
    ]);
  });

  it('includes everything that JSON Feed 1.1 requires', async () => {
    await insertDeal(database.db);
    const feed = await readJson('/feeds/deals.json');
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
    expect(feed.title).toBe('Newest deals – Deal Hub');
    expect(feed.feed_url).toBe(`${testOrigin}/feeds/deals.json`);
    expect(feed.home_page_url).toBe(`${testOrigin}/deals`);
    for (const { id, content_html, date_published } of feed.items) {
      expect(id).toMatch(/^http:\/\/deals\.test\/deals\/\d+$/);
      expect(content_html).not.toBe('');
      expect(new Date(date_published).toISOString()).toBe(date_published);
    }
  });
});

describe('a filtered feed', () => {
  it('writes a category’s feed with a title and URLs of its own', async () => {
    const audio = await insertCategory(database.db, { name: 'Audio & TV', slug: 'audio' });
    await insertDeal(database.db, { title: 'Speaker', category_id: audio.id });
    await insertDeal(database.db, { title: 'Kettle' });
    const feed = await readJson('/feeds/deals.json?category=audio');
    expect(feed.title).toBe('Audio & TV deals – Deal Hub');
    expect(feed.feed_url).toBe(`${testOrigin}/feeds/deals.json?category=audio`);
    expect(feed.items.map(({ title }) => title)).toEqual(['Speaker']);
    const { texts, attributes } = await readXml('/feeds/deals.xml?category=audio');
    expect(texts('channel > title')).toEqual(['Audio & TV deals – Deal Hub']);
    expect(texts('channel > link')).toEqual([`${testOrigin}/categories/audio`]);
    expect(attributes('channel atom:link')[0]?.href).toBe(
      `${testOrigin}/feeds/deals.xml?category=audio`,
    );
  });

  it('writes a feed of a merchant, or of a merchant and a category', async () => {
    const audio = await insertCategory(database.db, { name: 'Audio', slug: 'audio' });
    const shop = await insertMerchant(database.db, { name: 'Shop', slug: 'shop' });
    await insertDeal(database.db, { title: 'A', category_id: audio.id, merchant_id: shop.id });
    await insertDeal(database.db, { title: 'B', merchant_id: shop.id });
    await insertDeal(database.db, { title: 'C', category_id: audio.id });
    const ofShop = await readJson('/feeds/deals.json?merchant=shop');
    expect(ofShop.title).toBe('Deals from Shop – Deal Hub');
    expect(ofShop.items.map(({ title }) => title)).toEqual(['B', 'A']);
    const both = await readJson('/feeds/deals.json?category=audio&merchant=shop');
    expect(both.title).toBe('Audio deals from Shop – Deal Hub');
    expect(both.items.map(({ title }) => title)).toEqual(['A']);
    await readXml('/feeds/deals.xml?category=audio&merchant=shop');
  });

  it('writes a feed of a search', async () => {
    await insertDeal(database.db, { title: 'Steel kettle' });
    await insertDeal(database.db, { title: 'Old kettle', expires_at: yesterday });
    await insertDeal(database.db, { title: 'Lamp' });
    const feed = await readJson('/feeds/deals.json?search=kettle');
    expect(feed.title).toBe('Deals matching “kettle” – Deal Hub');
    expect(feed.items.map(({ title }) => title)).toEqual(['Steel kettle']);
    await readXml(`/feeds/deals.xml?search=${encodeURIComponent(awkward)}`);
  });

  it('writes an empty and well-formed feed when nothing matches', async () => {
    expect((await readJson('/feeds/deals.json?search=nothing')).items).toEqual([]);
    expect((await readXml('/feeds/deals.xml?search=nothing')).texts('item')).toEqual([]);
  });

  it('returns 404 for a feed’s slug that never existed', async () => {
    for (const path of [
      'deals.xml?category=no',
      'deals.json?merchant=no',
      'other.xml',
      'deals.rss',
      'blog',
    ]) {
      expect([path, (await site.request(`/feeds/${path}`)).status]).toEqual([path, 404]);
    }
  });

  it('redirects a feed’s slug to its new name', async () => {
    const category = await insertCategory(database.db, { slug: 'before' });
    await insertMerchant(database.db, { slug: 'shop' });
    await database.db
      .updateTable('categories')
      .set({ slug: 'after' })
      .where('id', '=', category.id)
      .execute();
    const response = await site.request('/feeds/deals.xml?category=before&merchant=shop');
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe('/feeds/deals.xml?category=after&merchant=shop');
  });

  it('rejects contradictory parameters of a feed', async () => {
    await insertCategory(database.db, { slug: 'audio' });
    const response = await site.request('/feeds/deals.xml?category=audio&search=x');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('but not by both');
  });
});

describe('the blog feed', () => {
  it('lists published posts in the blog feed with their full text, sanitized and with absolute URLs', async () => {
    await insertBlogPost(database.db, { title: 'Draft', is_published: false });
    await insertBlogPost(database.db, {
      title: awkward,
      slug: 'guide',
      excerpt: 'In short & plain',
      author: 'Ada <Byron>',
      content: '<p>See <a href="/deals">deals</a></p><script>alert(1)</script>',
      tags: ['Guides'],
    });
    const feed = await readJson('/feeds/blog.json');
    expect(feed.title).toBe('Deal Hub Blog');
    expect(feed.items).toHaveLength(1);
    expect(feed.items[0]).toMatchObject({
      url: `${testOrigin}/blog/guide`,
      title: awkward,
      authors: [{ name: 'Ada <Byron>' }],
      tags: ['Guides'],
      content_html: `<p>See <a href="${testOrigin}/deals">deals</a></p>`,
    });
    const { texts } = await readXml('/feeds/blog.xml');
    expect(texts('item description')).toEqual(['In short & plain']);
    expect(texts('item dc:creator')).toEqual(['Ada <Byron>']);
    expect(texts('item content:encoded')[0]).toContain('<p>See <a');
  });
});

describe('a feed with a hub', () => {
  const hub = 'https://hub.deals.dev/?a=1&b=2';

  it('names its WebSub hub and itself, in the feed and as a header', async () => {
    await writeSiteSetting(database.db, 'webSubHub', hub, 'test');
    for (const name of ['deals', 'blog']) {
      const { attributes } = await readXml(`/feeds/${name}.xml`);
      expect(attributes('channel atom:link')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ rel: 'hub', href: hub }),
          expect.objectContaining({ rel: 'self', href: `${testOrigin}/feeds/${name}.xml` }),
        ]),
      );
      expect(await readJson(`/feeds/${name}.json`)).toMatchObject({
        hubs: [{ type: 'WebSub', url: hub }],
      });
      const { headers } = await site.request(`/feeds/${name}.json`);
      const self = `${testOrigin}/feeds/${name}.json`;
      expect(headers.get('link')).toBe(`<${hub}>; rel="hub", <${self}>; rel="self"`);
    }
  });

  it('names no hub in a filtered feed, or if the site has none', async () => {
    const named = async (path: string) => {
      const response = await site.request(path);
      return [response.headers.get('link'), (await response.text()).includes('hub')];
    };
    expect(await named('/feeds/deals.json')).toEqual([null, false]);
    await writeSiteSetting(database.db, 'webSubHub', hub, 'test');
    expect(await named('/feeds/deals.xml?search=lamp')).toEqual([null, false]);
  });
});

describe('a reader that polls', () => {
  it('returns 304 to a polling reader while nothing changed, and the new feed afterwards', async () => {
    await insertDeal(database.db);
    const first = await site.request('/feeds/deals.xml');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('last-modified')).toMatch(/GMT$/);
    expect(first.headers.has('set-cookie')).toBe(false);
    const ask = () =>
      site.request('/feeds/deals.xml', { headers: { 'if-none-match': `"x", ${etag}` } });
    const again = await ask();
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect(await again.text()).toBe('');
    await insertDeal(database.db);
    expect((await ask()).status).toBe(200);
  });

  it('sends the media type of each feed format', async () => {
    const types = await Promise.all(
      ['deals.xml', 'deals.json'].map(async (name) =>
        (await site.request(`/feeds/${name}`)).headers.get('content-type'),
      ),
    );
    expect(types).toEqual([
      'application/rss+xml; charset=utf-8',
      'application/feed+json; charset=utf-8',
    ]);
  });
});

function tagsIn(html: string): Set<string> {
  const tags = new Set<string>();
  new Parser({ onopentagname: (name) => tags.add(name) }).end(html);
  return tags;
}
