import type { Db } from '#database/connect.ts';
import type { ImportPhase, ImportState, PriceChange } from '#database/schema/feed-tables.ts';
import type { FeedFormat } from '../formats/feed-fields.ts';

// An import is a row of steps: read, stage, plan, write, end. Each step is a value that says what it did, and what the
// import has done so far is the sum of them.

/**
 * In rows of the feed, but for `ended`: deals that ended because the feed no longer names them; in a dry run, that would.
 * `folded` are variants that went into the deal of their group, `reduced` rows with an old price.
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

/** A row that needs a look: rejected, held until somebody decides, or imported with something left out. */
export interface ImportIssue {
  kind: 'rejected' | 'held' | 'note';
  line: number | null;
  external_id: string | null;
  reason: string;
}

type AddedUp = 'counts' | 'issues' | 'issueCount' | 'timing' | 'since' | 'error' | 'isCancelled';

/** What a step leaves out stays as it was. */
export interface ImportStep extends Partial<Omit<ImportSoFar, AddedUp>> {
  /** What it adds to the counts. */
  counts?: Partial<ImportCounts>;
  issues?: ImportIssue[];
  /** Milliseconds of this step that belong to the phase `matching`. */
  msMatching?: number;
}

/** A step that writes: it is committed together with the run's figures, and done again when it met a conflict. */
export interface ImportBatch {
  write: (tx: Db) => Promise<ImportStep>;
}

export type ImportSteps<Result = void> = AsyncGenerator<ImportStep | ImportBatch, Result>;

export interface ImportSoFar {
  /**
   * `failed`: the feed could not be read to its end, and nothing was changed. `asking`: all is in, but ending what the
   * feed no longer names would end more than 30 %. `unchanged`: the sender says that the feed is the last one.
   */
  state: Exclude<ImportState, 'queued' | 'running' | 'rolled_back'>;
  error: string | null;
  format: FeedFormat | null;
  encoding: string | null;
  counts: ImportCounts;
  /** The first thousand. */
  issues: readonly ImportIssue[];
  issueCount: number;
  phase: ImportPhase;
  rowsDone: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  /** Milliseconds by phase. */
  timing: Partial<Record<ImportPhase, number>>;
  /** When the last step ended, by the clock of `performance.now()`. */
  since: number;
  /** The import may stop after the last step: what is committed stays, and the next import brings the rest. */
  mayStop: boolean;
  /** Somebody wants it to stop. */
  isCancelled: boolean;
  merchantId?: number;
  /** The first deals that a dry run would change. */
  preview?: PriceChange[];
  /** In how many deals it would change which field. */
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

/** What a person who waits sees. */
export interface ImportProgress extends Pick<
  ImportSoFar,
  'phase' | 'rowsTotal' | 'bytesRead' | 'bytesTotal'
> {
  rows: number;
}

/** How many of them are kept with a run. */
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
    bytesRead: 0,
    bytesTotal: null,
    timing: {},
    since: now,
    mayStop: false,
    isCancelled: false,
  };
}

/** What the import has done, this step included. Its time counts for the phase that it began in. */
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

/** Of the step's issues those that are among the first thousand of the import. */
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
