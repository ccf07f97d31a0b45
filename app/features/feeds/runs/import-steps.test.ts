import { expect, test } from 'vitest';
import { addStep, type ImportIssue, issuesToKeep, nothingSoFar } from './import-steps.ts';

const issue = (line: number): ImportIssue => ({
  kind: 'note',
  line,
  external_id: null,
  reason: 'left out',
});

test('adds up steps without changing earlier results', () => {
  const start = Object.freeze(nothingSoFar(1_000));
  Object.freeze(start.counts);
  const read = addStep(start, { counts: { read: 3, rejected: 1 }, issues: [issue(2)] }, 1_010);
  const written = addStep(read, { counts: { new: 2 }, rowsDone: 2, mayStop: true }, 1_020);
  expect(written).toMatchObject({
    state: 'done',
    counts: { read: 3, rejected: 1, new: 2, changed: 0 },
    issues: [issue(2)],
    issueCount: 1,
    rowsDone: 2,
    mayStop: true,
  });
  const asking = addStep(written, { state: 'asking' }, 1_030);
  expect(asking).toMatchObject({ state: 'asking', rowsDone: 2, mayStop: false });
  expect(addStep(asking, {}, 1_040).state).toBe('asking');
  expect(start).toEqual(nothingSoFar(1_000));
});

test('stores the first thousand issues and counts all', () => {
  const many = Array.from({ length: 700 }, (_, line) => issue(line));
  const once = addStep(nothingSoFar(0), { issues: many }, 0);
  expect(issuesToKeep(once, { issues: many })).toHaveLength(300);
  const twice = addStep(once, { issues: many }, 0);
  expect(twice.issues).toHaveLength(1_000);
  expect(twice.issueCount).toBe(1_400);
  expect(issuesToKeep(twice, { issues: many })).toEqual([]);
});

test('adds a step’s time to the phase it began in, except for matching', () => {
  const reading = addStep(nothingSoFar(0), { phase: 'reading' }, 10);
  const staged = addStep(reading, { msMatching: 30 }, 110);
  const writing = addStep(staged, { phase: 'writing' }, 115);
  const end = addStep(writing, {}, 175);
  expect(end.timing).toEqual({ reading: 85, matching: 30, writing: 60 });
});
