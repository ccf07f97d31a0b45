/**
 * Pages with one fixed address that search engines should know. A test holds this against `routes.ts`: a page of the
 * storefront is listed here or in `pagesNotForSearch`.
 */
export const sitemapPages: readonly string[] = [
  '/',
  '/deals',
  '/categories',
  '/merchants',
  '/blog',
  '/how-we-rank',
  '/feeds',
  '/developers',
  '/newsletter',
  '/about',
  '/help',
  '/faq',
  '/contact',
  '/privacy',
  '/terms',
  '/cookies',
  '/disclaimer',
];

/** What a visitor does there concerns that visitor alone. */
export const pagesNotForSearch: readonly string[] = [
  '/unsubscribe',
  '/newsletter/confirm',
  '/logout',
  '/favorites',
  '/price-alerts',
];
