import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** Every URL of the site: its table of contents. */
export default [
  layout('storefront/chrome/site-layout.tsx', [
    index('storefront/home/home-page.tsx'),
    route('deals', 'storefront/deals/deals-page.tsx'),
    route('deals/:slug', 'storefront/deals/deal-page.tsx'),
    route('categories', 'storefront/categories/categories-page.tsx'),
    route('categories/:slug', 'storefront/categories/category-page.tsx'),
    route('merchants', 'storefront/merchants/merchants-page.tsx'),
    route('merchants/:slug', 'storefront/merchants/merchant-page.tsx'),
    route('blog', 'storefront/blog/blog-page.tsx'),
    route('blog/:slug', 'storefront/blog/article-page.tsx'),
    route('blog/tags/:tag', 'storefront/blog/blog-tag-page.tsx'),
    route('how-we-rank', 'storefront/how-we-rank/how-we-rank-page.tsx'),
    route('feeds', 'storefront/feeds/feeds-page.tsx'),
    route('newsletter', 'storefront/newsletter/newsletter-page.tsx'),
    route('newsletter/confirm', 'storefront/newsletter/confirm-subscription-page.tsx'),
    route('unsubscribe', 'storefront/newsletter/unsubscribe-page.tsx'),
    route('favorites', 'account/favorites/favorites-page.tsx'),
    route('price-alerts', 'account/price-alerts/price-alerts-page.tsx'),
    route('price-alerts/new', 'account/price-alerts/new-alert-page.tsx'),
    route('stop-mails', 'account/price-alerts/stop-mails-page.tsx'),
    // The account of whoever asks.
    route('sign-in', 'account/sign-in-page.tsx'),
    route('sign-in/second-factor', 'account/second-factor-page.tsx'),
    route('sign-up', 'account/sign-up-page.tsx'),
    route('forgot-password', 'account/forgot-password-page.tsx'),
    route('reset-password', 'account/reset-password-page.tsx'),
    route('verify-email', 'account/verify-email-page.tsx'),
    route('resend-verification', 'account/resend-verification-page.tsx'),
    route('profile', 'account/profile-page.tsx'),
    route('profile/two-factor', 'account/two-factor-page.tsx'),
    route('logout', 'account/logout-page.tsx'),
    route('setup', 'account/setup-page.tsx'),
    route('*', 'storefront/not-found/not-found-page.tsx'),
  ]),

  // For staff; the layout carries the guard.
  layout('admin/admin-layout.tsx', [
    route('admin/outbox', 'admin/outbox/outbox-page.tsx'),
    route('admin/outbox/:id', 'admin/outbox/outbox-mail-page.tsx'),
    route('admin/outbox/:id/html', 'admin/outbox/outbox-mail-html-route.ts'),
  ]),

  // Follow a deal out to its merchant.
  route('out/:id', 'api/out-route.ts'),

  // For the search box.
  route('api/suggest', 'api/suggest-route.ts'),
  route('api/popular-searches', 'api/popular-searches-route.ts'),

  route('profile/export', 'account/export-route.ts'),

  // For the open page of somebody signed in.
  route('api/session', 'api/session-route.ts'),

  // The heart of a deal.
  route('api/favorites', 'api/favorites-route.ts'),
  route('stop-mails/one-click', 'api/stop-mails-route.ts'),

  // For forms.
  route('api/captcha/challenge', 'api/captcha-challenge-route.ts'),

  // For mailboxes: RFC 8058.
  route('unsubscribe/one-click', 'api/one-click-unsubscribe-route.ts'),

  // For machines.
  route('robots.txt', 'api/robots-route.ts'),
  route('sitemap.xml', 'api/sitemap-index-route.ts'),
  route('sitemaps/:name', 'api/sitemap-route.ts'),
  route('opensearch.xml', 'api/opensearch-route.ts'),
  route('manifest.webmanifest', 'api/manifest-route.ts'),
  route('feeds/:name', 'api/feed-route.ts'),
] satisfies RouteConfig;
