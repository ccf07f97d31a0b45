import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { countVisitor } from './count-visitor.server.ts';

const database = useTestDatabase();

test('counts a visitor of a missed search once when the salt changed meanwhile', async () => {
  const { db } = database;
  await db.insertInto('missed_searches').values({ words: 'credenza' }).execute();
  const counted = {
    table: 'missed_searches',
    key: 'words',
    visitors: 'missed_search_visitors',
    reference: 'words',
  };
  const count = (marks: string[]) =>
    db
      .transaction()
      .execute((tx) => countVisitor(tx, counted, 'credenza', { mark: marks[0] ?? '', marks }));
  await count(['before']);
  await count(['after', 'before']);
  await count(['other']);
  const missed = await db.selectFrom('missed_searches').select('visitors').execute();
  expect(missed).toEqual([{ visitors: 2 }]);
});
