import type { Db } from '#database/connect.ts';
import type { ImportPhase, ImportState, PriceChange } from '#database/schema/feed-tables.ts';
import type { DryRun } from './dry-run.ts';
import type { FeedFormat } from '../formats/feed-fields.ts';

// An import is a sequence of steps: read, stage, plan, write, end. Each step is a value that
// describes its work, and the sum of all steps is the import's state.

/**
 * Counts of feed rows, except for `ended`: deals that ended, or in a dry run would end, because the
 * feed no longer lists them. `folded` counts variants merged into the deal of their group,
 * `reduced` rows with an old price.
 */
const noCounts = {
  read: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  held: 0,
  rejected: 0,
  ended: 0,
  folded: 0,
  reduced: 0,
};
export type ImportCounts = typeof noCounts;
const countNames = Object.keys(noCounts).filter(
  (name): name is keyof ImportCounts => name in noCounts,
);

/** A row that needs attention: rejected, held for review, or imported without some values. */
export interface ImportIssue {
  kind: 'rejected' | 'held' | 'note';
  line: number | null;
  external_id: string | null;
  reason: string;
}

type AddedUp = 'counts' | 'issues' | 'issueCount' | 'timing' | 'since' | 'error' | 'isCancelled';

/** The changes that a step makes to the state. Absent values are unchanged. */
export interface ImportStep extends Partial<Omit<ImportSoFar, AddedUp>> {
  /** The numbers to add to the counts. */
  counts?: Partial<ImportCounts>;
  issues?: ImportIssue[];
  /** The milliseconds that this step spent in the phase `matching`. */
  msMatching?: number;
}

/**
 * A step that writes: it is committed together with the run's counts, and retried after a conflict.
 */
export interface ImportBatch {
  write: (tx: Db) => Promise<ImportStep>;
}

export type ImportSteps<Result = void> = AsyncGenerator<ImportStep | ImportBatch, Result>;

export interface ImportSoFar {
  /**
   * `failed`: the feed could not be read completely, and nothing was changed. `asking`: everything
   * is imported, but more than 30% of deals would end. `unchanged`: the server reports that the
   * feed has not changed.
   */
  state: Exclude<ImportState, 'queued' | 'running' | 'rolled_back'>;
  error: string | null;
  format: FeedFormat | null;
  encoding: string | null;
  counts: ImportCounts;
  /** The first thousand issues. */
  issues: readonly ImportIssue[];
  issueCount: number;
  phase: ImportPhase;
  rowsDone: number;
  rowsTotal: number | null;
  /** The number of rows that change something, which come first in the plan. */
  rowsToWrite: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  /** The milliseconds spent in each phase. */
  timing: Partial<Record<ImportPhase, number>>;
  /** The end of the last step, as a `performance.now()` time. */
  since: number;
  /**
   * Whether the import may stop after the last step. Committed rows are kept, and the next import
   * writes the rest.
   */
  mayStop: boolean;
  /** Whether a stop was requested. */
  isCancelled: boolean;
  merchantId?: number;
  /** The first deals that a dry run would change. */
  preview?: PriceChange[];
  dryRun?: DryRun;
  /** The number of deals, by field, that a dry run would change. */
  fieldChanges?: Record<string, number>;
}

export interface ImportReport extends Pick<
  ImportSoFar,
  'error' | 'format' | 'encoding' | 'counts' | 'issues' | 'issueCount' | 'fieldChanges'
> {
  runId: number | null;
  /** `busy`: another import is running. */
  state: ImportSoFar['state'] | 'busy';
}

/** The progress shown to a waiting user. */
export interface ImportProgress extends Pick<
  ImportSoFar,
  'phase' | 'rowsTotal' | 'bytesRead' | 'bytesTotal'
> {
  rowsToWrite?: number | null;
  rows: number;
}

/** The number of issues stored with a run. */
export const mostIssues = 1_000;

export function nothingSoFar(now: number): ImportSoFar {
  return {
    state: 'done',
    error: null,
    format: null,
    encoding: null,
    counts: noCounts,
    issues: [],
    issueCount: 0,
    phase: 'reading',
    rowsDone: 0,
    rowsTotal: null,
    rowsToWrite: null,
    bytesRead: 0,
    bytesTotal: null,
    timing: {},
    since: now,
    mayStop: false,
    isCancelled: false,
  };
}

/** Returns the import's state including this step. Its time is added to the phase it began in. */
export function addStep(before: ImportSoFar, step: ImportStep, now: number): ImportSoFar {
  const { issues = [], counts = {}, msMatching = 0, ...facts } = step;
  const elapsed = addTime(before.timing, before.phase, now - before.since - msMatching);
  return {
    ...before,
    ...facts,
    counts: addCounts(before.counts, counts),
    issues: [...before.issues, ...issuesToKeep(before, step)],
    issueCount: before.issueCount + issues.length,
    timing: msMatching === 0 ? elapsed : addTime(elapsed, 'matching', msMatching),
    since: now,
    mayStop: step.mayStop ?? false,
  };
}

/** Returns the step's issues that are among the import's first thousand. */
export function issuesToKeep(before: ImportSoFar, { issues = [] }: ImportStep): ImportIssue[] {
  return issues.slice(0, mostIssues - before.issues.length);
}

function addCounts(a: ImportCounts, b: Partial<ImportCounts>): ImportCounts {
  const sum = { ...a };
  for (const name of countNames) sum[name] += b[name] ?? 0;
  return sum;
}

function addTime(timing: ImportSoFar['timing'], phase: ImportPhase, ms: number) {
  return { ...timing, [phase]: Math.round((timing[phase] ?? 0) + ms) };
}
