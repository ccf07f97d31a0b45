import { expect, test } from 'vitest';
import { insertCategory, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { categoryInput } from './category-input.ts';
import { listCategoryRows } from './category-table-queries.server.ts';
import { editableCategories } from './editable-categories.server.ts';

const database = useTestDatabase();
const input = (changes: Record<string, string> = {}) =>
  categoryInput.parse({ name: 'Lamps', slug: 'lamps', ...changes });

async function create(changes: Record<string, string> = {}) {
  const saved = await editableCategories.create(database.db, input(changes), 'u1');
  if (!saved.ok) throw new Error(saved.reason);
  return saved.row;
}

// Proves Back office 3: category: 11 icons, tag by default (category-icon.ts)
test('uses the tag icon until one of the eleven is chosen', async () => {
  expect(await create()).toMatchObject({ icon: 'tag', description: '', version: 1 });
  expect(await create({ slug: 'cars', icon: 'car' })).toMatchObject({ icon: 'car' });
  const parsed = categoryInput.safeParse({ name: '', slug: 'a b', icon: 'rocket' });
  expect(parsed.error && fieldErrors(parsed.error)).toEqual({
    name: 'Name is required',
    slug: 'Slug must contain only lowercase letters, numbers, and hyphens',
    icon: 'Choose one of the icons',
  });
});

// Proves R47: last-write protection
test('R47: rejects saving an outdated version and returns the current one', async () => {
  const { id } = await create();
  await editableCategories.update(database.db, id, input({ name: 'First' }), {
    actor: 'u1',
    expectedVersion: 1,
  });
  expect(
    await editableCategories.update(database.db, id, input({ name: 'Second' }), {
      actor: 'u2',
      expectedVersion: 1,
    }),
  ).toMatchObject({ ok: false, reason: 'changed-meanwhile', current: { name: 'First' } });
});

// Proves Back office 7: Categories and merchants: insert, update, delete
test('redirects from a category’s old slug after a change', async () => {
  const { id } = await create();
  await editableCategories.update(database.db, id, input({ slug: 'lights' }), {
    actor: 'u1',
    expectedVersion: 1,
  });
  const redirects = await database.db
    .selectFrom('slug_redirects')
    .select(['kind', 'slug'])
    .execute();
  expect(redirects).toEqual([{ kind: 'category', slug: 'lamps' }]);
});

test('P43: reports that a slug is already in use', async () => {
  await create();
  expect(await editableCategories.create(database.db, input(), 'u1')).toEqual({
    ok: false,
    reason: 'slug-taken',
  });
});

// Proves P41: deleting what deals hang on
test('P41: does not delete a category with deals', async () => {
  const deal = await insertDeal(database.db);
  expect(await editableCategories.remove(database.db, deal.category_id, 'u1')).toMatchObject({
    ok: false,
    reason: 'has-deals',
    deals: 1,
  });
});

test('restores a category that any user deleted', async () => {
  const category = await create({ description: 'Warm light' });
  await editableCategories.remove(database.db, category.id, 'u1');
  expect(await editableCategories.find(database.db, category.id)).toBeNull();
  expect(await editableCategories.restore(database.db, category.id, 'u2')).toMatchObject({
    ok: false,
  });
  expect(await editableCategories.restore(database.db, category.id, 'u1')).toEqual({ ok: true });
  expect(await editableCategories.find(database.db, category.id)).toEqual(category);
});

test('searches categories by name and description, and counts all categories', async () => {
  await insertCategory(database.db, { name: 'Lamps', description: 'Light for desks' });
  await insertCategory(database.db, { name: 'Desks', description: '' });
  await insertCategory(database.db, { name: 'Chairs', description: '' });
  const found = await listCategoryRows(database.db, {
    search: 'desk',
    page: 1,
    sort: 'name',
    isDescending: false,
  });
  expect(found.rows.map((row) => row.name)).toEqual(['Desks', 'Lamps']);
  expect(found).toMatchObject({ total: 2, all: 3, page: 1, pageCount: 1 });
});
