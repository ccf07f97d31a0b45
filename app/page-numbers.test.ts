import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertBlogPost, insertDeals, insertMerchant } from '#test/factories/insert.ts';
import { hashToken } from '#app/features/accounts/hash-token.server.ts';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

// Tests how every paginated list responds to a page number that does not exist.

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor;

beforeEach(async () => {
  const { db } = database;
  staff = await signedInVisitor(database, site, 'super_admin');
  const deals = await insertDeals(db, 51);
  await db.updateTable('categories').set({ slug: 'here' }).execute();
  await db.updateTable('merchants').set({ slug: 'here' }).execute();
  await checkDiscounts(database);
  await insertMerchant(db, { id: 900_000 });
  for (let n = 0; n < 25; n++) {
    await insertMerchant(db);
    await insertBlogPost(db);
  }
  const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const kept = deals.map((deal_id) => ({ user_id: user.id, deal_id }));
  await db.insertInto('user_favorites').values(kept).execute();
  await sql`insert into follows (user_id, merchant_id) select ${user.id}, id from merchants where slug = 'here'`.execute(
    db,
  );
  const { id: list_id } = await db
    .insertInto('favorite_lists')
    .values({
      user_id: user.id,
      name: 'Kitchen',
      link_hash: hashToken('secret'),
      sealed_link: Buffer.from('sealed'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('favorite_list_items')
    .values(kept.map((favorite) => ({ list_id, ...favorite })))
    .execute();
  await db
    .insertInto('webhook_endpoints')
    .values({
      id: 1,
      url: 'https://hook.example/',
      secret: Buffer.from('sealed'),
      events: ['deal.published'],
    })
    .execute();
  await insertChannel(db);
  await db
    .insertInto('post_moves')
    .values({ file_name: 'a', state: 'done', created_by: 'x' })
    .execute();
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .where('slug', '=', 'here')
    .executeTakeFirstOrThrow();
  for (let n = 0; n < 51; n++) {
    await insertCoupon(db, { merchant_id: merchant.id, code: `CODE${n}` });
  }
  await db
    .insertInto('feed_sources')
    .values({ id: 1, merchant_id: merchant.id, name: 'Feed', location: 'https://a.example/f.csv' })
    .execute();
});

/** The number of pages of each list, by its route. */
const lists: Record<string, { address: string; pages: number }[]> = {
  '/deals': [
    { address: '/deals', pages: 3 },
    { address: '/deals?sort=price_low', pages: 3 },
    { address: '/deals?search=plain', pages: 3 },
    { address: '/deals?search=no+such+thing', pages: 1 },
  ],
  '/categories/:slug': [{ address: '/categories/here?status=new', pages: 3 }],
  '/merchants/:slug': [{ address: '/merchants/here', pages: 3 }],
  '/merchants/:slug/discount-check': [{ address: '/merchants/here/discount-check', pages: 3 }],
  '/merchants': [{ address: '/merchants?utm_source=mail', pages: 2 }],
  '/coupons': [
    { address: '/coupons', pages: 3 },
    { address: '/coupons?merchant=here', pages: 3 },
  ],
  '/lists/:token': [{ address: '/lists/secret', pages: 3 }],
  '/blog': [{ address: '/blog', pages: 2 }],
  '/for-you': [{ address: '/for-you', pages: 3 }],
  '/favorites': [
    { address: '/favorites', pages: 3 },
    { address: '/favorites?list=1', pages: 3 },
  ],
  '/admin/deals': [
    { address: '/admin/deals', pages: 2 },
    { address: '/admin/deals?q=plain&sort=title', pages: 2 },
    { address: '/admin/deals?q=no+such+thing', pages: 1 },
  ],
  '/admin/categories': [{ address: '/admin/categories', pages: 1 }],
  '/admin/merchants': [{ address: '/admin/merchants', pages: 1 }],
  '/admin/coupons': [{ address: '/admin/coupons', pages: 2 }],
  '/admin/redirects': [{ address: '/admin/redirects', pages: 1 }],
  '/admin/merchants/:id/discount-check': [
    { address: '/admin/merchants/900000/discount-check', pages: 1 },
  ],
  '/admin/media': [{ address: '/admin/media', pages: 1 }],
  '/admin/pages': [{ address: '/admin/pages', pages: 1 }],
  '/admin/blog': [{ address: '/admin/blog', pages: 1 }],
  '/admin/slots': [{ address: '/admin/slots', pages: 1 }],
  '/admin/trash': [{ address: '/admin/trash', pages: 1 }],
  '/admin/users': [{ address: '/admin/users', pages: 1 }],
  '/admin/messages': [{ address: '/admin/messages', pages: 1 }],
  '/admin/subscriptions': [{ address: '/admin/subscriptions', pages: 1 }],
  '/admin/newsletters': [{ address: '/admin/newsletters', pages: 1 }],
  '/admin/outbox': [{ address: '/admin/outbox?state=failed', pages: 1 }],
  '/admin/outbox/suspended': [{ address: '/admin/outbox/suspended', pages: 1 }],
  '/admin/imports': [{ address: '/admin/imports', pages: 1 }],
  '/admin/move-in/posts/:id': [{ address: '/admin/move-in/posts/1', pages: 1 }],
  '/admin/imports/duplicates': [{ address: '/admin/imports/duplicates', pages: 1 }],
  '/admin/imports/held': [{ address: '/admin/imports/held', pages: 1 }],
  '/admin/imports/products': [{ address: '/admin/imports/products', pages: 1 }],
  '/admin/imports/sources/:id': [{ address: '/admin/imports/sources/1', pages: 1 }],
  '/admin/channels/new': [],
  '/admin/channels/:id': [{ address: '/admin/channels/1', pages: 1 }],
  '/admin/developers/webhooks/:id': [{ address: '/admin/developers/webhooks/1', pages: 1 }],
};

test('has an example for every paginated list', () => {
  const hasPages = /leadToLastPage\(|readDealList\(|readList\(|readPlainPage\(/;
  const patterns = routePatterns()
    .filter(({ file }) => hasPages.test(readFileSync(new URL(file, import.meta.url), 'utf8')))
    .map(({ pattern }) => pattern);
  expect(Object.keys(lists).toSorted()).toEqual(patterns.toSorted());
});

describe.each(Object.values(lists).flat())('$address', ({ address, pages }) => {
  const url = (page: string | null) => {
    const [path = '', query] = address.split('?');
    const params = new URLSearchParams(query);
    if (page !== null) params.set('page', page);
    return `${path}?${params}`.replace(/\?$/, '');
  };
  const last = url(pages > 1 ? String(pages) : null);

  // Proves P5: no page behind the last (page-number.ts)
  test('redirects from every page past the end to the last one, and keeps the other parameters', async () => {
    for (const page of [String(pages + 1), '500', '2000', '1000000000', '9'.repeat(400)]) {
      const { status, headers } = await staff.open(url(page));
      expect([page, status, headers.get('location')]).toEqual([page, 302, last]);
    }
    expect((await staff.open(last)).status).toBe(200);
  });

  test('treats an invalid page number as the first page', async () => {
    for (const page of ['0', '-1', 'abc', '1e9', '', '1.5', '٣']) {
      expect([page, (await staff.open(url(page))).status]).toEqual([page, 200]);
    }
  });

  test('redirects a router’s data request past the end', async () => {
    const [path = '', query = ''] = url('2000').split('?');
    const { html } = await staff.open(`${path}.data?${query}`);
    expect(html).toContain(JSON.stringify(last));
  });
});

test('shows the message about deleting the last page’s only row on the previous page', async () => {
  const { id } = await database.db
    .selectFrom('deals')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const fields = { intent: 'delete', id: String(id) };
  const deleted = await staff.send('/admin/deals?page=2', fields);
  const back = await staff.open(deleted.headers.get('location') ?? '');
  expect([back.status, back.headers.get('location')]).toEqual([302, '/admin/deals']);
  expect((await staff.open('/admin/deals')).html).toContain('Deal deleted successfully!');
});
