import type { Db } from '#database/connect.ts';
import { saveProgress, saveRunIssues } from './import-run-queries.server.ts';
import {
  addStep,
  type ImportBatch,
  type ImportProgress,
  type ImportSoFar,
  type ImportStep,
  issuesToKeep,
} from './import-steps.ts';
import { retryConflicts } from './retry-conflicts.server.ts';

/** Who is told how an import goes. */
export interface ImportListeners {
  /** The run that keeps it; null for a dry run that nobody asked to keep. */
  runId: number | null;
  onProgress: (progress: ImportProgress) => void;
}

/**
 * Adds a step to what an import has done so far, and writes it down with its run. A batch is written in the same
 * transaction; an attempt of it that was lost left nothing, neither in the database nor in what is answered.
 */
export async function takeStep(
  db: Db,
  listeners: ImportListeners,
  before: ImportSoFar,
  step: ImportStep | ImportBatch,
): Promise<ImportSoFar> {
  if (!('write' in step)) return tellRun(db, listeners, before, step);
  const { write } = step;
  return retryConflicts(() =>
    db.transaction().execute(async (tx) => tellRun(tx, listeners, before, await write(tx))),
  );
}

async function tellRun(
  db: Db,
  { runId, onProgress }: ImportListeners,
  before: ImportSoFar,
  step: ImportStep,
): Promise<ImportSoFar> {
  const now = addStep(before, step, performance.now());
  const { phase, rowsTotal, bytesRead, bytesTotal } = now;
  const rows = phase === 'reading' ? now.counts.read : now.rowsDone;
  onProgress({ phase, rows, rowsTotal, bytesRead, bytesTotal });
  if (runId === null) return now;
  await saveRunIssues(db, runId, issuesToKeep(before, step));
  return { ...now, isCancelled: await saveProgress(db, runId, now) };
}
