import { expect, test } from 'vitest';
import { compare, quiet as usual } from './budget.mjs';

const quiet = { speed: { seconds: usual, processor: usual } };
const loud = { speed: { seconds: 9 * usual, processor: 7 * usual } };
const budgets = [
  { name: 'tests', seconds: 300, phases: ['tests'], kinds: ['tests'] },
  { name: 'journeys', seconds: 240, phases: ['journeys'] },
];
const journeys = (seconds: number, processor: number) => ({ name: 'journeys', seconds, processor });

test('reports no warnings for parts within their budgets', () => {
  const { table, warnings, isTooMuch } = compare([quiet, journeys(240, 480)], budgets);
  expect(table.join('\n')).toMatch(/journeys +240 of 240 s +480 of 480 CPU s/);
  expect(warnings).toEqual([]);
  expect(isTooMuch).toBe(false);
});

test('warns above 1.3 times the budget, and fails above twice the CPU budget', () => {
  const slow = compare([quiet, journeys(500, 400)], budgets);
  expect(slow.warnings).toEqual(['OVER BUDGET: journeys took 2.1 times its seconds']);
  expect(slow.isTooMuch).toBe(false);
  const busy = compare([quiet, journeys(500, 970)], budgets);
  expect(busy.warnings).toContain('OVER BUDGET: journeys took 2.0 times its CPU seconds');
  expect(busy.isTooMuch).toBe(true);
});

test('scales the budgets on a busy server instead of blaming the tests', () => {
  expect(compare([quiet, loud, journeys(900, 970)], budgets)).toMatchObject({
    warnings: [],
    isTooMuch: false,
  });
});

test('adds the time of proofs beyond the usual sixth to the budget', () => {
  const changed = { kind: 'tests', extraSeconds: 400 };
  const { table } = compare(
    [quiet, changed, { name: 'tests', seconds: 500, processor: 900 }],
    budgets,
  );
  expect(table.join('\n')).toMatch(/tests +500 of 500 s +900 of 1000 CPU s/);
});
