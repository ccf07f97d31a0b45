import { randomUUID } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { settingsTabs, tabHref } from '#app/admin/settings/settings-tabs.ts';
import type { Db } from '#database/connect.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertLibraryPicture,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { suspendAddress } from '#app/platform/mail/suspension-queries.server.ts';
import { linkDeals } from '#app/features/products/review-links.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';

/** The placeholders in a URL: `{deal}` is the id of a deal that `fillAdmin` creates. */
type Thing =
  | 'deal'
  | 'product'
  | 'category'
  | 'merchant'
  | 'post'
  | 'draft'
  | 'picture'
  | 'change'
  | 'source'
  | 'run'
  | 'dryRun'
  | 'askingRun'
  | 'failedRun'
  | 'message'
  | 'mail'
  | 'subscription'
  | 'newsletter'
  | 'sentNewsletter'
  | 'channel'
  | 'webhook';
export type Things = Record<Thing, number>;

interface Screen {
  address: string;
  status: number;
}

const found = (...addresses: string[]): Screen[] =>
  addresses.map((address) => ({ address, status: 200 }));
const missing = (address: string): Screen => ({ address, status: 404 });

/**
 * Maps every admin route to the URLs of its audited states, or to the reason for skipping it.
 * `test/house/admin-audit.test.ts` fails if a route is missing.
 */
export const adminScreens: Record<string, Screen[] | string> = {
  '/admin': found('/admin'),
  '/admin/find': found('/admin/find', '/admin/find?q=deal', '/admin/find?q=zzzz'),
  '/admin/clicks': found('/admin/clicks', '/admin/clicks?merchant={merchant}&days=364'),
  '/admin/clicks/export': 'a file',
  '/admin/search': found('/admin/search', '/admin/search?word=fridge'),
  '/admin/developers': found('/admin/developers'),
  '/admin/developers/webhooks/:id': [
    ...found('/admin/developers/webhooks/{webhook}'),
    missing('/admin/developers/webhooks/999999'),
  ],
  '/admin/developers/witnesses': found('/admin/developers/witnesses'),
  '/admin/channels': found('/admin/channels'),
  '/admin/channels/new': found(
    '/admin/channels/new?kind=telegram',
    '/admin/channels/new?kind=bluesky',
  ),
  '/admin/channels/:id': [...found('/admin/channels/{channel}'), missing('/admin/channels/999999')],
  '/admin/earnings': found('/admin/earnings', '/admin/earnings?days=364'),
  '/admin/earnings/upload': found('/admin/earnings/upload'),
  '/admin/earnings/postbacks': found('/admin/earnings/postbacks'),
  '/admin/earnings/export': 'a file',
  '/admin/deals': found(
    '/admin/deals',
    '/admin/deals?q=zqxjv',
    '/admin/deals?show=held',
    '/admin/deals?show=reported',
  ),
  '/admin/deals/new': found('/admin/deals/new'),
  '/admin/deals/:id/edit': [
    ...found('/admin/deals/{deal}/edit'),
    missing('/admin/deals/999999/edit'),
  ],
  '/admin/deals/changes/:id': found('/admin/deals/changes/{change}'),
  '/admin/deals/products/:id': found(
    '/admin/deals/products/{product}',
    '/admin/deals/products/{product}?q=zqxjv',
  ),
  '/admin/deals/prices': found(
    '/admin/deals/prices?all=1',
    '/admin/deals/prices?all=1&change=percent&to=-10',
    '/admin/deals/prices?all=1&change=price&to=x',
  ),
  '/admin/deals/export': 'a file',
  '/admin/deals/merchants': 'data for the form of a deal',
  '/admin/categories': found('/admin/categories', '/admin/categories?q=zqxjv'),
  '/admin/categories/new': found('/admin/categories/new'),
  '/admin/categories/:id/edit': found('/admin/categories/{category}/edit'),
  '/admin/merchants': found('/admin/merchants', '/admin/merchants?q=zqxjv'),
  '/admin/merchants/new': found('/admin/merchants/new'),
  '/admin/merchants/:id/edit': found('/admin/merchants/{merchant}/edit'),
  '/admin/merchants/:id/discount-check': found('/admin/merchants/{merchant}/discount-check'),
  '/admin/coupons': found('/admin/coupons', '/admin/coupons?q=zqxjv'),
  '/admin/coupons/new': found('/admin/coupons/new'),
  '/admin/coupons/:id/edit': [missing('/admin/coupons/999999/edit')],
  '/admin/coupons/upload': found('/admin/coupons/upload'),
  '/admin/slots': found('/admin/slots', '/admin/slots?q=zqxjv'),
  '/admin/slots/new': found('/admin/slots/new'),
  '/admin/slots/:id/edit': [missing('/admin/slots/999999/edit')],
  '/admin/move-in': found('/admin/move-in'),
  '/admin/move-in/subscribers': found('/admin/move-in/subscribers'),
  '/admin/move-in/subscribers/upload': 'the same page, for the form',
  '/admin/move-in/subscribers/:id': [missing('/admin/move-in/subscribers/999999')],
  '/admin/move-in/subscribers/:id/left-out': 'a file',
  '/admin/redirects': found('/admin/redirects', '/admin/redirects?q=zqxjv'),
  '/admin/redirects/new': found('/admin/redirects/new'),
  '/admin/redirects/:id/edit': [missing('/admin/redirects/999999/edit')],
  '/admin/redirects/upload': found('/admin/redirects/upload'),
  '/admin/redirects/export': 'a file',
  '/admin/home': found('/admin/home'),
  '/admin/menus': found('/admin/menus'),
  '/admin/pages': found('/admin/pages', '/admin/pages?q=zqxjv'),
  '/admin/pages/new': found('/admin/pages/new'),
  '/admin/pages/:id/edit': [missing('/admin/pages/999999/edit')],
  '/admin/pages/texts/:text': found('/admin/pages/texts/faq', '/admin/pages/texts/contact'),
  '/admin/blog': found('/admin/blog', '/admin/blog?q=zqxjv'),
  '/admin/blog/new': found('/admin/blog/new'),
  '/admin/blog/edit/:id': [...found('/admin/blog/edit/{post}'), missing('/admin/blog/edit/999999')],
  '/admin/blog/deals': 'search results of the editor',
  '/admin/blog/preview/:id': found('/admin/blog/preview/{draft}'),
  '/admin/media': found('/admin/media', '/admin/media?q=zqxjv'),
  '/admin/media/:id/edit': [
    ...found('/admin/media/{picture}/edit'),
    missing('/admin/media/999999/edit'),
  ],
  '/admin/media/upload': 'redirects to the page above',
  '/admin/media/pick': 'data for the picker of a picture',
  '/admin/move-in/price-histories': found('/admin/move-in/price-histories'),
  '/admin/move-in/price-histories/upload': 'the same page, for the form',
  '/admin/move-in/price-histories/:id': [missing('/admin/move-in/price-histories/999999')],
  '/admin/move-in/price-histories/:id/left-out': 'a file',
  '/admin/move-in/posts': found('/admin/move-in/posts'),
  '/admin/move-in/posts/upload': found('/admin/move-in/posts/upload'),
  '/admin/move-in/posts/:id': [missing('/admin/move-in/posts/999999')],
  '/admin/imports': found('/admin/imports'),
  '/admin/imports/new': found('/admin/imports/new'),
  '/admin/imports/upload': found('/admin/imports/upload'),
  '/admin/imports/held': found('/admin/imports/held'),
  '/admin/imports/products': found('/admin/imports/products'),
  '/admin/imports/duplicates': found('/admin/imports/duplicates'),
  '/admin/imports/sources/:id': found('/admin/imports/sources/{source}'),
  '/admin/imports/sources/:id/columns': found('/admin/imports/sources/{source}/columns'),
  '/admin/imports/sources/:id/mapping.json': 'a file',
  '/admin/imports/runs/:id': found(
    '/admin/imports/runs/{run}',
    '/admin/imports/runs/{dryRun}',
    '/admin/imports/runs/{askingRun}',
    '/admin/imports/runs/{failedRun}',
  ),
  '/admin/imports/runs/:id/events': 'a stream of events',
  '/admin/imports/runs/:id/report': 'a file',
  '/admin/users': found('/admin/users', '/admin/users?q=zqxjv', '/admin/users?state=suspended'),
  '/admin/users/invite': found('/admin/users/invite'),
  '/admin/users/:id': found('/admin/users/somebody', '/admin/users/shut-out'),
  '/admin/users/:id/suspend': found(
    '/admin/users/somebody/suspend',
    '/admin/users/shut-out/suspend',
  ),
  '/admin/users/:id/delete': found('/admin/users/somebody/delete'),
  '/admin/roles': found('/admin/roles'),
  '/admin/roles/new': found('/admin/roles/new', '/admin/roles/new?from=writer'),
  '/admin/roles/:id': found('/admin/roles/1', '/admin/roles/editor'),
  '/admin/roles/:id/delete': found('/admin/roles/1/delete'),
  '/admin/messages': found(
    '/admin/messages',
    '/admin/messages?q=zqxjv',
    '/admin/messages?state=all',
  ),
  '/admin/messages/:id': found('/admin/messages/{message}'),
  '/admin/trash': found('/admin/trash', '/admin/trash?q=zqxjv'),
  '/admin/audit': found('/admin/audit', '/admin/audit?q=zqxjv'),
  '/admin/subscriptions': found('/admin/subscriptions', '/admin/subscriptions?q=zqxjv'),
  '/admin/subscriptions/add': found('/admin/subscriptions/add'),
  '/admin/subscriptions/export': found('/admin/subscriptions/export'),
  '/admin/subscriptions/:id/reactivate': found('/admin/subscriptions/{subscription}/reactivate'),
  '/admin/subscriptions/file': 'a file',
  '/admin/newsletters': found('/admin/newsletters', '/admin/newsletters?q=zqxjv'),
  '/admin/newsletters/new': found('/admin/newsletters/new'),
  '/admin/newsletters/lists': found('/admin/newsletters/lists'),
  '/admin/newsletters/deals': 'search results of the editor',
  '/admin/newsletters/preview': 'a mail, in a frame of the editor',
  '/admin/newsletters/:id': [
    ...found('/admin/newsletters/{newsletter}', '/admin/newsletters/{sentNewsletter}'),
    missing('/admin/newsletters/999999'),
  ],
  '/admin/newsletters/:id/edit': found(
    '/admin/newsletters/{newsletter}/edit',
    '/admin/newsletters/{sentNewsletter}/edit',
  ),
  '/admin/newsletters/:id/mail': 'a mail, in a frame of its page',
  '/admin/newsletters/:id/send': 'redirects to the page above',
  '/admin/setup/site': found('/admin/setup/site'),
  '/admin/setup/brand': found('/admin/setup/brand'),
  '/admin/setup/mail': found('/admin/setup/mail'),
  '/admin/setup/data': found('/admin/setup/data'),
  '/admin/settings/brand': found('/admin/settings/brand'),
  '/admin/settings/mail-server': found('/admin/settings/mail-server'),
  '/admin/settings': found(...settingsTabs.map(({ name }) => tabHref(name))),
  '/admin/outbox': found('/admin/outbox', '/admin/outbox?q=zqxjv'),
  '/admin/outbox/suspended': found('/admin/outbox/suspended', '/admin/outbox/suspended?q=zqxjv'),
  '/admin/outbox/:id': found('/admin/outbox/{mail}'),
  '/admin/outbox/:id/html': 'a mail as it was written, in a frame of the page above',
};

/** Screens that only the owner may open. */
export const ownerScreens = ['/admin/setup/mail', '/admin/settings/mail-server'];

/** Returns the screens with placeholders replaced by the ids of real rows. */
export function screensOf(things: Things): Screen[] {
  return Object.values(adminScreens).flatMap((screens) =>
    typeof screens === 'string'
      ? []
      : screens.map(({ address, status }) => ({
          address: address.replace(/\{(\w+)\}/, (_all, thing: Thing) => String(things[thing])),
          status,
        })),
  );
}

/** Adds one of everything that has an admin screen, including long words. */
export async function fillAdmin(db: Db, dataFolder: string): Promise<Things> {
  const category = await insertCategory(db, { name: 'Kitchen', description: 'Pots and pans' });
  const merchant = await insertMerchant(db, {
    name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützen & Sons',
    website_url: 'https://shop.example',
    is_featured: true,
  });
  const owners = { category_id: category.id, merchant_id: merchant.id };
  const picture = { image_url: null };
  const deal = await insertDeal(db, {
    ...owners,
    ...picture,
    title: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz, second edition',
    is_featured: true,
    held_price: 100,
    held_at: new Date(),
    gtin: '4006381333931',
  });
  await sql`update deals set link_broken_since = now() where id = ${deal.id}`.execute(db);
  await insertDeal(db, { ...owners, ...picture, title: 'The same again', gtin: '4006381333931' });
  const kettles: number[] = [];
  for (let n = 0; n < 60; n++) {
    const words = { title: `Kettle ${n}`, is_active: n % 2 === 0 };
    kettles.push((await insertDeal(db, { ...owners, ...picture, ...words })).id);
  }
  await linkDeals(db, 'somebody', kettles[0] ?? 0, kettles[1] ?? 0);
  const product = await idOf(db.selectFrom('products').select('id'));
  const post = await insertBlogPost(db, { title: 'A post', content: '<p>Words</p>' });
  const libraryPicture = await insertLibraryPicture(db, { name: 'A lamp on a desk.jpg' });
  const draft = await insertBlogPost(db, {
    title: 'A draft',
    content: '<h2>Part</h2><p>Words</p>',
    is_published: false,
  });
  await insertUser(db, { id: 'somebody', email: 'somebody@mail.example', full_name: 'Some Body' });
  await db
    .insertInto('right_sets')
    .values({ name: 'Night shift', rights: ['catalog.read', 'contact.manage'] })
    .execute();
  await insertUser(db, {
    id: 'shut-out',
    email: 'shut-out@mail.example',
    full_name: 'Shut Out',
    suspended_at: new Date(),
    suspended_for: 'Kept posting the same wrong price to the contact form, in five languages.',
  });
  await writeAudit(db, [
    { actor: 'somebody', action: 'deal.feature', entity: 'deal', entityId: deal.id },
    { actor: 'somebody', action: 'post.create', entity: 'post', entityId: post.id },
  ]);
  await db
    .insertInto('staff_invitations')
    .values([
      {
        email: 'a.colleague.with.a.rather.long.address@donaudampfschifffahrt.example',
        role: 'admin',
        invited_by: 'somebody',
        expires_at: new Date(Date.now() + 5 * 86_400_000),
      },
      {
        email: 'late@mail.example',
        role: 'super_admin',
        expires_at: new Date(Date.now() - 60_000),
      },
    ])
    .execute();
  const change = await idOf(
    db
      .insertInto('bulk_changes')
      .values({
        actor: 'somebody',
        verb: 'feature',
        batch: randomUUID(),
        deal_ids: [deal.id, 999_999],
        state: 'done',
        done: 2,
        changed: 1,
        failed: 1,
        failures: JSON.stringify([{ id: 999_999, reason: 'gone' }]),
      })
      .returning('id'),
  );
  const imports = await fillImports(db, dataFolder, merchant.id, deal.id);
  const message = await idOf(
    db
      .insertInto('contact_messages')
      .values({
        name: 'Ada',
        email: 'ada@mail.example',
        subject: 'A price is wrong',
        message: 'The lamp\ncosts more.',
      })
      .returning('id'),
  );
  await db
    .insertInto('contact_answers')
    .values([
      { message_id: message, op: 'first', author: 'somebody', body: 'Thank you.\nWe look at it.' },
      { message_id: message, op: 'second', body: 'The lamp costs what it did again.' },
    ])
    .execute();
  await db
    .insertInto('newsletter_subscriptions')
    .values({ email: 'reader@mail.example' })
    .execute();
  const subscription = await idOf(
    db
      .insertInto('newsletter_subscriptions')
      .values({ email: 'left@mail.example', is_active: false, unsubscribed_at: new Date() })
      .returning('id'),
  );
  const newsletters = await fillNewsletters(db, deal.id);
  await queueMail(db, {
    key: 'office',
    kind: 'test',
    to: 'somebody@mail.example',
    props: { askedAt: 'Monday' },
  });
  const mail = await idOf(db.selectFrom('mail_outbox').select('id').where('key', '=', 'office'));
  for (const reason of ['bounce', 'complaint'] as const) {
    await suspendAddress(db, {
      address: `${reason}@mail.example`,
      reason,
      source: reason === 'bounce' ? 'smtp' : 'ses',
      diagnostic: 'smtp; 550 5.1.1 The email account that you tried to reach does not exist',
      mailId: mail,
      at: null,
    });
  }
  await db
    .insertInto('api_keys')
    .values({
      name: 'A price comparison',
      prefix: 'dh_abcdef',
      key_hash: 'x',
      per_minute: 60,
      rights: ['limits', 'clicks'],
    })
    .execute();
  const webhook = await idOf(
    db
      .insertInto('webhook_endpoints')
      .values({
        url: 'https://hooks.example/a/rather/long/path/that/does/not/break/anywhere/at/all',
        events: ['deal.published', 'alert.fired'],
        secret: Buffer.alloc(0),
        is_active: false,
        switched_off_at: new Date(),
        failures: 40,
      })
      .returning('id'),
  );
  await db
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: webhook,
      event: 'deal.published',
      deal_id: deal.id,
      state: 'failed',
      attempts: 9,
      answer_status: 500,
      last_error: 'answered 500',
    })
    .execute();
  return {
    deal: deal.id,
    product,
    category: category.id,
    merchant: merchant.id,
    post: post.id,
    draft: draft.id,
    picture: libraryPicture.id,
    change,
    ...imports,
    message,
    mail,
    subscription,
    ...newsletters,
    channel: await insertChannel(db, {
      last_error: 'responded with status 503',
      failures: 2,
      failing_since: new Date(),
    }),
    webhook,
  };
}

async function fillNewsletters(db: Db, dealId: number) {
  const newsletter = await idOf(
    db
      .insertInto('newsletters')
      .values({
        subject: 'Long evenings and Donaudampfschifffahrtsgesellschaftskapitänsmützen',
        preview: 'What our price log says about each of them',
        content: `<h2>Hello</h2><p>Words</p><hr data-deal="${dealId}"><hr data-deal="999999" title="Old lamp">`,
      })
      .returning('id'),
  );
  const letter = { subject: 'Sent', preview: '', body: '<p>Words</p>', pricesAt: null };
  const sentNewsletter = await idOf(
    db
      .insertInto('newsletters')
      .values({
        subject: 'Sent',
        content: '<p>Words</p>',
        state: 'sent',
        letter: JSON.stringify(letter),
        recipients: 100,
        started_at: new Date(),
        finished_at: new Date(),
        audience_until: new Date(),
        past_sent: 88,
        past_failed: 10,
        past_skipped: 2,
        left_count: 1,
      })
      .returning('id'),
  );
  await db
    .insertInto('newsletter_links')
    .values({
      newsletter_id: sentNewsletter,
      position: 1,
      href: '/blog',
      label: '/blog',
      clicks: 7,
    })
    .execute();
  return { newsletter, sentNewsletter };
}

async function fillImports(db: Db, dataFolder: string, merchantId: number, dealId: number) {
  const folder = path.join(dataFolder, 'feeds', 'office');
  await mkdir(folder, { recursive: true });
  const feed =
    'id,title,link,price,product type\nk1,Kettle,https://shop.example/k1,20.50,Kettles\n';
  const file = path.join(folder, 'feed.csv');
  await writeFile(file, feed);
  // The importer skips files that just arrived, because they may be incomplete.
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(file, aMinuteAgo, aMinuteAgo);
  const source = await idOf(
    db
      .insertInto('feed_sources')
      .values({
        merchant_id: merchantId,
        name: 'A folder of feeds',
        kind: 'folder',
        location: 'office',
        format: 'csv',
        mapping: '{}',
        category_mapping: '{}',
        is_active: false,
      })
      .returning('id'),
  );
  const runOf = (values: Partial<Parameters<typeof insertRun>[1]>) =>
    insertRun(db, { feed_source_id: source, merchant_id: merchantId, ...values });
  const run = await runOf({ state: 'done' });
  await sql`
    insert into import_changes (import_run_id, deal_id, kind, version_after) values (${run}, ${dealId}, 'created', 1)`.execute(
    db,
  );
  const dryRun = await runOf({ state: 'done', is_dry_run: true });
  const askingRun = await runOf({ state: 'asking' });
  const failedRun = await runOf({ state: 'failed', error: 'the feed could not be fetched' });
  for (const import_run_id of [run, dryRun, askingRun]) {
    await db
      .insertInto('import_issues')
      .values({ import_run_id, line: 9, external_id: 'k9', reason: 'price is not a number: ask' })
      .execute();
  }
  return { source, run, dryRun, askingRun, failedRun };
}

async function insertRun(
  db: Db,
  values: {
    feed_source_id: number;
    merchant_id: number;
    state?: 'done' | 'asking' | 'failed';
    is_dry_run?: boolean;
    error?: string;
  },
): Promise<number> {
  const change = {
    line: 2,
    title: 'Kettle',
    slug: 'kettle',
    before: 4_000,
    after: 200,
    is_held: true,
  };
  return idOf(
    db
      .insertInto('import_runs')
      .values({
        ...values,
        source_name: 'feed.csv',
        format: 'csv',
        rows_read: 412,
        rows_new: 12,
        rows_changed: 380,
        rows_rejected: 1,
        rows_ended: 6,
        rows_held: 1,
        preview: JSON.stringify([change]),
        started_by: 'somebody',
        finished_at: new Date(),
      })
      .returning('id'),
  );
}

async function idOf(query: {
  executeTakeFirstOrThrow(): Promise<{ id: number }>;
}): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).id;
}
