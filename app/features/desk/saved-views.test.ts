import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  changeView,
  deleteView,
  keepColumns,
  listViews,
  readColumns,
  saveView,
} from './saved-views.server.ts';

const database = useTestDatabase();
const list = '/admin/deals';
let [ada, bob] = ['', ''];
beforeEach(async () => {
  ada = (await insertUser(database.db, { full_name: 'Ada', role: 'admin' })).id;
  bob = (await insertUser(database.db, { full_name: '', email: 'bob@mail.example' })).id;
});

const save = (user: string, name: string, isShared = false, search = '?status=active') =>
  saveView(database.db, user, { list, name, isShared, search });
const namesFor = async (user: string) =>
  (await listViews(database.db, user, list)).map(({ name }) => name);
const idOf = async (user: string, wanted: string) =>
  (await listViews(database.db, user, list)).find(({ name }) => name === wanted)?.id ?? 0;

describe('saved views', () => {
  test('shows saved views to their owner, and shared ones to all staff, after their own', async () => {
    await save(ada, 'mine');
    await save(ada, 'Ours', true);
    await save(bob, 'zeta');
    expect(await namesFor(ada)).toEqual(['mine', 'Ours']);
    expect(await listViews(database.db, bob, list)).toMatchObject([
      { name: 'zeta', isOwn: true, owner: 'bob@mail.example' },
      { name: 'Ours', isOwn: false, isShared: true, owner: 'Ada', search: '?status=active' },
    ]);
    expect(await listViews(database.db, ada, '/admin/merchants')).toEqual([]);
  });

  test('overwrites a view when its name is used again', async () => {
    await save(ada, 'Mine');
    await save(ada, 'MINE', true, '?show=held');
    expect(await listViews(database.db, ada, list)).toMatchObject([
      { name: 'MINE', isShared: true, search: '?show=held' },
    ]);
  });

  test('lets only the owner change or delete a saved view', async () => {
    await save(ada, 'Ours', true);
    await save(ada, 'Other');
    const id = await idOf(ada, 'Ours');
    const words = { name: 'New', isShared: false };
    expect(await changeView(database.db, bob, id, words)).toBe('gone');
    expect(await deleteView(database.db, bob, id)).toBe(false);
    expect(await changeView(database.db, ada, id, { ...words, name: 'oTHER' })).toBe('taken');
    expect(await changeView(database.db, ada, id, words)).toBe('done');
    expect(await namesFor(bob)).toEqual([]);
    expect(await deleteView(database.db, ada, id)).toBe(true);
    expect(await deleteView(database.db, ada, id)).toBe(false);
    const acts = database.db.selectFrom('audit_log').select(['action', 'names']).orderBy('id');
    expect((await acts.execute()).slice(-2)).toMatchObject([
      { action: 'saved-view.change', names: { 'saved-view': { [id]: 'New' } } },
      { action: 'saved-view.delete', names: { 'saved-view': { [id]: 'New' } } },
    ]);
  });

  test('limits saved views to fifty, even when saved in parallel', async () => {
    const names = Array.from({ length: 53 }, (_one, n) => `View ${n}`);
    const saved = await Promise.all(names.map((name) => save(ada, name)));
    expect(saved.filter(Boolean)).toHaveLength(50);
    expect(await namesFor(ada)).toHaveLength(50);
    expect(await save(ada, (await namesFor(ada))[0] ?? '', true)).toBe(true);
  });

  test('deletes saved views with the user', async () => {
    await save(ada, 'Ours', true);
    await keepColumns(database.db, ada, list, ['price']);
    await database.db.deleteFrom('users').where('id', '=', ada).execute();
    expect(await namesFor(bob)).toEqual([]);
  });
});

test('stores columns per user and list until they are reset', async () => {
  await keepColumns(database.db, ada, list, ['price']);
  await keepColumns(database.db, ada, list, ['price', 'clicks']);
  expect(await readColumns(database.db, ada, list)).toEqual(['price', 'clicks']);
  expect(await readColumns(database.db, bob, list)).toBeNull();
  expect(await readColumns(database.db, ada, '/admin/merchants')).toBeNull();
  await keepColumns(database.db, ada, list, null);
  expect(await readColumns(database.db, ada, list)).toBeNull();
});
