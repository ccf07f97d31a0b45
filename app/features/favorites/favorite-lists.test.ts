import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import {
  createList,
  deleteList,
  mostListsPerUser,
  placeFavorite,
  renameList,
  restoreList,
  setInList,
} from './change-favorite-lists.server.ts';
import { findSharedList, listFavoriteLists } from './favorite-list-queries.server.ts';
import { listFavorites } from './favorite-queries.server.ts';
import { setFavorite } from './set-favorite.server.ts';
import { readSharePath, shareList, stopSharing } from './share-favorite-list.server.ts';

const database = useTestDatabase();
let userId: string;

beforeEach(async () => {
  userId = (await insertUser(database.db)).id;
});

const names = async (id = userId) =>
  (await listFavoriteLists(database.db, id)).map(({ name, deals }) => `${name} ${deals}`);

async function newList(name: string, id = userId): Promise<number> {
  const made = await createList(database.db, id, name);
  if (!made.ok) throw new Error(made.message);
  return made.id;
}

async function newFavorite(id = userId): Promise<number> {
  const deal = await insertDeal(database.db);
  await setFavorite(database.db, id, deal.id, true);
  return deal.id;
}

const place = (dealId: number, shown: number[], chosen: number[], newName = '') =>
  placeFavorite(database.db, userId, { dealId, shown, chosen, newName });

describe('the name of a list', () => {
  test.each([
    ['', 'Enter a name for the list'],
    ['   ', 'Enter a name for the list'],
    ['x'.repeat(61), 'Must be at most 60 characters'],
    ['a\u202Eb', 'The name may not contain special characters'],
  ])('rejects the name %j', async (name, message) => {
    expect(await createList(database.db, userId, name)).toEqual({
      ok: false,
      status: 422,
      message,
    });
    const id = await newList('Kitchen');
    expect(await renameList(database.db, userId, id, name)).toMatchObject({ ok: false, message });
    expect(await names()).toEqual(['Kitchen 0']);
  });

  test('stores a name of 60 characters, trimmed', async () => {
    await newList(`  ${'ü'.repeat(60)} `);
    expect(await names()).toEqual([`${'ü'.repeat(60)} 0`]);
  });

  test('requires unique names per person, ignoring case', async () => {
    const { db } = database;
    const id = await newList('Küche');
    const taken = { ok: false, status: 422, message: 'You already have a list with this name' };
    expect(await createList(db, userId, 'KÜCHE')).toEqual(taken);
    const other = await newList('Garden');
    expect(await renameList(db, userId, other, 'küche')).toEqual(taken);
    expect(await renameList(db, userId, id, 'KÜCHE')).toEqual({ ok: true, id });
    await newList('Küche', (await insertUser(db)).id);
    expect(await names()).toEqual(['Garden 0', 'KÜCHE 0']);
  });

  test('creates one list when the same form is sent many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => createList(database.db, userId, 'Gifts for Mum')),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await names()).toEqual(['Gifts for Mum 0']);
  });
});

test('lets only one of many parallel requests create or restore the 50th list', async () => {
  const { db } = database;
  for (let n = 0; n < mostListsPerUser; n += 1) await newList(`List ${n}`);
  const last = (await listFavoriteLists(db, userId)).at(-1);
  await deleteList(db, userId, last?.id ?? 0);
  const made = await Promise.all(
    Array.from({ length: 4 }, (_, n) => createList(db, userId, `New ${n}`)),
  );
  expect(made.filter(({ ok }) => ok)).toHaveLength(1);
  const full = { ok: false, status: 409 };
  expect(made).toContainEqual(expect.objectContaining(full));
  expect(await restoreList(db, userId, last?.id ?? 0)).toMatchObject(full);
});

describe('a favorite in lists', () => {
  test('adds a favorite to the chosen lists, and keeps it in those that the form did not show', async () => {
    const [kitchen, gifts, garden] = [
      await newList('Kitchen'),
      await newList('Gifts'),
      await newList('Garden'),
    ];
    const deal = await newFavorite();
    await place(deal, [kitchen, garden], [kitchen, garden]);
    await place(deal, [kitchen, gifts], [gifts], 'Later');
    expect(await names()).toEqual(['Garden 1', 'Gifts 1', 'Kitchen 0', 'Later 1']);
  });

  test('changes nothing if the name of the new list is rejected', async () => {
    const kitchen = await newList('Kitchen');
    const deal = await newFavorite();
    expect(await place(deal, [kitchen], [kitchen], 'kitchen')).toMatchObject({ status: 422 });
    expect(await names()).toEqual(['Kitchen 0']);
  });

  test('removes an unsaved favorite from its lists, and restores it to them within the hour', async () => {
    const { db } = database;
    const [kitchen, gifts] = [await newList('Kitchen'), await newList('Gifts')];
    const deal = await newFavorite();
    await place(deal, [], [kitchen, gifts]);
    const favorite = () =>
      db.selectFrom('user_favorites').selectAll().where('deal_id', '=', deal).execute();
    const before = await favorite();
    await db.updateTable('deals').set({ sale_price: 1 }).where('id', '=', deal).execute();
    expect(await setFavorite(db, userId, deal, false)).toMatchObject({ lists: 2 });
    expect(await names()).toEqual(['Gifts 0', 'Kitchen 0']);
    await setFavorite(db, userId, deal, true);
    expect(await names()).toEqual(['Gifts 1', 'Kitchen 1']);
    // The undo restores the time and the price of the favorite too.
    expect(await favorite()).toEqual(before);

    await setFavorite(db, userId, deal, false);
    await sql`update removed_favorites set removed_at = now() - interval '61 minutes'`.execute(db);
    await setFavorite(db, userId, deal, true);
    expect(await names()).toEqual(['Gifts 0', 'Kitchen 0']);
    expect(await db.selectFrom('removed_favorites').selectAll().execute()).toEqual([]);
  });

  test('counts and lists a favorite only while its deal is active', async () => {
    const { db } = database;
    const kitchen = await newList('Kitchen');
    const deal = await newFavorite();
    await place(deal, [], [kitchen]);
    await db.updateTable('deals').set({ is_active: false }).execute();
    expect(await names()).toEqual(['Kitchen 0']);
    const asked = { page: 1, sort: 'newest', listId: kitchen } as const;
    expect((await listFavorites(db, userId, asked)).total).toBe(0);
    await db.updateTable('deals').set({ is_active: true }).execute();
    expect(await names()).toEqual(['Kitchen 1']);
  });

  test('rejects a deal that is not a favorite', async () => {
    const kitchen = await newList('Kitchen');
    const [deal = 0] = await insertDeals(database.db, 1);
    expect(await place(deal, [], [kitchen])).toEqual({
      ok: false,
      status: 404,
      message: 'This deal is no longer among your favorites.',
    });
  });
});

describe('a deleted list', () => {
  test('restores a deleted list with its deals and its link within the hour', async () => {
    const { db } = database;
    const kitchen = await newList('Kitchen');
    const deal = await newFavorite();
    await place(deal, [], [kitchen]);
    await shareList(db, { id: userId, emailVerified: true }, kitchen);
    const link = await readSharePath(db, userId, kitchen);
    expect(await deleteList(db, userId, kitchen)).toEqual({ ok: true, id: kitchen });
    expect(await deleteList(db, userId, kitchen)).toMatchObject({ status: 404 });
    expect([await names(), await readSharePath(db, userId, kitchen)]).toEqual([[], null]);
    expect(await restoreList(db, userId, kitchen)).toEqual({ ok: true, id: kitchen });
    expect(await restoreList(db, userId, kitchen)).toEqual({ ok: true, id: kitchen });
    expect([await names(), await readSharePath(db, userId, kitchen)]).toEqual([
      ['Kitchen 1'],
      link,
    ]);
  });

  test('does not restore a list while another one has its name', async () => {
    const { db } = database;
    const kitchen = await newList('Kitchen');
    await deleteList(db, userId, kitchen);
    await newList('kitchen');
    expect(await restoreList(db, userId, kitchen)).toEqual({
      ok: false,
      status: 422,
      message: 'You have another list with this name now. Rename it to restore this one.',
    });
  });

  test('deletes a list permanently after an hour', async () => {
    const { db } = database;
    const kitchen = await newList('Kitchen');
    await place(await newFavorite(), [], [kitchen]);
    await deleteList(db, userId, kitchen);
    await setFavorite(db, userId, await newFavorite(), false);
    await sql`update favorite_lists set deleted_at = now() - interval '61 minutes'`.execute(db);
    await sql`update removed_favorites set removed_at = now() - interval '61 minutes'`.execute(db);
    expect(await restoreList(db, userId, kitchen)).toMatchObject({ status: 404 });
    await forgetOldRows(db, 'forget-spent-attempts');
    for (const table of ['favorite_lists', 'favorite_list_items', 'removed_favorites'] as const) {
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
  });
});

describe('a secret link', () => {
  const user = () => ({ id: userId, emailVerified: true });
  const tokenOf = async (id: number) =>
    (await readSharePath(database.db, userId, id))?.replace('/lists/', '') ?? '';

  test('finds a list by its token, which is stored as a hash and encrypted', async () => {
    const { db } = database;
    const id = await newList('Kitchen');
    await shareList(db, user(), id);
    const token = await tokenOf(id);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await findSharedList(db, token)).toMatchObject({ id, name: 'Kitchen' });
    const [row] = await db.selectFrom('favorite_lists').selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.sealed_link?.includes(token)).toBe(false);
  });

  test('returns the same link when requested twice, and a new one after sharing was stopped', async () => {
    const { db } = database;
    const id = await newList('Kitchen');
    await Promise.all([shareList(db, user(), id), shareList(db, user(), id)]);
    const first = await tokenOf(id);
    await shareList(db, user(), id);
    expect(await tokenOf(id)).toBe(first);
    await stopSharing(db, userId, id);
    await stopSharing(db, userId, id);
    expect([await tokenOf(id), await findSharedList(db, first)]).toEqual(['', null]);
    await shareList(db, user(), id);
    expect(await tokenOf(id)).not.toBe(first);
    expect(await findSharedList(db, first)).toBeNull();
  });

  test('disables a shared link while its owner’s account is suspended or after it is deleted', async () => {
    const { db } = database;
    const id = await newList('Kitchen');
    await shareList(db, user(), id);
    const token = await tokenOf(id);
    const suspend = (at: Date | null) =>
      db
        .updateTable('users')
        .set({ suspended_at: at, suspended_for: at && 'Spam' })
        .where('id', '=', userId)
        .execute();
    await suspend(new Date());
    expect(await findSharedList(db, token)).toBeNull();
    await suspend(null);
    expect(await findSharedList(db, token)).not.toBeNull();
    await db.deleteFrom('users').where('id', '=', userId).execute();
    expect(await findSharedList(db, token)).toBeNull();
  });

  test('R59: denies a link to an account whose email is not verified', async () => {
    const id = await newList('Kitchen');
    expect(await shareList(database.db, { id: userId, emailVerified: false }, id)).toEqual({
      ok: false,
      status: 403,
      message: 'Verify your email address to share a list.',
    });
  });
});

test('R03: treats another user’s list as missing, for every change', async () => {
  const { db } = database;
  const other = (await insertUser(db)).id;
  const list = await newList('Kitchen', other);
  const deal = await newFavorite();
  const deleted = await newList('Garden', other);
  await deleteList(db, other, deleted);
  const answers = [
    await renameList(db, userId, list, 'Mine'),
    await deleteList(db, userId, list),
    await restoreList(db, userId, deleted),
    await place(deal, [], [list]),
    await place(deal, [list], []),
    await setInList(db, userId, { listId: list, dealId: deal, isWanted: true }),
    await shareList(db, { id: userId, emailVerified: true }, list),
    await stopSharing(db, userId, list),
  ];
  expect(answers.map((answer) => !answer.ok && answer.status)).toEqual(answers.map(() => 404));
  expect(await readSharePath(db, userId, list)).toBeNull();
  expect([await names(other), await names()]).toEqual([['Kitchen 0'], []]);
});

test('R45: exports lists with their deals and removed favorites, but without links', async () => {
  const { db } = database;
  const kitchen = await newList('Kitchen');
  const [lamp, kettle] = [
    await insertDeal(db, { title: 'A lamp' }),
    await insertDeal(db, { title: 'A kettle' }),
  ];
  for (const { id } of [lamp, kettle]) await setFavorite(db, userId, id, true);
  await place(lamp.id, [], [kitchen]);
  await shareList(db, { id: userId, emailVerified: true }, kitchen);
  await setFavorite(db, userId, kettle.id, false);
  expect(await exportAccount(db, userId)).toMatchObject({
    favorite_lists: [{ name: 'Kitchen', is_shared: true, deals: [{ title: 'A lamp' }] }],
    removed_favorites: [{ title: 'A kettle' }],
  });
});
