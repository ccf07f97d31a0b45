import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { checkFeedRow } from '../formats/check-feed-row.ts';
import { categoryPlacer } from './assign-categories.server.ts';

const database = useTestDatabase();
beforeEach(async () => {
  const names = ['Audio/Video', 'Kitchen', 'Home'];
  const values = names.map((name) => ({ name, slug: name.toLowerCase().replace('/', '-') }));
  await database.db.insertInto('categories').values(values).execute();
});

async function place(category: string, categoryMapping: Record<string, number> = {}) {
  const values = { external_id: '1', title: 'T', deal_url: 'https://shop.example/1' };
  const checked = checkFeedRow(
    { line: 1, values: { ...values, sale_price: '5', category } },
    { currency: 'USD', now: new Date() },
  );
  if (!checked.ok) throw new Error(checked.reason);
  const placer = await categoryPlacer(database.db, { categoryMapping });
  const { category_id, new_category } = placer(checked.row);
  if (category_id === null) return new_category;
  const known = await database.db
    .selectFrom('categories')
    .select('name')
    .where('id', '=', category_id)
    .executeTakeFirst();
  return known?.name ?? category_id;
}

test.each([
  ['Phones/By system/Kind 0', 'Phones'],
  ['Startseite > Handys > Android', 'Handys'],
  ['Accueil / Téléphones', 'Téléphones'],
  ['shop.com > Phones', 'Phones'],
  ['Inicio', 'Uncategorised'],
  ['MLA1055', 'Uncategorised'],
  ['Home > Kitchen > Pots', 'Kitchen'],
  ['Home > Lamps', 'Home'],
  ['Home', 'Home'],
  ['Audio/Video', 'Audio/Video'],
  ['Home > Audio/Video', 'Audio/Video'],
])('assigns the category %s to %s', async (category, name) => {
  expect(await place(category)).toBe(name);
});

test('finds a mapped category name with a slash', async () => {
  expect(await place('Bed/Bath', { 'Bed/Bath': 4_711 })).toBe(4_711);
  expect(await place('Bed/Bath', { 'Bed > Bath': 4_712 })).toBe(4_712);
});
