import type { Db } from '#database/connect.ts';
import type { ImportPhase } from '#database/schema/feed-tables.ts';
import type { ImportReport } from './import-feed.server.ts';
import { type ImportIssue, saveProgress, saveRunIssues } from './import-run-queries.server.ts';

export interface ImportProgress {
  phase: ImportPhase;
  rows: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
}

/** Thrown where the import may stop; what is committed stays. */
class Stopped extends Error {
  readonly state: 'interrupted' | 'cancelled';
  constructor(state: 'interrupted' | 'cancelled') {
    super(state);
    this.state = state;
  }
}

const mostIssues = 1_000;

/** What is known of a run while it runs: figures, issues, time spent, and whether it shall stop. */
export class ImportProgressNotes {
  bytesTotal: number | null = null;
  rowsDone = 0;
  rowsTotal: number | null = null;
  readonly timing: Partial<Record<ImportPhase, number>> = {};
  #bytesRead = 0;
  #isCancelled = false;
  #phase: ImportPhase = 'reading';
  #phaseSince = performance.now();

  readonly db: Db;
  readonly report: ImportReport;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: ImportProgress) => void;

  constructor(
    db: Db,
    report: ImportReport,
    signal: AbortSignal | undefined,
    onProgress: (progress: ImportProgress) => void,
  ) {
    this.db = db;
    this.report = report;
    this.signal = signal;
    this.onProgress = onProgress;
  }

  async begin(phase: ImportPhase): Promise<void> {
    this.#phase = phase;
    this.#phaseSince = performance.now();
    await this.save();
  }

  /** Time of this phase that belongs to another. */
  async during<T>(phase: ImportPhase, work: () => Promise<T>): Promise<T> {
    const before = this.#phase;
    this.#charge();
    this.#phase = phase;
    try {
      return await work();
    } finally {
      this.#charge();
      this.#phase = before;
    }
  }

  async *countBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytesRead += chunk.byteLength;
      yield chunk;
    }
  }

  async addIssues(db: Db, issues: ImportIssue[]): Promise<void> {
    const kept = issues.slice(0, Math.max(0, mostIssues - this.report.issues.length));
    this.report.issues.push(...kept);
    this.report.issueCount += issues.length;
    if (this.report.runId !== null) await saveRunIssues(db, this.report.runId, kept);
  }

  /** Writes the figures down; where the work may stop, `stopIfAsked` comes after it. */
  async save(db: Db = this.db): Promise<void> {
    this.#charge();
    this.onProgress({
      phase: this.#phase,
      rows: this.#phase === 'reading' ? this.report.counts.read : this.rowsDone,
      rowsTotal: this.rowsTotal,
      bytesRead: this.#bytesRead,
      bytesTotal: this.bytesTotal,
    });
    if (this.report.runId === null) return;
    this.#isCancelled = await saveProgress(db, this.report.runId, {
      phase: this.#phase,
      counts: this.report.counts,
      rowsDone: this.rowsDone,
      rowsTotal: this.rowsTotal,
      bytesRead: this.#bytesRead,
      bytesTotal: this.bytesTotal,
      timing: this.timing,
    });
  }

  stopIfAsked(): void {
    if (this.signal?.aborted) throw new Stopped('interrupted');
    if (this.#isCancelled) throw new Stopped('cancelled');
  }

  /** True when this error is no failure but a stop, which the report then says. */
  takeStop(error: unknown): boolean {
    if (error instanceof Stopped) this.report.state = error.state;
    else if (this.signal?.aborted) this.report.state = 'interrupted';
    else return false;
    return true;
  }

  #charge(): void {
    const now = performance.now();
    this.timing[this.#phase] = Math.round((this.timing[this.#phase] ?? 0) + now - this.#phaseSince);
    this.#phaseSince = now;
  }
}
