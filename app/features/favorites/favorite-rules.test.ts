import { asyncProperty, assert, array, boolean, nat, record } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testServices } from '#test/services.ts';
import { changeFavorite } from './change-favorite.server.ts';
import { listFavorites } from './favorite-queries.server.ts';
import { mostFavoritesPerUser, setFavorite } from './set-favorite.server.ts';

const database = useTestDatabase();
useStoppedClock();

async function keep(userId: string, howMany: number): Promise<void> {
  const deals = await insertDeals(database.db, howMany);
  await database.db
    .insertInto('user_favorites')
    .values(deals.map((id) => ({ user_id: userId, deal_id: id })))
    .execute();
}

async function kept(userId: string): Promise<number[]> {
  const rows = await database.db
    .selectFrom('user_favorites')
    .select('deal_id')
    .where('user_id', '=', userId)
    .orderBy('deal_id')
    .execute();
  return rows.map((row) => row.deal_id);
}

describe('R54: a favorite', () => {
  test('stores the last requested state of each favorite, in any order of requests', async () => {
    const deals = [
      await insertDeal(database.db),
      await insertDeal(database.db),
      await insertDeal(database.db),
    ];
    const wish = record({ user: nat(1), deal: nat(2), isWanted: boolean() });
    await assert(
      asyncProperty(array(wish, { maxLength: 12 }), async (wishes) => {
        const users = [await insertUser(database.db), await insertUser(database.db)];
        const model = users.map(() => new Set<number>());
        for (const { user, deal, isWanted } of wishes) {
          const id = deals[deal]?.id ?? 0;
          const answer = await setFavorite(database.db, users[user]?.id ?? '', id, isWanted);
          expect(answer).toEqual({ ok: true, isFavorite: isWanted });
          if (isWanted) model[user]?.add(id);
          else model[user]?.delete(id);
        }
        for (const [n, user] of users.entries()) {
          const expected = [...(model[n] ?? [])].toSorted((a, b) => a - b);
          expect(await kept(user.id)).toEqual(expected);
          expect(
            (await listFavorites(database.db, user.id, { page: 1, sort: 'newest' })).total,
          ).toBe(expected.length);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('sets a favorite once if it is requested many times in parallel', async () => {
    const [user, deal] = [await insertUser(database.db), await insertDeal(database.db)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => setFavorite(database.db, user.id, deal.id, true)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(await kept(user.id)).toEqual([deal.id]);
  });

  test('lets only one of many parallel requests save the last permitted favorite', async () => {
    const user = await insertUser(database.db);
    await keep(user.id, mostFavoritesPerUser - 1);
    const deals = [];
    for (let n = 0; n < 8; n += 1) deals.push(await insertDeal(database.db));
    const answers = await Promise.all(
      deals.map(({ id }) => setFavorite(database.db, user.id, id, true)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual({
      ok: false,
      status: 409,
      message: 'You have 1,000 favorites, which is the limit. Remove one to add another.',
    });
    expect(await kept(user.id)).toHaveLength(mostFavoritesPerUser);
  });

  test('sets a favorite again at the limit if it is already saved', async () => {
    const user = await insertUser(database.db);
    await keep(user.id, mostFavoritesPerUser);
    const [first = 0] = await kept(user.id);
    expect((await setFavorite(database.db, user.id, first, true)).ok).toBe(true);
    expect((await setFavorite(database.db, user.id, first, false)).ok).toBe(true);
    expect(await kept(user.id)).toHaveLength(mostFavoritesPerUser - 1);
  });

  test('allows removing but not adding a favorite of an unpublished deal', async () => {
    const [user, deal] = [await insertUser(database.db), await insertDeal(database.db)];
    await setFavorite(database.db, user.id, deal.id, true);
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', deal.id)
      .execute();
    const other = await insertUser(database.db);
    expect(await setFavorite(database.db, other.id, deal.id, true)).toEqual({
      ok: false,
      status: 404,
      message: 'This deal no longer exists.',
    });
    expect((await setFavorite(database.db, user.id, deal.id, false)).ok).toBe(true);
    expect([await kept(user.id), await kept(other.id)]).toEqual([[], []]);
  });
});

describe('a heart’s request', () => {
  const form = (fields: Record<string, string>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.set(name, value);
    return made;
  };

  test.each<Record<string, string>>([
    {},
    { deal_id: '1' },
    { want: 'set' },
    { deal_id: '1', want: 'toggle' },
    { deal_id: '0', want: 'set' },
    { deal_id: '-1', want: 'set' },
    { deal_id: '1.5', want: 'set' },
    { deal_id: 'abc', want: 'unset' },
    { deal_id: '99999999999999999999', want: 'set' },
  ])('rejects the favorite request %j and changes nothing', async (fields) => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db);
    await setFavorite(database.db, user.id, deal.id, true);
    expect(await changeFavorite(testServices(database), user.id, form(fields))).toEqual({
      ok: false,
      message: 'Your favorites could not be changed. Please try again.',
      status: 422,
    });
    expect(await kept(user.id)).toEqual([deal.id]);
  });

  test('R12: limits favorite requests to 120 a minute per account', async () => {
    const [user, deal] = [await insertUser(database.db), await insertDeal(database.db)];
    const services = testServices(database);
    const send = (n: number) =>
      changeFavorite(
        services,
        user.id,
        form({ deal_id: String(deal.id), want: n % 2 ? 'unset' : 'set' }),
      );
    for (let n = 0; n < 120; n += 1) expect((await send(n)).ok).toBe(true);
    const refused = await send(120);
    expect(refused).toMatchObject({ ok: false, status: 429 });
    expect(refused).toHaveProperty('headers.retry-after');
    expect(await kept(user.id)).toEqual([]);
  });
});
