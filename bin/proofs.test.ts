import { describe, expect, test } from 'vitest';
import { makePlan, noteResults, type Plan } from './proofs.ts';

const names = Array.from({ length: 12 }, (_, n) => `t${n}.test.ts`);
const present = new Map(names.map((name) => [name, `sum of ${name}`]));
const proofs = Object.fromEntries(
  names.map((name, n) => [
    `tests ${name}`,
    { inputs: `sum of ${name}`, date: '2026-11-26', seconds: n + 1 },
  ]),
);

describe('a plan', () => {
  test('plans a proof that never passed, or passed with other inputs', () => {
    const fingerprints = new Map([...present, ['t3.test.ts', 'another sum'], ['new.test.ts', 'x']]);
    for (const share of [0, 1, 2, 3, 4, 5]) {
      const { run, trusted, extraSeconds } = makePlan('tests', fingerprints, proofs, share);
      expect(run).toMatchObject({ 't3.test.ts': 'another sum', 'new.test.ts': 'x' });
      expect([...trusted, ...Object.keys(run)].toSorted()).toEqual(
        [...fingerprints.keys()].toSorted(),
      );
      expect(Math.floor(extraSeconds)).toBe(4 + 10);
    }
  });

  test('assigns each of the other proofs to one of six shares of similar duration', () => {
    const plans = [0, 1, 2, 3, 4, 5].map((share) => makePlan('tests', present, proofs, share));
    const run = plans.map((plan) => Object.keys(plan.run));
    expect(run.flat().toSorted()).toEqual(names.toSorted());
    const lengths = run.map((share) =>
      share.reduce((sum, name) => sum + (proofs[`tests ${name}`]?.seconds ?? 0), 0),
    );
    expect(lengths).toEqual([13, 13, 13, 13, 13, 13]);
    expect(plans[0]?.extraSeconds).toBe(0);
  });

  test('reports the extra seconds of a sixth with a single long proof', () => {
    const single = { 'release release': { inputs: 'same', date: '2026-11-26', seconds: 360 } };
    const fingerprints = new Map([['release', 'same']]);
    const plans = [0, 1].map((share) => makePlan('release', fingerprints, single, share));
    expect(plans.map((plan) => plan.extraSeconds)).toEqual([300, 0]);
  });

  test('plans every proof on request', () => {
    const { run, trusted } = makePlan('tests', present, proofs, 'all');
    expect(Object.keys(run)).toEqual(names);
    expect(trusted).toEqual([]);
  });

  test('ignores proofs of another kind', () => {
    expect(makePlan('postgres', present, proofs, 0).trusted).toEqual([]);
  });
});

describe('recording results', () => {
  const plan: Plan = {
    kind: 'tests',
    run: { 'a.test.ts': 'new', 'b.test.ts': 'same', 'c.test.ts': 'new', 'd.test.ts': 'new' },
    trusted: ['e.test.ts'],
    extraSeconds: 0,
  };
  const old = { inputs: 'old', date: '2026-01-01', seconds: 1 };
  const before = {
    'postgres a.test.ts': old,
    'tests a.test.ts': old,
    'tests b.test.ts': { ...old, inputs: 'same' },
    'tests c.test.ts': old,
    'tests e.test.ts': old,
    'tests gone.test.ts': old,
  };
  const results = [
    { name: 'a.test.ts', seconds: 2.34, hasFailed: false },
    { name: 'b.test.ts', seconds: 9, hasFailed: false },
    { name: 'c.test.ts', seconds: 3, hasFailed: true },
  ];

  test('records passed proofs, deletes failed or removed ones, and leaves unchanged lines alone', () => {
    expect(noteResults(plan, before, results, '2026-11-26')).toEqual({
      'postgres a.test.ts': old,
      'tests a.test.ts': { inputs: 'new', date: '2026-11-26', seconds: 2.3 },
      'tests b.test.ts': { ...old, inputs: 'same' },
      'tests e.test.ts': old,
    });
  });

  test('rewrites every duration after a complete run', () => {
    const noted = noteResults({ ...plan, trusted: [] }, before, results, '2026-11-26');
    expect(noted['tests b.test.ts']).toEqual({ inputs: 'same', date: '2026-11-26', seconds: 9 });
  });
});
