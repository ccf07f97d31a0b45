import { expect, test } from 'vitest';
import type { ImportReport } from '#app/features/feeds/runs/import-steps.ts';
import { describeImport } from '#server/commands/describe-import.ts';
import { describeProgress, showImportProgress } from '#server/commands/show-import-progress.ts';

const report: ImportReport = {
  runId: 7,
  state: 'done',
  format: 'csv',
  encoding: 'utf-8',
  counts: {
    read: 1_200,
    new: 1_000,
    changed: 50,
    unchanged: 90,
    held: 0,
    rejected: 60,
    ended: 4,
    folded: 7,
    reduced: 400,
  },
  issues: Array.from({ length: 60 }, (_, n) => ({
    kind: 'rejected' as const,
    line: n + 2,
    external_id: `x${n}`,
    reason: 'price is 0',
  })),
  issueCount: 60,
  error: null,
};
const facts = { seconds: 1.25, isDryRun: false };

test('prints every metric of an import, fifty problems, and where to find the others', () => {
  const text = describeImport(report, facts);
  expect(text).toContain('Import finished (run 7).\nRead as csv in utf-8: 1,200 rows in 1.3 s');
  expect(text).toContain(
    '  new        1,000\n  changed    50\n  unchanged  90\n  held       0\n  rejected   60\n',
  );
  expect(text).toContain('variants merged into the deal of their group: 7\n  ended      4\n');
  expect(text.match(/price is 0/g)).toHaveLength(50);
  expect(text).toContain('line 2 (x0): price is 0');
  expect(text).toContain('… and 10 more; the first 1,000 are stored with run 7');
});

test('suggests a next step for an interrupted, failed, blocked or held import', () => {
  expect(describeImport({ ...report, state: 'interrupted' }, facts)).toContain(
    'Run the same command again',
  );
  const failed = describeImport(
    { ...report, state: 'failed', error: 'the feed is cut off' },
    facts,
  );
  expect(failed).toContain(
    'Import failed (run 7). Nothing was changed.\nError: the feed is cut off.',
  );
  expect(describeImport({ ...report, state: 'asking' }, facts)).toContain(
    'deals that the feed no longer lists wait for your decision at /admin/imports',
  );
  expect(describeImport({ ...report, state: 'asking' }, { ...facts, isDryRun: true })).toContain(
    'More than 30% of the deals would end',
  );
  const busy = describeImport(
    { ...report, state: 'busy', error: 'another import is running' },
    facts,
  );
  expect(busy).toBe(
    'Nothing was imported.\nError: another import is running.\nTry again when it has ended.\n',
  );
});

test('prevents a feed’s text from controlling the terminal', () => {
  const issues = [
    { kind: 'rejected' as const, line: 1, external_id: null, reason: 'no \u001B[2J title' },
  ];
  expect(describeImport({ ...report, issues, issueCount: 1 }, facts)).toContain(
    'line 1: no  [2J title',
  );
});

test('shows progress as a bar with rate and remaining time on a terminal', () => {
  const read = { phase: 'reading', rows: 500, rowsTotal: null, bytesRead: 250 } as const;
  expect(describeProgress({ ...read, bytesTotal: 1_000 }, 2)).toBe(
    '██████░░░░░░░░░░░░░░░░░░  25%  reading 500 rows, 250 a second, 0:06 left',
  );
  expect(describeProgress({ ...read, bytesTotal: null }, 2)).toBe('reading 500 rows, 250 a second');
  const written = { ...read, phase: 'writing', rowsTotal: 1_000, bytesTotal: null } as const;
  expect(describeProgress(written, 2)).toContain(' 50%  writing 500 rows');
});

test('estimates the remaining time from the start of the phase, not of the run', () => {
  const bars: string[] = [];
  let time = 0;
  const out = { isTTY: true, write: (text: string) => bars.push(text) };
  const progress = showImportProgress(out, () => time * 1_000);
  const read = { bytesRead: 100, bytesTotal: 100, rowsTotal: null } as const;
  progress.update({ ...read, phase: 'reading', rows: 50_000 });
  time = 60;
  const written = { ...read, phase: 'writing', rowsTotal: 50_000 } as const;
  progress.update({ ...written, rows: 0 });
  time = 62;
  progress.update({ ...written, rows: 780 });
  expect(bars.at(-1)).toContain('writing 780 rows, 390 a second, 2:07 left');
  time = 64;
  progress.update({ ...written, rows: 1_560, rowsToWrite: 2_000 });
  expect(bars.at(-1)).toContain('390 a second, 0:14 left');
});

test('prints occasional plain lines of progress if stdout is not a terminal', () => {
  const written: string[] = [];
  let time = 0;
  const progress = showImportProgress({ write: (text: string) => written.push(text) }, () => time);
  for (const second of [1, 4, 5, 6, 11]) {
    time = second * 1_000;
    progress.update({
      phase: 'reading',
      rows: second * 100,
      rowsTotal: null,
      bytesRead: 0,
      bytesTotal: null,
    });
  }
  progress.end();
  expect(written).toEqual([
    'reading 500 rows, 100 a second\n',
    'reading 1,100 rows, 100 a second\n',
  ]);
});
