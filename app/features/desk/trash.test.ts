import { expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertFeedSource,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { deleteRightSet } from '#app/features/accounts/people/change-right-sets.server.ts';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { deletePost } from '#app/features/blog/change-post.server.ts';
import { editableCategories } from '#app/features/categories/editable-categories.server.ts';
import { editableCoupons } from '#app/features/coupons/editable-coupons.server.ts';
import { changeDeals } from '#app/features/deals/change-deals.server.ts';
import { deleteFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { editableMerchants } from '#app/features/merchants/editable-merchants.server.ts';
import {
  addSynonyms,
  deleteSynonyms,
  listSynonyms,
} from '#app/features/search/change-synonyms.server.ts';
import { ask } from '#database/ask.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { createLog } from '#app/platform/log.server.ts';
import { purgeTrash, restoreDeletion, restoreFromTrash } from './restore-from-trash.server.ts';
import { kindsFor, trashKindNames } from './trash-kinds.ts';
import { describeInside, describeRestore } from './trash-messages.ts';
import { countTrash, listTrash } from './trash-queries.server.ts';

const database = useTestDatabase();
const act = { actor: 'u1', kinds: trashKindNames };
const all = {
  search: '',
  page: 1,
  sort: 'deleted',
  isDescending: true,
  filters: { kind: null },
} as const;

const list = async () => (await listTrash(database.db, all, trashKindNames)).rows;
const idOf = async (name: string) => {
  const entry = (await list()).find((row) => row.name === name);
  if (!entry) throw new Error(`${name} is not in the trash`);
  return entry.id;
};
const restore = async (...names: string[]) =>
  restoreFromTrash(database.db, await Promise.all(names.map(idOf)), act);
const deleteDeals = (...ids: number[]) =>
  changeDeals(database.db, { actor: 'u1', verb: 'delete', categoryId: null }, { ids });

test('restores a post that another user deleted weeks ago, with its content', async () => {
  const post = await insertBlogPost(database.db, { title: 'Lamps', content: '<p>Light</p>' });
  await deletePost(database.db, post.id, 'someone');
  await database.pool.query(`update deleted_rows set deleted_at = now() - interval '29 days'`);
  expect(await list()).toMatchObject([{ entity: 'post', name: 'Lamps', by: 'someone' }]);
  expect(await restore('Lamps')).toEqual({
    restored: [{ entity: 'post', name: 'Lamps', movedTo: null }],
    failures: [],
  });
  const read = database.db.selectFrom('blog_posts').selectAll();
  expect(await read.executeTakeFirst()).toEqual(post);
  expect(await list()).toEqual([]);
});

test('restores a merchant with its coupons and feed sources', async () => {
  const { db, pool } = database;
  const { id } = await insertMerchant(db, { name: 'Lamp House' });
  await pool.query(
    `insert into coupons (merchant_id, code, title) values ($1, 'A', 'Ten'), ($1, 'B', 'Twenty')`,
    [id],
  );
  await pool.query(
    `insert into coupon_clicks (coupon_id, day, count) select id, current_date, 4 from coupons`,
  );
  await pool.query(
    `insert into feed_sources (merchant_id, name, location) values ($1, 'daily', 'https://shop.example/f')`,
    [id],
  );
  const read = () =>
    ask(db).row`
      select (select jsonb_agg(to_jsonb(c) order by id) from coupons c) as coupons,
             (select jsonb_agg(to_jsonb(k) order by coupon_id) from coupon_clicks k) as clicks,
             (select jsonb_agg(to_jsonb(s)) from feed_sources s) as sources`;
  const before = await read();
  await editableMerchants.remove(db, id, 'u1');
  const [entry] = await list();
  expect(describeInside(entry?.inside ?? {})).toBe('2 coupons, 1 feed source');
  await restore('Lamp House');
  expect(await read()).toEqual(before);
});

test('restores a feed source as inactive, with its merchant and password', async () => {
  const { db, pool } = database;
  const { id: merchant_id } = await insertMerchant(db, { name: 'Lamp House' });
  const { id } = await insertFeedSource(db, {
    merchant_id,
    name: 'daily',
    kind: 'url',
    location: 'https://shop.example/feed?key=hidden',
    schedule_minutes: 60,
    next_run_at: new Date(),
    user_name: 'me',
    secret_kind: 'password',
    sealed_secret: Buffer.from('sealed'),
  });
  const read = () => db.selectFrom('feed_sources').selectAll().executeTakeFirst();
  const before = await read();
  expect(await deleteFeedSource(db, 'u1', id)).toBe(true);
  expect(await deleteFeedSource(db, 'u1', id)).toBe(false);
  await editableMerchants.remove(db, merchant_id, 'u1');
  const outcome = await restore('daily');
  expect(describeRestore(outcome)).toBe('Restored 2 items. Restored feed sources are inactive.');
  expect(await read()).toEqual({ ...before, is_active: false, next_run_at: null });
  const { rows } = await pool.query(
    `select after from audit_log where action = 'feed-source.restore'`,
  );
  expect(rows).toEqual([{ after: { name: 'daily', kind: 'url', schedule_minutes: 60 } }]);
});

test('restores a role with its rights, and assigns it to no one', async () => {
  const { db } = database;
  const owner = await insertUser(db, { role: 'super_admin' });
  const set = await db
    .insertInto('right_sets')
    .values({ name: 'Night shift', rights: ['contact.manage', 'catalog.read'] })
    .returningAll()
    .executeTakeFirstOrThrow();
  const nina = await insertUser(db, { role: 'admin', right_set: String(set.id) });
  const to = { role: 'admin', rightSet: 'analyst' } as const;
  expect(await deleteRightSet(db, { actor: owner.id, id: set.id, to })).toMatchObject({ ok: true });
  const staff = { actor: 'u2', kinds: kindsFor(rightsOf('admin')) };
  const id = await idOf('Night shift');
  expect(await restoreFromTrash(db, [id], staff)).toEqual({ restored: [], failures: [] });
  await restore('Night shift');
  expect(await db.selectFrom('right_sets').selectAll().execute()).toEqual([set]);
  const held = await db
    .selectFrom('users')
    .select('right_set')
    .where('id', '=', nina.id)
    .executeTakeFirst();
  expect(held).toEqual({ right_set: 'analyst' });
});

test('keeps a role and a synonym in the trash while the name is taken, and a feed source while its category is missing', async () => {
  const { db } = database;
  const owner = await insertUser(db, { role: 'super_admin' });
  const insertSet = (name: string) =>
    db
      .insertInto('right_sets')
      .values({ name, rights: [] })
      .returning('id')
      .executeTakeFirstOrThrow();
  const { id: set } = await insertSet('Helper');
  await deleteRightSet(db, { actor: owner.id, id: set, to: null });
  await insertSet('helper');
  await addSynonyms(db, 'u1', 'couch, sofa');
  const [line] = await listSynonyms(db);
  await deleteSynonyms(db, 'u1', line?.id ?? 0);
  await addSynonyms(db, 'u1', 'couch, sofa');
  const { id: category } = await insertCategory(db, { name: 'Lamps' });
  const { id: source } = await insertFeedSource(db, {
    name: 'daily',
    fallback_category_id: category,
  });
  await deleteFeedSource(db, 'u1', source);
  await editableCategories.remove(db, category, 'u1');
  expect((await restore('Helper', 'couch, sofa', 'daily')).failures).toEqual([
    { name: 'daily', reason: 'no-such-category' },
    { name: 'couch, sofa', reason: 'taken' },
    { name: 'Helper', reason: 'taken' },
  ]);
  expect((await restore('Lamps', 'daily')).failures).toEqual([]);
});

test('restores a page under a free slug, and reports it, if its own was taken', async () => {
  const { db } = database;
  const post = await insertBlogPost(db, { title: 'Lamps', slug: 'lamps' });
  const deal = await insertDeal(db, { title: 'Lamp', slug: 'lamp' });
  await deletePost(db, post.id, 'u1');
  await deleteDeals(deal.id);
  await insertBlogPost(db, { slug: 'lamps' });
  await insertDeal(db, { slug: 'lamp' });
  const outcome = await restore('Lamps', 'Lamp');
  expect(outcome.restored.map(({ movedTo }) => movedTo)).toEqual([
    '/deals/lamp-2',
    '/blog/lamps-2',
  ]);
  expect(describeRestore(outcome)).toContain(
    'The address of “Lamp” was taken, so it is /deals/lamp-2 now.',
  );
});

test('restores a deal together with its merchant and category that were deleted later', async () => {
  const { db } = database;
  const deal = await insertDeal(db, { title: 'Lamp' });
  await deleteDeals(deal.id);
  await editableMerchants.remove(db, deal.merchant_id, 'u1');
  await editableCategories.remove(db, deal.category_id, 'u1');
  const { restored, failures } = await restore('Lamp');
  expect(restored.map(({ entity }) => entity)).toEqual(['merchant', 'category', 'deal']);
  expect(failures).toEqual([]);
});

test('keeps an item that cannot be restored, and gives the reason', async () => {
  const { db, pool } = database;
  const { id: merchant_id } = await insertMerchant(db);
  await pool.query(`insert into coupons (merchant_id, code, title) values ($1, 'A', 'Ten')`, [
    merchant_id,
  ]);
  const coupon = await ask(db).value<number>`select id from coupons`;
  await editableCoupons.remove(db, coupon ?? 0, 'u1');
  await pool.query(`insert into coupons (merchant_id, code, title) values ($1, 'a', 'Five')`, [
    merchant_id,
  ]);
  const deal = await insertDeal(db, { title: 'Lamp', merchant_id, external_id: 'x1' });
  await deleteDeals(deal.id);
  await insertDeal(db, { merchant_id, external_id: 'x1' });
  const outcome = await restore('Ten', 'Lamp');
  expect(outcome).toEqual({
    restored: [],
    failures: [
      { name: 'Lamp', reason: 'imported-again' },
      { name: 'Ten', reason: 'taken' },
    ],
  });
  expect(describeRestore(outcome)).toBe(
    '“Lamp” stays here: has been imported again since. “Ten” stays here: another item uses its code or address.',
  );
  expect(await list()).toHaveLength(2);
});

test('restores many deals that were deleted together', async () => {
  const { db } = database;
  const ids: number[] = [];
  for (const title of ['One', 'Two', 'Three']) ids.push((await insertDeal(db, { title })).id);
  await deleteDeals(...ids);
  expect((await list()).map(({ together }) => together)).toEqual([3, 3, 3]);
  const result = await restoreDeletion(db, await idOf('Two'), act);
  expect(result).toMatchObject({ ok: true, changed: 3, failures: [] });
  expect(await list()).toEqual([]);
});

test('deletes an item permanently on request, and every item after 30 days', async () => {
  const { db, pool } = database;
  const deal = await insertDeal(db, { title: 'Lamp' });
  const post = await insertBlogPost(db, { title: 'Lamps' });
  await deleteDeals(deal.id);
  await deletePost(db, post.id, 'u1');
  const id = await idOf('Lamp');
  expect(await purgeTrash(db, [id], act)).toBe(1);
  expect(await purgeTrash(db, [id], act)).toBe(0);
  expect(await countTrash(db, trashKindNames)).toEqual([{ kind: 'post', count: 1 }]);
  await forgetOldRows(db, 'empty-trash');
  expect(await list()).toHaveLength(1);
  await pool.query(`update deleted_rows set deleted_at = now() - interval '31 days'`);
  await forgetOldRows(db, 'empty-trash');
  expect(await list()).toEqual([]);
  expect((await pool.query('select from deleted_row_parts')).rows).toEqual([]);
});

test('lists and restores only kinds for which the user has the right', async () => {
  const { db } = database;
  const post = await insertBlogPost(db, { title: 'Lamps' });
  await deletePost(db, post.id, 'u1');
  const id = await idOf('Lamps');
  const other = { actor: 'u2', kinds: ['deal'] as const };
  expect((await listTrash(db, all, other.kinds)).rows).toEqual([]);
  expect(await restoreFromTrash(db, [id], other)).toEqual({ restored: [], failures: [] });
  expect(await purgeTrash(db, [id], other)).toBe(0);
});

test('stores and restores a deal with more rows than a snapshot may have', async () => {
  const { db, pool } = database;
  const deal = await insertDeal(db, { title: 'Lamp', slug: 'lamp' });
  await pool.query(`
    insert into users (id, email, full_name) select 'many-' || n, n || '@mail.example', '' from generate_series(1, 25) n;
    insert into user_favorites (user_id, deal_id) select id, ${deal.id} from users;
    insert into price_alerts (user_id, deal_id, kind) select id, ${deal.id}, 'any_drop' from users;
    update deals set sale_price = sale_price - 1`);
  const read = () =>
    ask(db).row`
      select (select jsonb_agg(to_jsonb(a) - 'armed_at' order by id) from price_alerts a) as alerts,
             (select jsonb_agg(to_jsonb(f) order by user_id) from user_favorites f) as favorites,
             (select jsonb_agg(to_jsonb(l) order by id) from price_log l) as log`;
  const before = await read();
  await pool.query(`select delete_deals(array[${deal.id}::bigint], gen_random_uuid(), 'u1', 10)`);
  const chunks = await pool.query<{ part: string; count: number }>(
    `select part, count(*)::integer as count from deleted_deal_rows where part in ('price_alerts', 'user_favorites')
      group by part order by part`,
  );
  expect(chunks.rows).toEqual([
    { part: 'price_alerts', count: 3 },
    { part: 'user_favorites', count: 3 },
  ]);
  const [entry] = await list();
  expect(entry?.inside).toMatchObject({ price_alerts: 25, user_favorites: 25 });
  await restore('Lamp');
  expect(await read()).toEqual(before);
  expect((await pool.query('select from deleted_deal_rows')).rows).toEqual([]);
});

// Proves R45: no table is forgotten when a person goes
test('R45: erases a person from the trash but keeps the rows of others', async () => {
  const { db, pool } = database;
  const [ada, eve] = [
    await insertUser(db, { email: 'ada@mail.example', email_verified: true }),
    await insertUser(db),
  ];
  const deal = await insertDeal(db, { title: 'Lamp' });
  for (const { id } of [ada, eve]) {
    await db.insertInto('user_favorites').values({ user_id: id, deal_id: deal.id }).execute();
  }
  await pool.query(
    `insert into watch_requests (email, deal_id, kind) values ('Ada@mail.example', ${deal.id}, 'any_drop')`,
  );
  await deleteDeals(deal.id);
  await eraseAccount({ db, log: createLog('silent') }, { id: ada.id });
  const text = await ask(db).value<string>`select snapshot::text from deleted_deals`;
  expect(text).not.toContain(ada.id);
  expect(text?.toLowerCase()).not.toContain('ada@mail.example');
  await restore('Lamp');
  const favorites = await db.selectFrom('user_favorites').select('user_id').execute();
  expect(favorites).toEqual([{ user_id: eve.id }]);
});
