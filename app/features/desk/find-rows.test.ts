import { describe, expect, test } from 'vitest';
import type { Right } from '#app/features/accounts/policy.ts';
import { insertDeal, insertMerchant, insertBlogPost, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { findRows } from './find-rows.server.ts';

const database = useTestDatabase();
const all = { has: () => true };
const find = async (text: string, rights: { has(right: Right): boolean } = all) =>
  Object.fromEntries(
    (await findRows(database.db, { text, rights })).map(({ kind, rows }) => [
      kind,
      rows.map(({ name }) => name),
    ]),
  );

describe('find anything', () => {
  test('finds deals, merchants, posts and users by a part of the name', async () => {
    const { db } = database;
    const acme = await insertMerchant(db, { name: 'Café Noir' });
    await insertDeal(db, { title: 'Moka pot, Café size', merchant_id: acme.id });
    await insertBlogPost(db, { title: 'How to choose a café' });
    const page = { slug: 'our-cafe', title: 'Our café' };
    await db.insertInto('site_pages').values(page).execute();
    await insertUser(db, { full_name: 'Cafer Ada', email: 'ada@mail.example' });
    expect(await find('cafe')).toEqual({
      deal: ['Moka pot, Café size'],
      merchant: ['Café Noir'],
      category: [],
      post: ['How to choose a café'],
      page: ['Our café'],
      user: ['Cafer Ada'],
    });
    expect(await find('size moka')).toMatchObject({ deal: ['Moka pot, Café size'] });
    expect(await find('ada@mail')).toMatchObject({ user: ['Cafer Ada'] });
  });

  test('puts live deals before expired ones, and shows at most six', async () => {
    const { db } = database;
    await insertDeal(db, { title: 'Saw of old', is_expired: true });
    for (const n of [1, 2, 3, 4, 5, 6]) await insertDeal(db, { title: `Saw ${n}` });
    expect((await find('saw'))['deal']).toEqual([6, 5, 4, 3, 2, 1].map((n) => `Saw ${n}`));
  });

  test('finds no users without the right to read them', async () => {
    await insertUser(database.db, { email: 'ada@mail.example' });
    const rights = { has: (right: Right) => right !== 'users.read' };
    expect(Object.keys(await find('ada', rights))).not.toContain('user');
  });

  test.each(['', 'a', '%%', '__', "';--", '\\'])('finds nothing for %j', async (text) => {
    await insertUser(database.db, { email: 'ada@mail.example' });
    await insertDeal(database.db, { title: 'Axe' });
    expect(Object.values(await find(text)).flat()).toEqual([]);
  });
});
