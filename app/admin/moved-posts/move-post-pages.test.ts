import { beforeEach, expect, test } from 'vitest';
import { movePosts } from '#app/features/moved-posts/move-posts-job.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { couponisCoupon, rehubPost } from '#test/fixtures/old-offers.ts';
import { oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

async function upload(content: string, name = 'old.xml') {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ');
  const body = new FormData();
  body.append('file', new File([content], name));
  return site.request('/admin/move-in/posts/upload', { method: 'POST', body, headers: { cookie } });
}
const example = wordpressExport([
  { title: 'Green lamps', slug: 'lamps' },
  { title: 'Team', slug: 'team', type: 'page', link: `${oldSite}/about-us/team/` },
  { title: 'Old news', slug: 'news', status: 'trash' },
]);
async function preview() {
  const answer = await upload(example);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

test('previews a WordPress export, imports it, redirects its old URLs, and undoes the import', async () => {
  const page = await preview();
  const shown = await admin.open(page);
  for (const text of [
    '1 post, 1 page, 1 redirect, 1 skipped',
    '/blog/lamps (301)',
    'In the trash of the old site',
  ])
    expect(shown.html).toContain(text);
  expect((await admin.send(page, { intent: 'move' })).status).toBe(302);
  expect((await admin.open(page)).html).toContain('Importing');
  await movePosts({ db: database.db });
  const moved = (await admin.open(page)).html;
  expect(moved).toContain('Undo the move');
  expect(moved).toContain('What was imported');
  const old = await admin.open('/2024/03/lamps');
  expect([old.status, old.headers.get('location')]).toEqual([301, '/blog/lamps']);
  expect((await admin.open('/about-us/team')).html).toContain('Text 2');
  const byNumber = async (query: string) => {
    const answer = await site.request(`/?${query}`);
    return [answer.status, answer.headers.get('location')];
  };
  expect(await byNumber('p=1')).toEqual([301, '/blog/lamps']);
  expect(await byNumber('page_id=2&utm_source=x')).toEqual([301, '/about-us/team']);
  for (const query of ['p=3', 'p=99', 'p=x', 'p=1;--', ''])
    expect([query, ...(await byNumber(query))]).toEqual([query, 200, null]);
  await database.db.updateTable('blog_posts').set({ is_published: false }).execute();
  expect(await byNumber('p=1')).toEqual([200, null]);
  await database.db.updateTable('blog_posts').set({ is_published: true, version: 1 }).execute();
  expect((await admin.open('/admin/audit')).html).toContain('imported');
  await admin.send(page, { intent: 'undo' });
  await movePosts({ db: database.db });
  expect((await admin.open(page)).html).toContain('Undone');
  expect((await admin.open('/2024/03/lamps')).status).toBe(404);
  expect(await byNumber('p=1')).toEqual([200, null]);
  expect((await admin.open('/admin/trash')).html).toContain('Green lamps');
});

test('shows how many pictures are copied from which host, and retries failed ones', async () => {
  const { db } = database;
  const image = `${oldSite}/wp-content/uploads/a-300x200.jpg`;
  const file = wordpressExport([{ content: `<p>Text</p><img src="${image}">` }]);
  const page = (await upload(file)).headers.get('location') ?? '';
  expect((await admin.open(page)).html).toContain(
    '1 picture will be copied into the media library after the move, from old.example (1).',
  );
  await admin.send(page, { intent: 'move' });
  await movePosts({ db });
  expect((await admin.open(page)).html).toContain('0 of 1 picture copied');
  await ask(db).rows`
    update post_move_pictures set state = 'failed', due_at = null, is_http = true, reason = 'old.example responded with status 404'`;
  const { html } = await admin.open(page);
  expect(html).toContain('Old.example responded with status 404. The old site showed it by http');
  expect(flashOf(await admin.send(page, { intent: 'retry' }))).toBe('Trying 1 picture again.');
  expect((await admin.open(page)).html).toContain('1 waiting');

  const picture = { hash: 'a'.repeat(20), original_hash: 'x', name: 'a', width: 9, height: 9 };
  const address = '/media/library/a-160.webp';
  const row = { ...picture, address, bytes: 1, files: [], created_by: 'cli' };
  const { id } = await db
    .insertInto('library_pictures')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  await ask(db).rows`update post_move_pictures set state = 'fetched', picture_id = ${id}`;
  const old = await admin.open('/wp-content/uploads/a-150x150.jpg');
  expect([old.status, old.headers.get('location')]).toEqual([301, address]);
  expect((await admin.open('/wp-content/uploads/b.jpg')).status).toBe(404);
});

test('imports deals and coupons into a chosen category, and redirects their old URLs', async () => {
  const { id: category } = await database.db
    .insertInto('categories')
    .values({ name: 'Various', slug: 'various' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const offers = [
    rehubPost('lamp', { rehub_offer_product_price_old: '$20' }),
    couponisCoupon('books', {}),
    couponisCoupon('empty', { coupon_code: '' }),
  ];
  const page = (await upload(wordpressExport(offers))).headers.get('location') ?? '';
  const shown = (await admin.open(page)).html;
  for (const text of [
    '1 deal, 1 coupon, 2 redirects, 1 skipped',
    '/deals/lamp (301)',
    'Store: Lamp World (new)',
    'Has no price and no code',
    'Add their categories',
    `<option value="${category}">Various</option>`,
  ])
    expect(shown).toContain(text);
  await admin.send(page, { intent: 'move', category_id: String(category) });
  await movePosts({ db: database.db });
  const old = await admin.open('/lamp');
  expect([old.status, old.headers.get('location')]).toEqual([301, '/deals/lamp']);
  expect((await admin.open('/deals/lamp')).html).toContain('Post lamp');
  const coupon = await admin.open('/coupons/books');
  expect(coupon.headers.get('location')).toBe('/coupons?merchant=book-barn');
  expect((await admin.open('/coupons?merchant=book-barn')).html).toContain('Coupon books');
  const filed = await database.db
    .selectFrom('deals')
    .select('category_id')
    .where('slug', '=', 'lamp')
    .executeTakeFirst();
  expect(filed?.category_id).toBe(category);
});

test('refuses a colleague who may not change the catalog', async () => {
  const page = await preview();
  const writer = await signedInVisitor(database, site, 'user');
  expect((await writer.open(page)).status).not.toBe(200);
  expect((await writer.send(page, { intent: 'move' })).status).not.toBe(200);
  expect((await admin.open(page)).html).toContain('Nothing has been written yet');
});

test('deletes a preview, and lists exports', async () => {
  const page = await preview();
  expect((await admin.open('/admin/move-in/posts')).html).toContain('old.xml');
  await admin.send(page, { intent: 'delete' });
  expect((await admin.open(page)).status).toBe(404);
  await admin.send(page, { intent: 'move' });
  expect((await admin.open('/admin/move-in/posts')).html).not.toContain('old.xml');
});

test('refuses a file that is not an export, with the reason', async () => {
  for (const [file, reason] of [
    ['<html><body>Sign in</body></html>', 'not a WordPress export'],
    [example.slice(0, -300), 'The file is cut off'],
  ] as const) {
    const answer = await upload(file);
    expect([answer.status, (await answer.text()).includes(reason)]).toEqual([422, true]);
  }
});
