import { expect, test } from 'vitest';
import { insertCategory } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { readTablePage } from './read-table-page.server.ts';
import { rowsPerPage } from './table-query.ts';

const database = useTestDatabase();

const nameOf = (index: number) => `Category ${String(index).padStart(3, '0')}`;

async function insertMany(count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await insertCategory(database.db, { name: nameOf(index) });
  }
}

const byName = () => database.db.selectFrom('categories').select('name').orderBy('name', 'desc');

test('returns one page of the rows in order, and counts all of them', async () => {
  await insertMany(rowsPerPage + 3);
  const rows = byName().where('name', '<>', nameOf(1));
  const first = await readTablePage(rows, { page: 1 });
  expect(first).toMatchObject({ total: rowsPerPage + 2, page: 1, pageCount: 2 });
  expect(first.rows).toHaveLength(rowsPerPage);
  expect(first.rows[0]).toEqual({ name: nameOf(rowsPerPage + 3) });
  const second = await readTablePage(rows, { page: 2 });
  expect(second.rows).toEqual([{ name: nameOf(3) }, { name: nameOf(2) }]);
});

test('returns the last page for a page number past it, and one empty page if there are no rows', async () => {
  await insertMany(2);
  expect(await readTablePage(byName(), { page: 9 })).toEqual({
    rows: [{ name: nameOf(2) }, { name: nameOf(1) }],
    total: 2,
    page: 1,
    pageCount: 1,
  });
  const none = byName().where('name', '=', 'nothing');
  expect(await readTablePage(none, { page: 3 })).toEqual({
    rows: [],
    total: 0,
    page: 1,
    pageCount: 1,
  });
});

test('reads pages near the end in reverse, with the same result', async () => {
  await insertMany(2 * rowsPerPage + 3);
  const rows = byName();
  const reversed = database.db.selectFrom('categories').select('name').orderBy('name', 'asc');
  for (const page of [1, 2, 3, 9]) {
    expect(await readTablePage(rows, { page }, reversed)).toEqual(
      await readTablePage(rows, { page }),
    );
  }
});
