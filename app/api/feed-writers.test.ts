import { assert, property, string } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { strictlyParse } from '#test/strictly-parse.ts';
import { priceLine } from './deal-feed.server.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import { answerSitemap, answerSitemapIndex, type SitemapUrl } from './sitemap-xml.server.ts';
import { writeJsonFeed, writeRss } from './write-feed.server.ts';

const site = { name: 'Deal Hub', origin: 'https://deals.test' };
const now = new Date('2026-11-21T12:00:00Z');

const entry: FeedEntry = {
  permanentPath: '/deals/7',
  path: '/deals/desk-lamp',
  title: 'Desk lamp',
  html: '<p>$19.99</p>',
  summary: null,
  image: null,
  author: null,
  publishedAt: new Date('2026-11-01T10:00:00Z'),
  changedAt: new Date('2026-11-05T10:00:00Z'),
  categories: ['Lighting'],
};

const document = (entries: FeedEntry[], change: Partial<FeedDocument> = {}): FeedDocument => ({
  title: 'Newest deals – Deal Hub',
  description: 'The newest deals.',
  homePath: '/deals',
  query: '',
  entries,
  ...change,
});

const rss = (change: Partial<FeedEntry> = {}) =>
  writeRss(document([{ ...entry, ...change }]), 'deals', site, { now, hub: null });
const json = (change: Partial<FeedEntry> = {}) =>
  JSON.parse(writeJsonFeed(document([{ ...entry, ...change }]), 'deals', site, { hub: null })) as {
    items: Record<string, unknown>[];
  } & Record<string, unknown>;

describe('a feed as RSS', () => {
  test('identifies entries by a URL that never changes, and links the current one', () => {
    expect(rss()).toMatch(/<guid[^>]*>https:\/\/deals\.test\/deals\/7<\/guid>/);
    expect(rss()).toContain('<link>https://deals.test/deals/desk-lamp</link>');
  });

  test('sets the build date of a feed when its newest entry changed', () => {
    const newer = { ...entry, changedAt: new Date('2026-11-09T08:00:00Z') };
    const text = writeRss(document([entry, newer, entry]), 'deals', site, { now, hub: null });
    expect(text).toContain('<lastBuildDate>Mon, 09 Nov 2026 08:00:00 GMT</lastBuildDate>');
  });

  test('keeps the date of an empty feed for a day, so that readers can cache it', () => {
    const empty = (time: string) =>
      writeRss(document([]), 'deals', site, {
        now: new Date(time),
        hub: null,
      });
    expect(empty('2026-11-21T01:00:00Z')).toBe(empty('2026-11-21T23:59:00Z'));
    expect(empty('2026-11-21T23:59:00Z')).not.toBe(empty('2026-11-22T00:00:00Z'));
  });

  test('links a feed to itself with its query', () => {
    const text = writeRss(document([entry], { query: '?category=tools' }), 'deals', site, {
      now,
      hub: null,
    });
    expect(text).toContain('https://deals.test/feeds/deals.xml?category=tools');
  });

  test.each([
    ['/media/lamp.webp', 'https://deals.test/media/lamp.webp', 'image/webp'],
    ['https://shop.example/l.JPG', 'https://shop.example/l.JPG', 'image/jpeg'],
    ['https://shop.example/l.png?w=3', 'https://shop.example/l.png?w=3', 'image/png'],
  ])('includes the picture %s with its type', (image, url, type) => {
    const [enclosure = ''] = /<enclosure[^>]*>/.exec(rss({ image })) ?? [];
    expect(enclosure).toContain(`url="${url}"`);
    expect(enclosure).toContain(`type="${type}"`);
  });

  test.each([
    'https://shop.example/picture',
    'javascript:alert(1).png',
    'data:image/png;base64,x',
    null,
  ])('includes no picture for %s, whose type readers cannot know', (image) => {
    expect(rss({ image })).not.toContain('<enclosure');
  });

  test('includes a summary, the whole text and the author of each article in RSS', () => {
    const text = rss({ summary: 'In short.', html: '<p>At length.</p>', author: 'Ada' });
    expect(text).toMatch(/<description><!\[CDATA\[In short\.\]\]><\/description>/);
    expect(text).toMatch(/<content:encoded><!\[CDATA\[<p>At length\.<\/p>\]\]><\/content:encoded>/);
    expect(text).toMatch(/<dc:creator>(?:<!\[CDATA\[)?Ada/);
  });

  test('writes well-formed RSS for any text of a merchant', () => {
    const ends = 'a ]]> b ]]> <![CDATA[ & < \u0000 \uFFFE \uD800';
    expect(() => strictlyParse(rss({ title: ends, categories: [ends] }))).not.toThrow();
    assert(
      property(string({ unit: 'binary' }), string({ unit: 'binary' }), (title, summary) => {
        strictlyParse(rss({ title, summary, author: title, categories: [summary] }));
      }),
    );
  });
});

describe('a feed as JSON', () => {
  test('writes JSON Feed 1.1 with absolute URLs', () => {
    expect(json()).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: 'https://deals.test/deals',
      feed_url: 'https://deals.test/feeds/deals.json',
      language: 'en',
    });
    expect(json().items[0]).toEqual({
      id: 'https://deals.test/deals/7',
      url: 'https://deals.test/deals/desk-lamp',
      title: 'Desk lamp',
      content_html: '<p>$19.99</p>',
      date_published: '2026-11-01T10:00:00.000Z',
      date_modified: '2026-11-05T10:00:00.000Z',
      tags: ['Lighting'],
    });
  });

  test('includes author, summary and picture in JSON Feed if there are any', () => {
    expect(
      json({ author: 'Ada', summary: 'In short.', image: '/media/l.webp' }).items[0],
    ).toMatchObject({
      authors: [{ name: 'Ada' }],
      summary: 'In short.',
      image: 'https://deals.test/media/l.webp',
    });
  });

  test.each(['javascript:alert(1)', 'data:image/png;base64,x'])(
    'omits %s from JSON Feed',
    (image) => {
      expect(json({ image }).items[0]).not.toHaveProperty('image');
    },
  );
});

describe('the price in an entry', () => {
  const claim = {
    percent: 50,
    was: 3999,
    saved: 2000,
    evidence: '',
    source: null,
    isUnchecked: false,
    storePercent: null,
  };

  test('names the source of the earlier price in an entry', () => {
    const seen = { ...claim, basis: 'seen', source: 'for 23 days' } as const;
    expect(priceLine(1999, seen, 'USD')).toBe('$19.99, was $39.99 (for 23 days)');
  });

  test('shows the price alone when nothing may be claimed', () => {
    const none = { ...claim, was: null, saved: null, percent: null, basis: 'none' } as const;
    expect(priceLine(1999, none, 'EUR')).toBe('€19.99');
    expect(priceLine(1999, { ...none, storePercent: 40 }, 'EUR')).toBe('€19.99; store says −40%');
  });
});

describe('the sitemap', () => {
  async function* batches(...lists: SitemapUrl[][]) {
    yield* lists;
  }

  test('lists every URL of every batch in the sitemap, absolute and escaped', async () => {
    const answer = answerSitemap(
      'https://deals.test',
      batches([{ path: '/deals/a' }, { path: '/blog/tags/a%20&b' }], [], [{ path: '/deals/c' }]),
    );
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const text = await answer.text();
    strictlyParse(text);
    expect([...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)).toEqual([
      'https://deals.test/deals/a',
      'https://deals.test/blog/tags/a%20&amp;b',
      'https://deals.test/deals/c',
    ]);
  });

  test('includes the time of a change in the sitemap only if known', async () => {
    const changedAt = new Date('2026-11-05T10:00:00Z');
    const text = await answerSitemap(
      'https://deals.test',
      batches([{ path: '/a', changedAt }, { path: '/b' }]),
    ).text();
    expect(text.match(/<lastmod>[^<]*<\/lastmod>/g)).toEqual([
      '<lastmod>2026-11-05T10:00:00.000Z</lastmod>',
    ]);
  });

  test('requests the sitemap’s next batch only when the previous one was consumed', async () => {
    let asked = 0;
    async function* counted() {
      for (;;) {
        asked += 1;
        yield [{ path: `/deals/${asked}` }];
      }
    }
    const reader = answerSitemap('https://deals.test', counted()).body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(asked).toBeLessThanOrEqual(3);
    await reader?.cancel();
    const atEnd = asked;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(atEnd);
  });

  test('stops reading the database for a sitemap when the client disconnects', async () => {
    let hasEnded = false;
    async function* watched() {
      try {
        for (;;) yield [{ path: '/a' }];
      } finally {
        hasEnded = true;
      }
    }
    const reader = answerSitemap('https://deals.test', watched()).body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    expect(hasEnded).toBe(true);
  });

  test('fails the response when the database fails halfway, instead of sending an incomplete sitemap', async () => {
    async function* failing() {
      yield [{ path: '/a' }];
      throw new Error('gone');
    }
    await expect(answerSitemap('https://deals.test', failing()).text()).rejects.toThrow('gone');
  });

  test('lists the sitemap’s parts by absolute URLs in the index', async () => {
    const text = await answerSitemapIndex('https://deals.test', [
      'pages.xml',
      'deals-1.xml',
    ]).text();
    strictlyParse(text);
    expect(text).toContain('<loc>https://deals.test/sitemaps/pages.xml</loc>');
    expect(text.match(/<sitemap>/g)).toHaveLength(2);
  });
});
