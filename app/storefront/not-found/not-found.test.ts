import { describe, expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { findNearFixedAddress } from './find-near-fixed-address.ts';

const database = useTestDatabase();
const site = testSite(database);

const plain = (html: string) => html.replace(/<!-- -->/g, '').replaceAll('&#x27;', "'");
async function guessAt(path: string) {
  const { status, html } = await site.page(path);
  const [, href = null] = /Did you mean <a[^>]* href="([^"]+)"/.exec(plain(html)) ?? [];
  return { status, href };
}

describe('a page that does not exist', () => {
  // Proves Back office 2: Not-found page: words, ways on, popular pages
  test('returns 404 with a search, the specification’s links and its popular pages', async () => {
    const { status, html } = await site.page('/no/such-page');
    expect(status).toBe(404);
    expect(html).toContain('Oops! Page Not Found');
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? '';
    for (const path of ['/', '/deals', '/categories', '/merchants', '/about', '/contact'])
      expect(main).toContain(`href="${path}"`);
    expect(main).toContain('Go Back');
    expect(main).toContain('id="not-found-search"');
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
  });

  test('returns 404 for a form posted to a missing page', async () => {
    expect((await site.page('/no/such-page', { method: 'POST' })).status).toBe(404);
  });
});

describe('Did you mean', () => {
  test.each([
    ['/deal', '/deals'],
    ['/catagories', '/categories'],
    ['/Contacts', '/contact'],
    ['/stores', '/merchants'],
    ['/login', '/sign-in'],
  ])('suggests a page for %s: %s', async (path, href) => {
    expect(await guessAt(path)).toEqual({ status: 404, href });
  });

  test.each(['/', '/zzz', '/xy', '/constructor', '/deals/deal', `/${'x'.repeat(3000)}`])(
    'suggests nothing for %s',
    (path) => {
      expect(findNearFixedAddress(path)).toBeNull();
    },
  );

  test('suggests the live deal for a misspelled URL in any folder', async () => {
    await insertDeal(database.db, {
      title: 'Noise cancelling headphones',
      slug: 'noise-cancelling-headphones',
    });
    const href = '/deals/noise-cancelling-headphones';
    for (const path of [
      '/deals/noise-cancelling-hedphones',
      '/noise-cancelling-headphone.html',
      '/shop/noise_canceling_headphones',
    ]) {
      expect([path, await guessAt(path)]).toEqual([path, { status: 404, href }]);
    }
  });

  test('suggests a store, a category and an article by name', async () => {
    await insertMerchant(database.db, { name: 'Harbor and Pine', slug: 'harbor-and-pine' });
    await insertCategory(database.db, { name: 'Home and Kitchen', slug: 'home-and-kitchen' });
    await insertBlogPost(database.db, {
      title: 'How to read a price',
      slug: 'how-to-read-a-price',
    });
    for (const [path, href] of [
      ['/merchants/harbour-and-pine', '/merchants/harbor-and-pine'],
      ['/categories/home-and-kitchens', '/categories/home-and-kitchen'],
      ['/blog/how-to-read-prices', '/blog/how-to-read-a-price'],
    ] as const) {
      expect([path, await guessAt(path)]).toEqual([path, { status: 404, href }]);
    }
  });

  test('suggests neither hidden pages nor barely similar ones', async () => {
    await insertDeal(database.db, {
      title: 'Secret prototype',
      slug: 'secret-1',
      is_active: false,
    });
    await insertBlogPost(database.db, { title: 'Secret prototype', is_published: false });
    await insertDeal(database.db, { title: 'Garden hose with twenty meters', slug: 'hose' });
    for (const path of ['/deals/secret-prototype', '/deals/garden', '/deals/%25%5F%27']) {
      expect([path, await guessAt(path)]).toEqual([path, { status: 404, href: null }]);
    }
  });

  test('R23: never fails with an error on a missing page', async () => {
    for (const path of ['/%00', '/deals/%00', '/%E0%A4%A', '/a/%0d%0a', `/${'ab-'.repeat(900)}`]) {
      expect([path, (await site.page(path)).status]).toEqual([path, 404]);
    }
  });
});
