import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertDeals, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { changeDeals, undoDeletion } from '#app/features/deals/change-deals.server.ts';
import { ask } from '#database/ask.ts';
import { createList, deleteList, restoreList, setInList } from './change-favorite-lists.server.ts';
import { findSharedList, listFavoriteLists } from './favorite-list-queries.server.ts';
import { listFavorites } from './favorite-queries.server.ts';
import { setFavorite } from './set-favorite.server.ts';
import { readSharePath, shareList, stopSharing } from './share-favorite-list.server.ts';

// Compares random sequences of changes to hearts, lists, links and deals with a naive model. A
// failure prints its seed. TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const verbs = [
  'heart',
  'unheart',
  'add',
  'remove',
  'delete-list',
  'restore-list',
  'trash-deal',
  'restore-deal',
  'share',
  'unshare',
] as const;
const step = fc.record({ verb: fc.constantFrom(...verbs), deal: fc.nat(2), list: fc.nat(1) });
const walk = fc.array(step, { minLength: 30, maxLength: 50, size: 'max' });
const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4, 5, 6];

interface Deal {
  id: number;
  isThere: boolean;
  isFavorite: boolean;
  /** The lists that contain the favorite, or to which an undo of its removal would restore it. */
  lists: Set<number>;
}

interface List {
  id: number;
  isDeleted: boolean;
  link: string | null;
}

interface Shop {
  user: { id: string; emailVerified: boolean };
  deals: Deal[];
  lists: List[];
  /** Every link that was ever created. */
  links: Set<string>;
}

const change = { actor: 'u1', categoryId: null };

/** The result of a step in the database and in the model. */
type Outcome = Promise<{ ok: boolean; may: boolean }>;

const moves: Record<(typeof verbs)[number], (shop: Shop, deal: Deal, list: List) => Outcome> = {
  async heart({ user }, deal) {
    const { ok } = await setFavorite(database.db, user.id, deal.id, true);
    deal.isFavorite ||= deal.isThere;
    return { ok, may: deal.isThere };
  },
  async unheart({ user }, deal) {
    const { ok } = await setFavorite(database.db, user.id, deal.id, false);
    deal.isFavorite &&= !deal.isThere;
    return { ok, may: true };
  },
  add: (shop, deal, list) => place(shop, deal, list, true),
  remove: (shop, deal, list) => place(shop, deal, list, false),
  async 'delete-list'({ user }, _deal, list) {
    const { ok } = await deleteList(database.db, user.id, list.id);
    const may = !list.isDeleted;
    list.isDeleted = true;
    return { ok, may };
  },
  async 'restore-list'({ user }, _deal, list) {
    const { ok } = await restoreList(database.db, user.id, list.id);
    list.isDeleted = false;
    return { ok, may: true };
  },
  async 'trash-deal'(_shop, deal) {
    await changeDeals(database.db, { ...change, verb: 'delete' }, { ids: [deal.id] });
    deal.isThere = false;
    return { ok: true, may: true };
  },
  async 'restore-deal'(_shop, deal) {
    const batch = await ask(database.db).value<string>`
      select batch from deleted_deals where deal_id = ${deal.id} order by id desc limit 1`;
    if (!deal.isThere && batch) await undoDeletion(database.db, { actor: 'u1', batch });
    deal.isThere = true;
    return { ok: true, may: true };
  },
  async share({ user, links }, _deal, list) {
    const { ok } = await shareList(database.db, user, list.id);
    if (list.isDeleted) return { ok, may: false };
    const link = await readSharePath(database.db, user.id, list.id);
    // A shared list keeps its link, and a new link differs from all earlier ones.
    const isRight = list.link === null ? !links.has(link ?? '') : link === list.link;
    list.link = link;
    links.add(link ?? '');
    return { ok: ok && isRight, may: true };
  },
  async unshare({ user }, _deal, list) {
    const { ok } = await stopSharing(database.db, user.id, list.id);
    if (!list.isDeleted) list.link = null;
    return { ok, may: !list.isDeleted };
  },
};

async function place({ user }: Shop, deal: Deal, list: List, isWanted: boolean): Outcome {
  const may = deal.isThere && deal.isFavorite && !list.isDeleted;
  const placed = { listId: list.id, dealId: deal.id, isWanted };
  const { ok } = await setInList(database.db, user.id, placed);
  if (may && isWanted) deal.lists.add(list.id);
  else if (may) deal.lists.delete(list.id);
  return { ok, may };
}

async function compare({ user, deals, lists, links }: Shop): Promise<void> {
  const { db } = database;
  const dealsIn = async (listId?: number) => {
    const found = await listFavorites(db, user.id, { page: 1, sort: 'newest', listId });
    return found.favorites.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  const favorites = deals.filter(({ isThere, isFavorite }) => isThere && isFavorite);
  expect(await dealsIn()).toEqual(favorites.map(({ id }) => id));
  const live = lists.filter(({ isDeleted }) => !isDeleted);
  const expected = live.map(({ id, link }) => {
    const inside = favorites.filter((deal) => deal.lists.has(id)).map((deal) => deal.id);
    return { id, link, inside };
  });
  expect(
    (await listFavoriteLists(db, user.id)).map(({ id, deals: count, isShared }) => [
      id,
      count,
      isShared,
    ]),
  ).toEqual(expected.map(({ id, link, inside }) => [id, inside.length, link !== null]));
  for (const { id, inside } of expected) expect(await dealsIn(id)).toEqual(inside);
  for (const link of links) {
    const owner = live.find((list) => list.link === link);
    const found = await findSharedList(db, link.replace('/lists/', ''));
    expect(found?.id).toBe(owner?.id);
  }
}

test.each(seeds)(
  'matches the model in random changes of hearts, lists, links and deals with seed %i',
  async (seed) => {
    const { db } = database;
    const { id } = await insertUser(db);
    const made = [await createList(db, id, 'Gifts'), await createList(db, id, 'Kitchen')];
    const shop: Shop = {
      user: { id, emailVerified: true },
      deals: (await insertDeals(db, 3)).map((deal) => ({
        id: deal,
        isThere: true,
        isFavorite: false,
        lists: new Set<number>(),
      })),
      lists: made.map((list) => ({ id: list.ok ? list.id : 0, isDeleted: false, link: null })),
      links: new Set(),
    };
    const [sequence = []] = fc.sample(walk, { seed, numRuns: 1 });
    for (const { verb, deal: at, list: which } of sequence) {
      const [deal, list] = [shop.deals[at], shop.lists[which]];
      const { ok, may } = await moves[verb](shop, deal as Deal, list as List);
      expect([verb, ok]).toEqual([verb, may]);
      await compare(shop);
    }
  },
);
