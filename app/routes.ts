import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** Every URL of the site: its table of contents. */
export default [
  layout('storefront/chrome/site-layout.tsx', [
    index('storefront/home/home-page.tsx'),
    route('deals', 'storefront/deals/deals-page.tsx'),
    route('deals/:slug', 'storefront/deals/deal-page.tsx'),
    route('products/:slug', 'storefront/products/product-page.tsx'),
    route('categories', 'storefront/categories/categories-page.tsx'),
    route('categories/:slug', 'storefront/categories/category-page.tsx'),
    route('merchants', 'storefront/merchants/merchants-page.tsx'),
    route('merchants/:slug', 'storefront/merchants/merchant-page.tsx'),
    route('merchants/:slug/discount-check', 'storefront/merchants/reductions-page.tsx'),
    route('coupons', 'storefront/coupons/coupons-page.tsx'),
    route('blog', 'storefront/blog/blog-page.tsx'),
    route('blog/:slug', 'storefront/blog/article-page.tsx'),
    route('blog/tags/:tag', 'storefront/blog/blog-tag-page.tsx'),
    route('lists/:token', 'storefront/lists/shared-list-page.tsx'),
    route('check', 'storefront/check/check-page.tsx'),
    route('evidence', 'storefront/evidence/evidence-page.tsx'),
    route('how-we-rank', 'storefront/how-we-rank/how-we-rank-page.tsx'),
    route('feeds', 'storefront/feeds/feeds-page.tsx'),
    route('about', 'storefront/about/about-page.tsx'),
    route('help', 'storefront/help/help-page.tsx'),
    route('faq', 'storefront/faq/faq-page.tsx'),
    route('developers', 'storefront/developers/developers-page.tsx'),
    route('contact', 'storefront/contact/contact-page.tsx'),
    ...['privacy', 'terms', 'cookies', 'disclaimer'].map((id) =>
      route(id, 'storefront/legal/legal-page.tsx', { id }),
    ),
    route('newsletter', 'storefront/newsletter/newsletter-page.tsx'),
    route('newsletter/confirm', 'storefront/newsletter/confirm-subscription-page.tsx'),
    route('newsletter/preferences', 'storefront/newsletter/preferences-page.tsx'),
    route('unsubscribe', 'storefront/newsletter/unsubscribe-page.tsx'),
    // The owner's pages, at any URL without another route.
    route('*', 'storefront/pages/own-page.tsx'),
  ]),

  // Pages for users who are signed in, or about to be.
  layout('storefront/chrome/account-layout.tsx', [
    route('favorites', 'account/favorites/favorites-page.tsx'),
    route('favorites/saved', 'account/favorites/savings-page.tsx'),
    route('for-you', 'account/follows/for-you-page.tsx'),
    route('favorites/import', 'account/favorites/import-list-page.tsx'),
    route('price-alerts', 'account/price-alerts/price-alerts-page.tsx'),
    route('price-alerts/new', 'account/price-alerts/new-alert-page.tsx'),
    route('price-alerts/confirm', 'account/price-alerts/confirm-alert-page.tsx'),
    route('price-alerts/searches/new', 'account/price-alerts/watch-search-page.tsx'),
    route('price-alerts/by-mail', 'account/price-alerts/watcher-alerts-page.tsx'),
    route('deals/:slug/report', 'storefront/reports/report-page.tsx'),
    route('coupons/:id/report', 'storefront/coupons/report-coupon-page.tsx'),
    route('profile', 'account/profile-page.tsx'),
    route('profile/two-factor', 'account/two-factor-page.tsx'),
    route('profile/passkeys', 'account/passkeys-page.tsx'),
    route('profile/providers', 'account/providers-page.tsx'),
    route('sign-in', 'account/sign-in-page.tsx'),
    route('sign-in/second-factor', 'account/second-factor-page.tsx'),
    route('sign-in/with/:provider', 'account/provider-page.tsx'),
    route('sign-in/with/:provider/callback', 'account/provider-callback-page.tsx'),
    route('sign-up', 'account/sign-up-page.tsx'),
    ...['forgot-password', 'resend-verification'].map((path) =>
      route(path, 'account/mail-request-page.tsx', { id: `account/${path}-page` }),
    ),
    route('reset-password', 'account/reset-password-page.tsx'),
    route('verify-email', 'account/verify-email-page.tsx'),
    route('confirm-address', 'account/confirm-address-page.tsx'),
    route('setup', 'account/setup-page.tsx'),
    route('invitation', 'account/invitation-page.tsx'),
    route('stop-mails', 'account/price-alerts/stop-mails-page.tsx'),
    route('logout', 'account/logout-page.tsx'),
  ]),

  // Pages for staff. The layout rejects other users, and each page requires its own right.
  layout('admin/admin-layout.tsx', [
    route('admin', 'admin/dashboard/dashboard-page.tsx'),
    route('admin/find', 'admin/find/find-page.tsx'),
    route('admin/clicks', 'admin/clicks/clicks-page.tsx'),
    route('admin/clicks/export', 'admin/clicks/export-clicks-route.ts'),
    route('admin/earnings', 'admin/earnings/earnings-page.tsx'),
    route('admin/earnings/upload', 'admin/earnings/upload-report-page.tsx'),
    route('admin/earnings/postbacks', 'admin/earnings/postbacks-page.tsx'),
    route('admin/earnings/export', 'admin/earnings/export-earnings-route.ts'),
    route('admin/developers', 'admin/developers/developer-access-page.tsx'),
    route('admin/developers/webhooks/:id', 'admin/developers/webhook-page.tsx'),
    route('admin/developers/witnesses', 'admin/developers/witnesses-page.tsx'),
    route('admin/channels', 'admin/channels/channels-page.tsx'),
    route('admin/channels/new', 'admin/channels/channel-page.tsx', { id: 'admin/channels/new' }),
    route('admin/channels/:id', 'admin/channels/channel-page.tsx'),
    route('admin/deals', 'admin/deals/admin-deals-page.tsx', [
      route('new', 'admin/deals/edit-deal-page.tsx', { id: 'admin/deals/new' }),
      route(':id/edit', 'admin/deals/edit-deal-page.tsx'),
    ]),
    route('admin/deals/changes/:id', 'admin/deals/bulk-change-page.tsx'),
    route('admin/deals/products/:id', 'admin/deals/admin-product-page.tsx'),
    route('admin/deals/prices', 'admin/deals/edit-many-page.tsx'),
    route('admin/deals/export', 'admin/deals/export-deals-route.ts'),
    route('admin/deals/merchants', 'admin/deals/suggest-merchants-route.ts'),
    route('admin/categories', 'admin/categories/manage-categories-page.tsx', [
      route('new', 'admin/categories/edit-category-page.tsx', { id: 'admin/categories/new' }),
      route(':id/edit', 'admin/categories/edit-category-page.tsx'),
    ]),
    route('admin/merchants', 'admin/merchants/manage-merchants-page.tsx', [
      route('new', 'admin/merchants/edit-merchant-page.tsx', { id: 'admin/merchants/new' }),
      route(':id/edit', 'admin/merchants/edit-merchant-page.tsx'),
    ]),
    route('admin/search', 'admin/search/search-words-page.tsx'),
    route('admin/redirects', 'admin/redirects/manage-redirects-page.tsx', [
      route('new', 'admin/redirects/edit-redirect-page.tsx', { id: 'admin/redirects/new' }),
      route(':id/edit', 'admin/redirects/edit-redirect-page.tsx'),
    ]),
    route('admin/redirects/upload', 'admin/redirects/upload-redirects-page.tsx'),
    route('admin/redirects/export', 'admin/redirects/export-redirects-route.ts'),
    route('admin/merchants/:id/discount-check', 'admin/merchants/reductions-to-judge-page.tsx'),
    route('admin/coupons', 'admin/coupons/manage-coupons-page.tsx', [
      route('new', 'admin/coupons/edit-coupon-page.tsx', { id: 'admin/coupons/new' }),
      route(':id/edit', 'admin/coupons/edit-coupon-page.tsx'),
    ]),
    route('admin/coupons/upload', 'admin/coupons/upload-coupons-page.tsx'),
    route('admin/blog', 'admin/blog/manage-posts-page.tsx'),
    route('admin/blog/new', 'admin/blog/edit-post-page.tsx', { id: 'admin/blog/new' }),
    route('admin/blog/edit/:id', 'admin/blog/edit-post-page.tsx'),
    route('admin/blog/deals', 'admin/blog/post-deals-route.ts'),
    route('admin/blog/preview/:id', 'admin/blog/preview-post-page.tsx'),
    route('admin/pages', 'admin/pages/manage-pages-page.tsx'),
    route('admin/home', 'admin/settings/home-sections-page.tsx'),
    route('admin/menus', 'admin/pages/menus-page.tsx'),
    route('admin/pages/new', 'admin/pages/edit-own-page.tsx', { id: 'admin/pages/new' }),
    route('admin/pages/:id/edit', 'admin/pages/edit-own-page.tsx'),
    route('admin/pages/texts/:text', 'admin/pages/edit-text-page.tsx'),
    route('admin/slots', 'admin/slots/manage-slots-page.tsx', [
      route('new', 'admin/slots/edit-slot-page.tsx', { id: 'admin/slots/new' }),
      route(':id/edit', 'admin/slots/edit-slot-page.tsx'),
    ]),
    route('admin/media', 'admin/media/media-page.tsx', [
      route(':id/edit', 'admin/media/edit-picture-page.tsx'),
    ]),
    route('admin/media/upload', 'admin/media/upload-pictures-route.ts'),
    route('admin/media/pick', 'admin/media/pick-picture-route.ts'),
    route('admin/move-in/posts', 'admin/moved-posts/move-posts-page.tsx'),
    route('admin/move-in/posts/upload', 'admin/moved-posts/move-posts-page.tsx', {
      id: 'admin/move-in/posts/upload',
    }),
    route('admin/move-in/posts/:id', 'admin/moved-posts/post-move-page.tsx'),
    route('admin/move-in', 'admin/move-in/move-in-page.tsx'),
    route('admin/move-in/subscribers', 'admin/moved-subscribers/move-subscribers-page.tsx'),
    route('admin/move-in/subscribers/upload', 'admin/moved-subscribers/move-subscribers-page.tsx', {
      id: 'admin/move-in/subscribers/upload',
    }),
    route('admin/move-in/subscribers/:id', 'admin/moved-subscribers/subscriber-move-page.tsx'),
    route('admin/move-in/subscribers/:id/left-out', 'admin/moved-subscribers/left-out-route.ts'),
    route('admin/move-in/price-histories', 'admin/moved-prices/move-prices-page.tsx'),
    route('admin/move-in/price-histories/upload', 'admin/moved-prices/move-prices-page.tsx', {
      id: 'admin/move-in/price-histories/upload',
    }),
    route('admin/move-in/price-histories/:id', 'admin/moved-prices/price-move-page.tsx'),
    route(
      'admin/move-in/price-histories/:id/left-out',
      'admin/moved-prices/prices-left-out-route.ts',
    ),
    route('admin/imports', 'admin/imports/imports-page.tsx'),
    route('admin/imports/new', 'admin/imports/new-import-page.tsx'),
    route('admin/imports/upload', 'admin/imports/new-import-page.tsx', {
      id: 'admin/imports/upload',
    }),
    route('admin/imports/held', 'admin/imports/held-page.tsx'),
    route('admin/imports/products', 'admin/imports/products-page.tsx'),
    route('admin/imports/duplicates', 'admin/imports/duplicates-page.tsx'),
    route('admin/imports/sources/:id', 'admin/imports/source-page.tsx'),
    route('admin/imports/sources/:id/columns', 'admin/imports/columns-page.tsx'),
    route('admin/imports/sources/:id/mapping.json', 'admin/imports/mapping-route.ts'),
    route('admin/imports/runs/:id', 'admin/imports/run-page.tsx'),
    route('admin/imports/runs/:id/events', 'admin/imports/run-events-route.ts'),
    route('admin/imports/runs/:id/report', 'admin/imports/run-report-route.ts'),
    route('admin/users', 'admin/users/manage-users-page.tsx', [
      route(':id', 'admin/users/user-page.tsx'),
      route('invite', 'admin/users/invite-page.tsx'),
      route(':id/suspend', 'admin/users/suspend-user-page.tsx'),
      route(':id/delete', 'admin/users/delete-user-page.tsx'),
    ]),
    route('admin/roles', 'admin/users/manage-roles-page.tsx', [
      route('new', 'admin/users/edit-role-page.tsx', { id: 'admin/roles/new' }),
      route(':id', 'admin/users/edit-role-page.tsx'),
      route(':id/delete', 'admin/users/delete-role-page.tsx'),
    ]),
    route('admin/messages', 'admin/messages/messages-page.tsx'),
    route('admin/messages/:id', 'admin/messages/message-page.tsx'),
    route('admin/trash', 'admin/trash/trash-page.tsx'),
    route('admin/audit', 'admin/audit/audit-page.tsx'),
    route('admin/subscriptions', 'admin/subscriptions/subscriptions-page.tsx', [
      route('add', 'admin/subscriptions/add-subscriber-page.tsx'),
      route('export', 'admin/subscriptions/export-subscriptions-page.tsx'),
      route(':id/reactivate', 'admin/subscriptions/reactivate-subscription-page.tsx'),
    ]),
    route('admin/subscriptions/file', 'admin/subscriptions/subscriptions-file-route.ts'),
    route('admin/newsletters', 'admin/newsletters/manage-newsletters-page.tsx'),
    route('admin/newsletters/new', 'admin/newsletters/edit-newsletter-page.tsx', {
      id: 'admin/newsletters/new',
    }),
    route('admin/newsletters/lists', 'admin/newsletters/newsletter-lists-page.tsx'),
    route('admin/newsletters/deals', 'admin/newsletters/newsletter-deals-route.ts'),
    route('admin/newsletters/preview', 'admin/newsletters/newsletter-preview-route.ts'),
    route('admin/newsletters/:id', 'admin/newsletters/send-newsletter-page.tsx'),
    route('admin/newsletters/:id/edit', 'admin/newsletters/edit-newsletter-page.tsx'),
    route('admin/newsletters/:id/send', 'admin/newsletters/newsletter-send-route.ts'),
    route('admin/newsletters/:id/mail', 'admin/newsletters/newsletter-mail-route.ts'),
    route('admin/setup/site', 'admin/setup/setup-site-page.tsx'),
    route('admin/setup/brand', 'admin/setup/setup-brand-page.tsx'),
    route('admin/setup/mail', 'admin/setup/setup-mail-page.tsx'),
    route('admin/setup/data', 'admin/setup/setup-data-page.tsx'),
    route('admin/settings', 'admin/settings/settings-page.tsx'),
    route('admin/settings/mail-server', 'admin/settings/mail-server-page.tsx'),
    route('admin/settings/brand', 'admin/settings/brand-page.tsx'),
    route('admin/outbox', 'admin/outbox/outbox-page.tsx'),
    route('admin/outbox/suspended', 'admin/outbox/suspended-addresses-page.tsx'),
    route('admin/outbox/:id', 'admin/outbox/outbox-mail-page.tsx'),
    route('admin/outbox/:id/html', 'admin/outbox/outbox-mail-html-route.ts'),
  ]),

  // Redirects to merchants, slot targets and newsletter links.
  route('out/:id', 'api/out-route.ts'),
  route('out/coupon/:id', 'api/out-coupon-route.ts'),
  route('out/slot/:id', 'api/out-slot-route.ts'),
  route('out/slot/:id/view', 'api/slot-view-route.ts'),
  route('out/newsletter/:newsletter/:link', 'api/newsletter-link-route.ts'),

  // Routes of the search box.
  route('api/suggest', 'api/suggest-route.ts'),
  route('api/popular-searches', 'api/popular-searches-route.ts'),

  // Routes for API clients, documented at /developers.
  route('openapi.json', 'api/v1/openapi-route.ts'),
  ...[
    'api/v1/deals',
    'api/v1/deals/:deal',
    'api/v1/deals/:deal/price-history',
    'api/v1/deals/:deal/evidence',
    'api/v1/evidence',
    'api/v1/evidence/witnessed',
    'api/v1/products/:product',
    'api/v1/search',
    'api/v1/price-check',
    'api/v1/merchants',
    'api/v1/merchants/:merchant',
    'api/v1/categories',
    'api/v1/categories/:category',
    'api/v1/coupons',
    'api/v1/clicks',
    'api/v1/clicks/places',
    'api/v1/clicks/deals',
    'api/v1/*',
  ].map((path) => route(path, 'api/v1/v1-route.ts', { id: path })),

  route('mcp', 'api/mcp/mcp-route.ts'),

  route('profile/export', 'account/export-route.ts'),

  // Routes for passkeys.
  route('api/passkeys/challenge', 'api/passkey-challenge-route.ts'),
  route('api/passkeys/sign-in', 'api/passkey-sign-in-route.ts'),

  // Routes for open pages of signed-in users.
  route('api/session', 'api/session-route.ts'),
  route('api/test-data-access', 'api/test-data-access-route.ts'),

  // Route of a deal's heart.
  route('api/favorites', 'api/favorites-route.ts'),
  route('stop-mails/one-click', 'api/stop-mails-route.ts'),

  // Route for a browser whose push address changed.
  route('api/push-renewal', 'api/push-renewal-route.ts'),

  // Route for open pages that check whether the site responds again.
  route('api/health', 'api/health-route.ts'),

  // Routes for forms.
  route('api/captcha/challenge', 'api/captcha-challenge-route.ts'),

  // Route for browsers that report violations of the content policy.
  route('api/policy-reports', 'api/policy-reports-route.ts'),

  // Route for mail providers, which report bounces and complaints.
  route('webhooks/mail/:provider', 'api/mail-reports-route.ts'),

  // Route for affiliate networks, which report sales.
  route('api/postback/:network', 'api/postback-route.ts'),

  // Pictures in emails.
  route('mail-pictures/:name', 'api/mail-picture-route.ts'),

  // Pictures for link previews.
  route('share-pictures/:name', 'api/share-picture-route.ts'),

  // Icons and stylesheets of the owner's brand.
  route('brand/:name', 'api/brand-route.ts'),

  // Routes for email clients (RFC 8058).
  route('unsubscribe/one-click', 'api/one-click-unsubscribe-route.ts'),

  // Routes for automated clients.
  route('.well-known/security.txt', 'api/security-txt-route.ts'),
  route('.well-known/change-password', 'api/change-password-route.ts'),
  route('.well-known/passkey-endpoints', 'api/passkey-endpoints-route.ts'),
  route('robots.txt', 'api/robots-route.ts'),
  route('llms.txt', 'api/llms-txt-route.ts'),
  route('indexnow-key.txt', 'api/index-now-key-route.ts'),
  route('sitemap.xml', 'api/sitemap-index-route.ts'),
  route('sitemaps/:name', 'api/sitemap-route.ts'),
  route('opensearch.xml', 'api/opensearch-route.ts'),
  route('manifest.webmanifest', 'api/manifest-route.ts'),
  route('feeds/:name', 'api/feed-route.ts'),
] satisfies RouteConfig;
