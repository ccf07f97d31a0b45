import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { fillJudgedShop, judge, meansOf, readJudgements } from '#bench/judge-search.ts';

const database = useTestDatabase();

const { tuned, heldOut } = await readJudgements();

test('has enough rated searches to compare average scores', () => {
  expect(tuned.length + heldOut.length).toBeGreaterThanOrEqual(200);
  expect(heldOut.length).toBeGreaterThanOrEqual(50);
});

test('rates each search once', () => {
  const queries = [...tuned, ...heldOut].map(({ query }) => query);
  expect(queries.filter((query, at) => queries.indexOf(query) < at)).toEqual([]);
});

test.each([
  ['tuned', tuned],
  ['held out', heldOut],
])(
  'ranks the expected deals first for searches that were %s',
  { timeout: 240_000 },
  async (_, list) => {
    await fillJudgedShop(database.db);
    const judged = await judge(database.db, list);
    const { reciprocal, ndcg } = meansOf(judged);
    const worst = judged.filter((one) => one.reciprocal < 1).map(({ query }) => query);
    expect({ reciprocal, worst }).toMatchObject({ reciprocal: expect.toSatisfy(isGood) });
    expect({ ndcg, worst }).toMatchObject({ ndcg: expect.toSatisfy(isGood) });
  },
);

/** The ranking scored at least 0.96 when this test was written. */
const isGood = (mean: unknown) => Number(mean) >= 0.94;
