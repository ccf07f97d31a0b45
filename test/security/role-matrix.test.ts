import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { insertChannel } from '#test/factories/insert-channel.ts';
import {
  insertBlogPost,
  insertLibraryPicture,
  insertCategory,
  insertDeal,
  insertFeedSource,
  insertMerchant,
  insertProduct,
  insertUser,
} from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { loadBuild, testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';

// The permissions of every route. A missing route fails the test, so the permissions of each new
// route must be declared here (R01).

const database = useTestDatabase();
// Rate limits are off, because all requests come from one IP address and exceed the limit per
// minute.
const env = readEnv({
  NODE_ENV: 'test',
  ORIGIN: testOrigin,
  RATE_LIMITS: 'api-address=0,admin-write=0',
});
const site = testSite(database, { env });

type Caller = 'anonymous' | Role;
const callers: readonly Caller[] = ['anonymous', 'user', 'admin', 'super_admin'];

/** The statuses for one kind of visitor. */
interface Access {
  /** The status for GET, of the document and of both data requests. */
  read: number;
  /** The status for a POST. */
  write: number;
  /** The status for a POST by the page's script, if it differs from that for a plain form. */
  scripted?: number;
}
/** The expected responses. A single value applies to all visitors. */
interface Row extends Partial<Record<Caller, Access>> {
  everybody?: Access;
}

const everybody = (read: number, write: number): Row => ({ everybody: { read, write } });
/** Everyone may read the page, which has no form. */
const open = everybody(200, 405);
/** Everyone may submit the form, here with invalid content. */
const openForm = everybody(200, 422);
const membersOnly = (refused: Access, admitted: Access): Row => ({
  anonymous: refused,
  user: admitted,
  admin: admitted,
  super_admin: admitted,
});
const staffOnly = (admitted: Access): Row => ({
  anonymous: { read: 401, write: 401 },
  user: { read: 403, write: 403 },
  admin: admitted,
  super_admin: admitted,
});
/** All staff may read the page, and super_admins may change it. */
const superOnly = (admitted: Access): Row => ({
  ...staffOnly(admitted),
  admin: { read: admitted.read, write: 403 },
});
const ownersOnly = (admitted: Access): Row => ({
  ...staffOnly(admitted),
  admin: { read: 403, write: 403 },
});
/** The sign-in and sign-up forms, which do nothing for signed-in users. */
const signedOutForm = membersOnly(
  { read: 200, write: 422 },
  { read: 302, write: 302, scripted: 422 },
);
/** Posts from email clients without cookies, authorized by a token, which is missing here. */
const byToken = (read: number, refused: number): Row => everybody(read, refused);

const matrix: Record<string, Row> = {
  '/': open,
  '/deals': open,
  '/deals/:slug': open,
  '/products/:slug': open,
  '/deals/:slug/report': openForm,
  '/categories': open,
  '/categories/:slug': open,
  '/merchants': open,
  '/merchants/:slug': open,
  '/merchants/:slug/discount-check': open,
  '/blog': open,
  '/blog/:slug': open,
  '/blog/tags/:tag': open,
  '/lists/:token': everybody(404, 405), // no list has this link
  '/check': openForm,
  '/evidence': open,
  '/how-we-rank': open,
  '/coupons': open,
  '/coupons/:id/report': openForm,
  '/feeds': open,
  '/about': open,
  '/help': open,
  '/faq': open,
  '/privacy': open,
  '/terms': open,
  '/cookies': open,
  '/disclaimer': open,
  '/developers': open,
  '/contact': openForm,
  '/newsletter': openForm,
  '/newsletter/confirm': byToken(400, 400),
  '/newsletter/preferences': byToken(400, 400),
  '/unsubscribe': byToken(400, 400),
  '/favorites': membersOnly({ read: 401, write: 302 }, { read: 200, write: 200 }),
  '/favorites/saved': membersOnly({ read: 401, write: 405 }, { read: 200, write: 405 }),
  '/for-you': membersOnly({ read: 401, write: 302 }, { read: 200, write: 422 }),
  '/favorites/import': membersOnly({ read: 401, write: 302 }, { read: 200, write: 422 }),
  '/price-alerts': membersOnly({ read: 401, write: 302 }, { read: 200, write: 422 }),
  '/price-alerts/new': membersOnly(
    // The form with an email address is for everyone, and this form is for users.
    { read: 200, write: 302 },
    { read: 200, write: 422 },
  ),
  '/price-alerts/confirm': byToken(404, 404),
  '/price-alerts/searches/new': membersOnly({ read: 422, write: 302 }, { read: 422, write: 422 }),
  '/price-alerts/by-mail': byToken(404, 404),
  '/stop-mails': byToken(404, 404),
  '/sign-in': signedOutForm,
  '/sign-in/second-factor': everybody(302, 303), // no visitor has entered a password before
  '/sign-in/with/:provider': everybody(404, 404), // no provider is configured here
  '/sign-in/with/:provider/callback': everybody(404, 405),
  '/sign-up': signedOutForm,
  '/forgot-password': openForm,
  '/reset-password': openForm,
  '/verify-email': byToken(200, 410),
  '/confirm-address': byToken(200, 410),
  '/resend-verification': openForm,
  '/profile': membersOnly({ read: 302, write: 302 }, { read: 200, write: 400 }),
  '/profile/two-factor': membersOnly({ read: 302, write: 302 }, { read: 200, write: 400 }),
  '/profile/passkeys': membersOnly({ read: 302, write: 302 }, { read: 200, write: 400 }),
  '/profile/providers': membersOnly({ read: 302, write: 302 }, { read: 200, write: 400 }),
  '/profile/export': membersOnly({ read: 302, write: 302 }, { read: 302, write: 303 }),
  '/logout': everybody(200, 200),
  '/setup': byToken(404, 422),
  '/invitation': byToken(404, 410),
  '/*': everybody(404, 404), // no page has this address
  '/admin': staffOnly({ read: 200, write: 400 }),
  '/admin/developers': staffOnly({ read: 200, write: 400 }),
  '/admin/developers/webhooks/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/developers/witnesses': staffOnly({ read: 200, write: 302 }),
  '/admin/channels': staffOnly({ read: 200, write: 405 }),
  '/admin/channels/new': staffOnly({ read: 200, write: 422 }),
  '/admin/channels/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/earnings': staffOnly({ read: 200, write: 302 }),
  '/admin/earnings/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/earnings/postbacks': staffOnly({ read: 200, write: 400 }),
  '/admin/earnings/export': staffOnly({ read: 200, write: 405 }),
  '/admin/move-in': staffOnly({ read: 200, write: 405 }),
  '/admin/move-in/subscribers': staffOnly({ read: 200, write: 302 }),
  '/admin/move-in/subscribers/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/move-in/subscribers/:id': staffOnly({ read: 404, write: 404 }),
  '/admin/move-in/subscribers/:id/left-out': staffOnly({ read: 404, write: 405 }),
  '/admin/move-in/price-histories': staffOnly({ read: 200, write: 302 }),
  '/admin/move-in/price-histories/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/move-in/price-histories/:id': staffOnly({ read: 404, write: 404 }),
  '/admin/move-in/price-histories/:id/left-out': staffOnly({ read: 404, write: 405 }),
  '/admin/find': staffOnly({ read: 200, write: 405 }),
  '/admin/clicks': staffOnly({ read: 200, write: 405 }),
  '/admin/clicks/export': staffOnly({ read: 200, write: 405 }),
  '/admin/deals': staffOnly({ read: 200, write: 400 }),
  '/admin/deals/new': staffOnly({ read: 200, write: 422 }),
  '/admin/deals/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/deals/changes/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/deals/products/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/deals/prices': staffOnly({ read: 200, write: 400 }),
  '/admin/deals/export': staffOnly({ read: 200, write: 405 }),
  '/admin/deals/merchants': staffOnly({ read: 200, write: 405 }),
  '/admin/categories': staffOnly({ read: 200, write: 302 }),
  '/admin/categories/new': staffOnly({ read: 200, write: 422 }),
  '/admin/categories/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/coupons': staffOnly({ read: 200, write: 302 }),
  '/admin/coupons/new': staffOnly({ read: 200, write: 422 }),
  '/admin/coupons/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/coupons/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/slots': staffOnly({ read: 200, write: 302 }),
  '/admin/slots/new': staffOnly({ read: 200, write: 422 }),
  '/admin/slots/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/redirects': staffOnly({ read: 200, write: 302 }),
  '/admin/redirects/new': staffOnly({ read: 200, write: 422 }),
  '/admin/redirects/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/redirects/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/redirects/export': staffOnly({ read: 200, write: 405 }),
  '/admin/search': staffOnly({ read: 200, write: 400 }),
  '/admin/merchants': staffOnly({ read: 200, write: 302 }),
  '/admin/merchants/new': staffOnly({ read: 200, write: 422 }),
  '/admin/merchants/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/merchants/:id/discount-check': staffOnly({ read: 200, write: 400 }),
  '/admin/home': staffOnly({ read: 200, write: 400 }),
  '/admin/menus': staffOnly({ read: 200, write: 400 }),
  '/admin/pages': staffOnly({ read: 200, write: 302 }),
  '/admin/pages/new': staffOnly({ read: 200, write: 422 }),
  '/admin/pages/:id/edit': staffOnly({ read: 404, write: 422 }),
  '/admin/pages/texts/:text': staffOnly({ read: 200, write: 422 }),
  '/admin/blog': staffOnly({ read: 200, write: 302 }),
  '/admin/blog/new': staffOnly({ read: 200, write: 422 }),
  '/admin/blog/edit/:id': staffOnly({ read: 200, write: 422 }),
  '/admin/blog/deals': staffOnly({ read: 200, write: 405 }),
  '/admin/blog/preview/:id': staffOnly({ read: 200, write: 405 }),
  '/admin/media': staffOnly({ read: 200, write: 302 }),
  '/admin/media/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/media/upload': staffOnly({ read: 302, write: 302 }),
  '/admin/media/pick': staffOnly({ read: 200, write: 405 }),
  '/admin/move-in/posts': staffOnly({ read: 200, write: 302 }),
  '/admin/move-in/posts/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/move-in/posts/:id': staffOnly({ read: 404, write: 400 }),
  '/admin/imports': staffOnly({ read: 200, write: 400 }),
  '/admin/imports/new': staffOnly({ read: 200, write: 422 }),
  '/admin/imports/upload': staffOnly({ read: 200, write: 422 }),
  '/admin/imports/held': staffOnly({ read: 200, write: 400 }),
  '/admin/imports/products': staffOnly({ read: 200, write: 400 }),
  '/admin/imports/duplicates': staffOnly({ read: 200, write: 400 }),
  '/admin/imports/sources/:id': staffOnly({ read: 200, write: 422 }),
  '/admin/imports/sources/:id/columns': staffOnly({ read: 200, write: 302 }),
  '/admin/imports/sources/:id/mapping.json': staffOnly({ read: 200, write: 405 }),
  '/admin/imports/runs/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/imports/runs/:id/events': staffOnly({ read: 200, write: 405 }),
  '/admin/imports/runs/:id/report': staffOnly({ read: 200, write: 405 }),
  '/admin/users': superOnly({ read: 200, write: 400 }),
  '/admin/users/invite': superOnly({ read: 200, write: 422 }),
  '/admin/users/:id/suspend': superOnly({ read: 200, write: 422 }),
  '/admin/users/:id': superOnly({ read: 200, write: 422 }),
  '/admin/users/:id/delete': superOnly({ read: 200, write: 422 }),
  '/admin/roles': staffOnly({ read: 200, write: 405 }),
  '/admin/roles/new': superOnly({ read: 200, write: 422 }),
  '/admin/roles/:id': superOnly({ read: 200, write: 422 }),
  '/admin/roles/:id/delete': superOnly({ read: 200, write: 422 }),
  '/admin/messages': staffOnly({ read: 200, write: 400 }),
  '/admin/messages/:id': staffOnly({ read: 200, write: 400 }),
  '/admin/trash': staffOnly({ read: 200, write: 400 }),
  '/admin/audit': staffOnly({ read: 200, write: 405 }),
  '/admin/subscriptions': staffOnly({ read: 200, write: 400 }),
  '/admin/subscriptions/add': staffOnly({ read: 200, write: 422 }),
  '/admin/subscriptions/export': staffOnly({ read: 200, write: 405 }),
  '/admin/subscriptions/file': staffOnly({ read: 302, write: 303 }),
  '/admin/subscriptions/:id/reactivate': staffOnly({ read: 200, write: 422 }),
  '/admin/setup/site': staffOnly({ read: 200, write: 422 }),
  '/admin/setup/brand': staffOnly({ read: 200, write: 400 }),
  '/admin/setup/mail': ownersOnly({ read: 200, write: 422 }),
  '/admin/setup/data': staffOnly({ read: 200, write: 422 }),
  '/admin/settings/brand': staffOnly({ read: 200, write: 400 }),
  '/admin/settings/mail-server': ownersOnly({ read: 200, write: 422 }),
  '/admin/settings': staffOnly({ read: 200, write: 422 }),
  '/admin/outbox': staffOnly({ read: 200, write: 405 }),
  '/admin/outbox/suspended': staffOnly({ read: 200, write: 400 }),
  '/admin/outbox/:id': staffOnly({ read: 200, write: 302 }),
  '/admin/outbox/:id/html': staffOnly({ read: 200, write: 405 }),
  '/admin/newsletters': staffOnly({ read: 200, write: 302 }),
  '/admin/newsletters/new': staffOnly({ read: 200, write: 422 }),
  '/admin/newsletters/lists': staffOnly({ read: 200, write: 302 }),
  '/admin/newsletters/deals': staffOnly({ read: 200, write: 405 }),
  '/admin/newsletters/preview': staffOnly({ read: 302, write: 200 }),
  '/admin/newsletters/:id': staffOnly({ read: 200, write: 302 }),
  '/admin/newsletters/:id/edit': staffOnly({ read: 200, write: 422 }),
  '/admin/newsletters/:id/mail': staffOnly({ read: 200, write: 405 }),
  '/admin/newsletters/:id/send': staffOnly({ read: 302, write: 302 }),
  '/out/:id': everybody(302, 405),
  '/out/coupon/:id': everybody(302, 405),
  '/out/slot/:id': everybody(302, 405),
  '/out/slot/:id/view': open,
  '/out/newsletter/:newsletter/:link': everybody(302, 405),
  '/api/health': open,
  '/api/suggest': open,
  '/api/popular-searches': open,
  '/api/session': membersOnly({ read: 401, write: 401 }, { read: 200, write: 200 }),
  '/api/test-data-access': everybody(404, 405), // SESSION_MONITOR is off
  '/api/favorites': membersOnly({ read: 302, write: 401 }, { read: 302, write: 422 }),
  '/api/captcha/challenge': open,
  '/api/postback/:network': everybody(403, 405),
  '/api/policy-reports': everybody(405, 415), // accepts browser reports but no form
  '/api/passkeys/challenge': everybody(302, 200),
  '/api/passkeys/sign-in': everybody(302, 422),
  '/stop-mails/one-click': byToken(302, 400),
  '/api/push-renewal': everybody(200, 422),
  '/mail-pictures/:name': open,
  '/share-pictures/:name': open,
  '/brand/:name': open,
  '/unsubscribe/one-click': byToken(302, 400),
  '/openapi.json': open,
  '/api/v1/deals': open,
  '/api/v1/deals/:deal': open,
  '/api/v1/deals/:deal/price-history': open,
  '/api/v1/deals/:deal/evidence': open,
  '/api/v1/evidence': open,
  '/api/v1/evidence/witnessed': everybody(422, 405),
  '/api/v1/products/:product': open,
  '/api/v1/search': everybody(422, 405),
  '/api/v1/price-check': everybody(422, 405),
  '/api/v1/coupons': open,
  '/api/v1/merchants': open,
  '/api/v1/merchants/:merchant': open,
  '/api/v1/categories': open,
  '/api/v1/categories/:category': open,
  '/api/v1/clicks': everybody(401, 405), // sessions grant nothing here; an API key does
  '/api/v1/clicks/places': everybody(401, 405),
  '/api/v1/clicks/deals': everybody(401, 405),
  '/api/v1/*': everybody(404, 405),
  // The route accepts signed JSON of a configured provider.
  '/webhooks/mail/:provider': everybody(405, 404),
  '/mcp': everybody(405, 400), // accepts JSON-RPC but no form
  '/.well-known/security.txt': open,
  '/.well-known/change-password': everybody(302, 405),
  '/.well-known/passkey-endpoints': open,
  '/robots.txt': open,
  '/llms.txt': open,
  '/indexnow-key.txt': everybody(404, 405),
  '/sitemap.xml': open,
  '/sitemaps/:name': open,
  '/opensearch.xml': open,
  '/manifest.webmanifest': open,
  '/feeds/:name': open,
};

const examples: Record<string, string> = {
  '/deals/:slug': '/deals/drill',
  '/products/:slug': '/products/drill',
  '/deals/:slug/report': '/deals/drill/report',
  '/categories/:slug': '/categories/tools',
  '/merchants/:slug': '/merchants/shop',
  '/merchants/:slug/discount-check': '/merchants/shop/discount-check',
  '/blog/:slug': '/blog/guide',
  '/blog/tags/:tag': '/blog/tags/Tools',
  '/api/postback/:network': '/api/postback/awin',
  '/out/:id': '/out/1',
  '/coupons/:id/report': '/coupons/1/report',
  '/out/coupon/:id': '/out/coupon/1',
  '/out/slot/:id': '/out/slot/1',
  '/out/slot/:id/view': '/out/slot/1/view',
  '/admin/slots/:id/edit': '/admin/slots/1/edit',
  '/mail-pictures/:name': '/mail-pictures/price-line-1-1.png',
  '/share-pictures/:name': '/share-pictures/deal-1-000000000000.jpg',
  '/brand/:name': '/brand/theme-own-00000000.css',
  '/admin/coupons/:id/edit': '/admin/coupons/1/edit',
  '/admin/redirects/:id/edit': '/admin/redirects/1/edit',
  '/admin/move-in/posts/:id': '/admin/move-in/posts/1',
  '/admin/pages/:id/edit': '/admin/pages/1/edit',
  '/admin/pages/texts/:text': '/admin/pages/texts/faq',
  '/out/newsletter/:newsletter/:link': '/out/newsletter/1/1',
  '/admin/newsletters/:id': '/admin/newsletters/1',
  '/admin/newsletters/:id/edit': '/admin/newsletters/1/edit',
  '/admin/newsletters/:id/mail': '/admin/newsletters/1/mail',
  '/admin/newsletters/:id/send': '/admin/newsletters/1/send',
  '/sign-in/with/:provider': '/sign-in/with/google',
  '/sign-in/with/:provider/callback': '/sign-in/with/google/callback',
  '/sitemaps/:name': '/sitemaps/deals-1.xml',
  '/feeds/:name': '/feeds/deals.xml',
  '/admin/developers/webhooks/:id': '/admin/developers/webhooks/1',
  '/admin/channels/:id': '/admin/channels/1',
  '/admin/deals/:id/edit': '/admin/deals/1/edit',
  '/admin/deals/changes/:id': '/admin/deals/changes/1',
  '/admin/deals/products/:id': '/admin/deals/products/1',
  '/admin/categories/:id/edit': '/admin/categories/1/edit',
  '/admin/merchants/:id/edit': '/admin/merchants/1/edit',
  '/admin/merchants/:id/discount-check': '/admin/merchants/1/discount-check',
  '/admin/blog/edit/:id': '/admin/blog/edit/1',
  '/admin/blog/preview/:id': '/admin/blog/preview/1',
  '/admin/media/:id/edit': '/admin/media/1/edit',
  '/admin/imports/sources/:id': '/admin/imports/sources/1',
  '/admin/imports/sources/:id/columns': '/admin/imports/sources/1/columns',
  '/admin/imports/sources/:id/mapping.json': '/admin/imports/sources/1/mapping.json',
  '/admin/imports/runs/:id': '/admin/imports/runs/1',
  '/admin/imports/runs/:id/events': '/admin/imports/runs/1/events',
  '/admin/imports/runs/:id/report': '/admin/imports/runs/1/report',
  '/admin/users/:id': '/admin/users/somebody',
  '/admin/users/:id/suspend': '/admin/users/somebody/suspend',
  '/admin/users/:id/delete': '/admin/users/somebody/delete',
  '/admin/roles/:id': '/admin/roles/1',
  '/admin/roles/:id/delete': '/admin/roles/1/delete',
  '/admin/messages/:id': '/admin/messages/1',
  '/admin/subscriptions/:id/reactivate': '/admin/subscriptions/1/reactivate',
  '/admin/outbox/:id': '/admin/outbox/1',
  '/admin/outbox/:id/html': '/admin/outbox/1/html',
  '/*': '/no/such/page',
  '/api/v1/deals/:deal': '/api/v1/deals/drill',
  '/api/v1/deals/:deal/price-history': '/api/v1/deals/drill/price-history',
  '/api/v1/deals/:deal/evidence': '/api/v1/deals/drill/evidence',
  '/api/v1/products/:product': '/api/v1/products/drill',
  '/api/v1/merchants/:merchant': '/api/v1/merchants/shop',
  '/api/v1/categories/:category': '/api/v1/categories/tools',
  '/api/v1/*': '/api/v1/no/such',
  '/webhooks/mail/:provider': '/webhooks/mail/ses',
};

/** A text in the one email that only staff may read. */
const secret = 'addressee-of-a-mail';

beforeEach(async () => {
  const { db } = database;
  const category = await insertCategory(db, { slug: 'tools' });
  const merchant = await insertMerchant(db, { slug: 'shop' });
  const { id: product_id, gtin } = await insertProduct(db, { slug: 'drill' });
  const place = { category_id: category.id, merchant_id: merchant.id };
  await insertDeal(db, { slug: 'drill', ...place, gtin, product_id });
  await db
    .insertInto('address_redirects')
    .values({ id: 1, from_path: '/old', target: '/deals', status: 301, created_by: null })
    .execute();
  await database.db
    .insertInto('coupons')
    .values({ merchant_id: merchant.id, code: 'SAVE10', title: '10% off' })
    .execute();
  await db
    .insertInto('slots')
    .values({ kind: 'announcement', place: 'home', title: 'We moved' })
    .execute();
  await insertLibraryPicture(db, { id: 1, name: secret });
  await insertBlogPost(db, { slug: 'guide', is_published: true, tags: ['Tools'] });
  await db
    .insertInto('webhook_endpoints')
    .values({ url: `https://${secret}.example/`, events: ['alert.fired'], secret: Buffer.alloc(0) })
    .execute();
  await insertChannel(db, { name: secret });
  await db
    .insertInto('bulk_changes')
    .values({ actor: 'x', verb: 'feature', batch: randomUUID(), deal_ids: [1] })
    .execute();
  await insertFeedSource(db, { merchant_id: merchant.id, name: secret });
  await db
    .insertInto('import_runs')
    .values({ source_name: secret, format: 'csv', state: 'done' })
    .execute();
  await insertUser(db, { id: 'somebody', email: `somebody-${secret}@mail.example` });
  await db.insertInto('right_sets').values({ name: secret, rights: [] }).execute();
  await db
    .insertInto('contact_messages')
    .values({ name: secret, email: 'a@mail.example', subject: secret, message: secret })
    .execute();
  await db
    .insertInto('audit_log')
    .values({ actor: 'cli', action: 'test', entity: secret })
    .execute();
  await db
    .insertInto('newsletter_subscriptions')
    .values({ email: `${secret}@mail.example`, is_active: false })
    .execute();
  await db.insertInto('newsletters').values({ subject: secret, content: secret }).execute();
  await queueMail(db, {
    key: 'secret',
    kind: 'test',
    to: `${secret}@mail.example`,
    props: { askedAt: 'Monday' },
  });
});

interface KnownRoute {
  id: string;
  pattern: string;
  /** A layout has no URL. */
  isLayout: boolean;
}

async function knownRoutes(): Promise<KnownRoute[]> {
  const { routes } = await loadBuild();
  return Object.values(routes).flatMap((route) => {
    if (!route) return [];
    let pattern = route.path ?? '';
    for (let at = route.parentId; at !== undefined; at = routes[at]?.parentId) {
      const above = routes[at]?.path;
      if (above) pattern = `${above}/${pattern}`;
    }
    const isLayout = route.id === 'root' || (route.path === undefined && !route.index);
    return [{ id: route.id, pattern: `/${pattern}`, isLayout }];
  });
}

const cookieOf = async (role: Role) => (await signIn(database, { role })).cookie;

const dataPath = (path: string) => (path === '/' ? '/_.data' : `${path}.data`);

/** A data request returns a redirect with status 202, and the redirect in the body. */
const asData = (status: number) => (status === 302 || status === 303 ? 202 : status);

async function ask(caller: Caller, path: string, method: 'GET' | 'POST', cookie: string) {
  const init = method === 'POST' ? { method, body: new URLSearchParams({ a: 'b' }) } : { method };
  const answer = await site.page(path, { ...init, headers: cookie ? { cookie } : {} });
  const leak =
    (caller === 'anonymous' || caller === 'user') && answer.html.includes(secret)
      ? ' and tells the secret'
      : '';
  return `${answer.status}${leak}`;
}

// Proves Storefront 1: For whom: visitors, the signed-in, administrators (policy.ts)
// Proves R01: every call is closed unless declared open (policy.ts)
test('R01: declares permissions for all existing routes, and no others', async () => {
  const patterns = (await knownRoutes())
    .filter(({ isLayout }) => !isLayout)
    .map(({ pattern }) => pattern);
  expect(Object.keys(matrix).toSorted()).toEqual(patterns.toSorted());
});

test.each(callers)(
  'R01: returns the declared status to %s, for the document, its data, the route’s own data, and POST',
  async (caller) => {
    const expected: string[] = [];
    const found: string[] = [];
    let cookie = caller === 'anonymous' ? '' : await cookieOf(caller);
    for (const { id, pattern, isLayout } of await knownRoutes()) {
      if (isLayout) continue;
      const row = matrix[pattern];
      const access = row?.[caller] ?? row?.everybody;
      if (!access) continue; // covered by the test above
      const path = examples[pattern] ?? pattern;
      const data = dataPath(path);
      const alone = `${data}?_routes=${encodeURIComponent(id)}`;
      const asked = [
        ['GET', path, access.read],
        ['GET', data, asData(access.read)],
        ['GET', alone, asData(access.read)],
        ['POST', path, access.write],
        ['POST', data, access.scripted ?? asData(access.write)],
        ['POST', alone, access.scripted ?? asData(access.write)],
      ] as const;
      for (const [method, target, status] of asked) {
        const line = `${caller} ${method} ${target}: `;
        found.push(line + (await ask(caller, target, method, cookie)));
        expected.push(`${line}${status}`);
        if (method === 'POST' && pattern === '/logout' && cookie)
          cookie = await cookieOf(caller as Role);
      }
    }
    expect(found).toEqual(expected);
  },
);

test('R01: rejects data requests for a route at another URL, or for a layout instead of its page', async () => {
  const routes = await knownRoutes();
  const cookie = await cookieOf('user');
  for (const { id } of routes) {
    for (const path of ['/deals.data', '/profile.data', '/api/session.data']) {
      const target = `${path}?_routes=${encodeURIComponent(id)}`;
      for (const who of ['', cookie]) {
        const answer = await ask(who ? 'user' : 'anonymous', target, 'GET', who);
        expect([target, Number(answer) < 500 && !answer.includes('secret')]).toEqual([
          target,
          true,
        ]);
      }
    }
  }
  const layout = '/admin/outbox.data?_routes=admin%2Fadmin-layout';
  expect(await ask('anonymous', layout, 'GET', '')).toBe('401');
  expect(await ask('user', layout, 'GET', cookie)).toBe('403');
});

test("R01: lets only staff change the outbox on an email's page", async () => {
  const state = async () =>
    (await database.db.selectFrom('mail_outbox').select('state').executeTakeFirstOrThrow()).state;
  await database.db.updateTable('mail_outbox').set({ state: 'failed' }).execute();
  for (const caller of ['anonymous', 'user'] as const) {
    const cookie = caller === 'anonymous' ? '' : await cookieOf(caller);
    for (const path of ['/admin/outbox/1', '/admin/outbox/1.data']) {
      await ask(caller, path, 'POST', cookie);
      expect([caller, path, await state()]).toEqual([caller, path, 'failed']);
    }
  }
  await ask('admin', '/admin/outbox/1', 'POST', await cookieOf('admin'));
  expect(await state()).toBe('queued');
});
