import { describe, expect, it } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { insertBlogPost, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

describe('the blog', () => {
  it('shows a message when the blog has no articles', async () => {
    const { status, html } = await site.page('/blog');
    expect(status).toBe(200);
    expect(html).toContain('Deal Hub Blog');
    expect(html).toContain('No articles yet');
  });

  // Proves Storefront 2: Blog list: featured, latest, empty (blog-page.tsx)
  // Proves Storefront 2: Blog card: date, read time, Read More (blog-card.tsx)
  // Proves Storefront 9: Featured posts 2, related 3 (article-page.tsx)
  // Proves P34: own read time (blog-card.tsx)
  it('shows two featured articles and all others below, each with its read time', async () => {
    await insertBlogPost(database.db, { title: 'Loud one', is_featured: true, read_time: 9 });
    await insertBlogPost(database.db, { title: 'Quiet one', author: 'Ada', read_time: 3 });
    const { html } = await site.page('/blog');
    const [featured = '', latest = ''] = html
      .slice(html.indexOf('Featured Articles'))
      .split('Latest Articles');
    expect(featured).toContain('Loud one');
    expect(text(featured)).toContain('9 min read');
    expect(latest).toContain('Quiet one');
    expect(text(latest)).toContain('3 min read');
    expect(text(latest)).toContain('Ada');
    expect(text(latest)).toContain('Read More');
  });

  it('shows no drafts in the blog', async () => {
    await insertBlogPost(database.db, { title: 'Secret', slug: 'secret', is_published: false });
    expect((await site.page('/blog')).html).not.toContain('Secret');
    expect((await site.page('/blog/secret')).status).toBe(404);
  });

  it('links the blog’s pages to each other', async () => {
    for (let n = 0; n < 25; n++) await insertBlogPost(database.db, { slug: `post-no-${n}` });
    const first = (await site.page('/blog')).html;
    expect(first).toContain(`<link rel="next" href="${testOrigin}/blog?page=2"`);
    const second = (await site.page('/blog?page=2')).html;
    expect(second).toContain(`<link rel="canonical" href="${testOrigin}/blog?page=2"`);
    expect(second.match(/<article/g)).toHaveLength(1);
  });

  it('shows a deal between the paragraphs of an article, but not if it is deleted or expired', async () => {
    const lamp = await insertDeal(database.db, { title: 'Desk lamp', sale_price: 1999 });
    const over = await insertDeal(database.db, {
      title: 'Old lamp',
      expires_at: new Date('2020-01-01'),
    });
    const deal = (id: number) => `<hr data-deal="${id}" title="x" />`;
    await insertBlogPost(database.db, {
      slug: 'lamps',
      content: `<blockquote><p>Before</p>${deal(lamp.id)}<p>After</p></blockquote>${deal(over.id)}${deal(999)}`,
    });
    const { html } = await site.page('/blog/lamps');
    const places = ['Before', 'Desk lamp', '$19.99', `/out/${lamp.id}`, 'After'].map((one) =>
      html.indexOf(one),
    );
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
    expect(html).toContain('<blockquote><p>Before</p></blockquote>');
    expect(html).not.toContain('Old lamp');
    expect(html).not.toContain('data-deal');
    const { html: feed } = await site.page('/feeds/blog.xml');
    expect(feed).toContain(`${testOrigin}/deals/${lamp.id}`);
  });

  it('dates articles in the site’s time zone', async () => {
    await writeSiteSetting(database.db, 'timeZone', 'America/Los_Angeles', 'test');
    await insertBlogPost(database.db, {
      slug: 'late',
      published_at: new Date('2026-03-02T03:00:00Z'),
    });
    expect((await site.page('/blog')).html).toContain('March 1, 2026');
    expect((await site.page('/blog/late')).html).toContain('March 1, 2026');
  });
});

describe('an article', () => {
  // Proves Storefront 2: Article: parts, related (article-page.tsx)
  it('shows an article’s text, author, tags and other articles', async () => {
    await insertBlogPost(database.db, { title: 'Another', tags: ['Audio'] });
    await insertBlogPost(database.db, {
      title: 'How to & why',
      slug: 'how-to',
      content: '<h2>First</h2><p>Then.</p>',
      author: 'Ada',
      read_time: 4,
      tags: ['Audio', 'C & D'],
    });
    const { status, html } = await site.page('/blog/how-to');
    expect(status).toBe(200);
    expect(html).toContain('<h2>First</h2><p>Then.</p>');
    expect(text(html)).toContain('By Ada');
    expect(text(html)).toContain('4 min read');
    expect(html).toContain('href="/blog/tags/C%20%26%20D"');
    expect(html.slice(html.indexOf('Related Articles'))).toContain('Another');
    expect(html).toContain('<title>How to &amp; why | Deal Hub</title>');
    expect(html).toContain(`<link rel="canonical" href="${testOrigin}/blog/how-to"`);
  });

  // Proves R17: blog HTML
  it('R17: sanitizes an article stored before the sanitizer improved', async () => {
    await insertBlogPost(database.db, {
      slug: 'old',
      content: '<p>Fine</p><script>alert("stored")</script><img src="/a.webp" onerror="alert(1)">',
    });
    const { html } = await site.page('/blog/old');
    expect(html).toContain('<p>Fine</p>');
    expect(html).not.toContain('alert(');
    expect(html).not.toContain('onerror');
  });

  it('includes structured data of an article', async () => {
    await insertBlogPost(database.db, { slug: 'a', title: 'A </script> & B', author: 'Ada' });
    const { html } = await site.page('/blog/a');
    const data = [
      ...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
    ].map(([, json = '']) => {
      const thing: Record<string, unknown> = JSON.parse(json);
      return thing;
    });
    expect(data.map((one) => one['@type'])).toEqual(['BlogPosting', 'BreadcrumbList']);
    expect(data[0]).toMatchObject({ headline: 'A </script> & B', author: { name: 'Ada' } });
  });

  it('redirects from an article’s former URL', async () => {
    const post = await insertBlogPost(database.db, { slug: 'before' });
    await database.db
      .updateTable('blog_posts')
      .set({ slug: 'after' })
      .where('id', '=', post.id)
      .execute();
    const response = await site.request('/blog/before');
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe('/blog/after');
  });

  // Proves Storefront 2: Article: not found (article-page.tsx)
  // Proves Back office 8: Article Not Found (article-page.tsx)
  it('returns 404 for a missing article, and offers other pages', async () => {
    const { status, html } = await site.page('/blog/nothing');
    expect(status).toBe(404);
    expect(text(html)).toContain('Article Not Found');
    expect(text(html)).toContain(
      "The article you're looking for doesn't exist or has been removed.",
    );
    expect(html).toMatch(/<a[^>]*href="\/blog"[^>]*>Back to Blog<\/a>/);
    expect(html).toContain('noindex');
  });
});

describe('a tag', () => {
  it('lists a tag’s articles', async () => {
    await insertBlogPost(database.db, { title: 'Tagged', tags: ['C & D'] });
    await insertBlogPost(database.db, { title: 'Untagged', tags: [] });
    const { status, html } = await site.page('/blog/tags/c%20%26%20d');
    expect(status).toBe(200);
    expect(text(html)).toContain('Articles on “C & D”');
    expect(html).toContain('Tagged');
    expect(html).not.toContain('Untagged');
  });

  it('returns 404 for an unused tag', async () => {
    expect((await site.page('/blog/tags/nothing')).status).toBe(404);
  });
});

describe('the feeds page', () => {
  it('links the feeds of the site, of the blog and of each category, and the calendar', async () => {
    await database.db.insertInto('categories').values({ name: 'Audio', slug: 'audio' }).execute();
    const { status, html } = await site.page('/feeds');
    expect(status).toBe(200);
    for (const path of [
      'deals.xml',
      'deals.json',
      'blog.xml',
      'blog.json',
      'price-drops.xml',
      'price-drops.json',
      'ending-soon.xml',
      'ending-soon.json',
      'ending-soon.ics',
      'deals.xml?category=audio',
    ]) {
      expect(html).toContain(`href="/feeds/${path}"`);
    }
  });
});

/** Returns the visible text: no tags, entities decoded. */
function text(html: string): string {
  return html
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
