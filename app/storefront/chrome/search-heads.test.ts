import { expect, test } from 'vitest';
import { insertBlogPost, insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

const texts = {
  slug: 'lamps',
  seo_title: 'Lamps at the best price',
  seo_description: 'Every lamp, checked.',
  share_text: 'Look at these lamps',
};
const image = { share_image_url: 'https://pictures.example/lamp.png' };
const pages = [
  [
    '/categories/lamps',
    (more: object) => insertCategory(database.db, { ...texts, ...image, ...more }),
  ],
  [
    '/merchants/lamps',
    (more: object) => insertMerchant(database.db, { ...texts, ...image, ...more }),
  ],
  ['/blog/lamps', (more: object) => insertBlogPost(database.db, { ...texts, ...more })],
] as const;

const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const inSitemap = async (path: string) => {
  const folder = path.split('/')[1];
  const { html } = await site.page(`/sitemaps/${folder}.xml`);
  return html.includes(`${path}</loc>`);
};

test.each(pages)(
  'shows the search and share texts that staff wrote for %s',
  async (path, insert) => {
    await insert({});
    const { html } = await site.page(path);
    expect(html).toMatch(/<title[^>]*>Lamps at the best price \|/);
    expect(metaOf(html, 'description')).toBe('Every lamp, checked.');
    expect(metaOf(html, 'og:title')).toBe('Lamps at the best price');
    expect(metaOf(html, 'og:description')).toBe('Look at these lamps');
    expect(metaOf(html, 'robots')).toBeUndefined();
    const isShown = metaOf(html, 'og:image') === image.share_image_url;
    expect(isShown).toBe(!path.startsWith('/blog'));
    expect(await inSitemap(path)).toBe(true);
  },
);

test.each(pages)('asks search engines not to list %s if staff chose this', async (path, insert) => {
  await insert({ noindex: true });
  const { status, html } = await site.page(path);
  expect([status, metaOf(html, 'robots')]).toEqual([200, 'noindex, follow']);
  expect(html).not.toContain('rel="canonical"');
  expect(await inSitemap(path)).toBe(false);
});

test('uses the description as the share text if staff left it blank', async () => {
  await insertCategory(database.db, { slug: 'chairs', name: 'Chairs', description: 'To sit on' });
  const { html } = await site.page('/categories/chairs');
  expect(html).toMatch(/<title[^>]*>Chairs Deals \|/);
  expect(metaOf(html, 'description')).toBe('To sit on');
  expect(metaOf(html, 'og:description')).toBe('To sit on');
  expect(metaOf(html, 'og:image')).toContain('/share-pictures/category-');
});
