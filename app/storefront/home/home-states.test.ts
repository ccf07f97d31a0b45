import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

const home = async () => {
  const { status, html } = await site.page('/');
  const [, main = ''] = /<main[^>]*>(.*?)<\/main>/s.exec(html) ?? [];
  return { status, html, main };
};
const headings = (html: string) =>
  [...html.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, inside = '']) => textOf(inside));
const hrefs = (html: string) => tagsOf(html, 'a').map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);

describe('the home page', () => {
  it('shows only hero and reasons on the home page of an empty site', async () => {
    const { status, main } = await home();
    expect(status).toBe(200);
    expect(headings(main)).toEqual([
      'Deals that show their price history',
      'Why Choose Deal Hub',
      expect.stringContaining('Stay Updated'),
    ]);
  });

  // Proves Storefront 7: Hero image (home-hero.tsx)
  it('links from the hero to the deals and the categories', async () => {
    const { main } = await home();
    expect(main).toMatch(/href="\/deals"[^>]*>Browse All Deals</);
    expect(main).toMatch(/href="\/categories"[^>]*>Shop by Category</);
  });

  // Proves Storefront 2: Home: why choose, six cards; three reassurance lines (why-choose.tsx)
  it('shows six reasons and three reassurances on the home page', async () => {
    const { main } = await home();
    const [, reasons = ''] = /aria-labelledby="why"[^>]*>(.*?)<\/section>/s.exec(main) ?? [];
    expect(tagsOf(reasons, 'h3')).toHaveLength(6);
    for (const line of ['No spam', 'Unsubscribe anytime', 'Free to join']) {
      expect(textOf(main)).toContain(line);
    }
  });

  it('links every section of the home page to its full list', async () => {
    await insertDeal(database.db, { is_featured: true });
    await insertMerchant(database.db, { is_featured: true });
    await insertBlogPost(database.db);
    const { main } = await home();
    const of = (id: string) =>
      hrefs(
        new RegExp(`<section[^>]*aria-labelledby="${id}".*?</section>`, 's').exec(main)?.[0] ?? '',
      );
    expect(of('featured')).toContain('/deals');
    expect(of('by-category')).toContain('/categories');
    expect(of('recent')).toContain('/deals');
    expect(of('merchants')).toContain('/merchants');
    expect(of('posts')).toContain('/blog');
  });

  it('shows all six recent deals at every width', async () => {
    for (let n = 0; n < 8; n += 1) await insertDeal(database.db);
    const { main } = await home();
    const [recent = ''] = /<section[^>]*aria-labelledby="recent".*?<\/section>/s.exec(main) ?? [];
    expect(tagsOf(recent, 'article')).toHaveLength(6);
    expect(recent).not.toMatch(/ hidden|display:\s*none/);
    // Only the hero's row hides cards that do not fit.
    const app = path.join(import.meta.dirname, '../..');
    const hiding = globSync('**/*.css', { cwd: app }).filter((file) =>
      /:nth-[^{}]*\{[^}]*display:\s*none/.test(readFileSync(path.join(app, file), 'utf8')),
    );
    expect(hiding).toEqual(['storefront/home/home-hero.module.css']);
  });

  it('P3 and P4: does not feature an unpublished or expired deal', async () => {
    const ended = new Date('2020-01-01T00:00:00Z');
    await insertDeal(database.db, { title: 'Taken down', is_featured: true, is_active: false });
    await insertDeal(database.db, { title: 'Long over', is_featured: true, expires_at: ended });
    await insertBlogPost(database.db, { title: 'Still a draft', is_published: false });
    const { html } = await home();
    for (const hidden of ['Taken down', 'Long over', 'Still a draft'])
      expect(html).not.toContain(hidden);
  });

  it('enlarges two of six featured deals, and none if there are fewer', async () => {
    const category_id = (await insertCategory(database.db)).id;
    const merchant_id = (await insertMerchant(database.db)).id;
    const feature = () => insertDeal(database.db, { is_featured: true, category_id, merchant_id });
    for (let n = 0; n < 5; n += 1) await feature();
    expect((await home()).main).not.toContain('data-wide');
    await feature();
    expect((await home()).main.match(/data-wide="true"/g)).toHaveLength(2);
  });

  // Proves Storefront 2: Fallback home page (fallback-home.tsx)
  it('replaces a crashed home page with a simple page of links, inside the layout', async () => {
    await database.pool.query('alter table blog_posts rename to blog_posts_gone');
    try {
      const { status, html, main } = await home();
      expect(status).toBe(500);
      expect(headings(main)).toEqual(['Deal Hub']);
      expect(hrefs(main)).toEqual(['/deals', '/categories', '/merchants', '/blog']);
      expect(textOf(main)).toContain('Deals that show their price history.');
      expect(html).toContain('<footer');
      expect(html).not.toMatch(/blog_posts|relation|\bat \w+ \(/);
    } finally {
      await database.pool.query('alter table blog_posts_gone rename to blog_posts');
    }
    expect((await home()).status).toBe(200);
  });
});
