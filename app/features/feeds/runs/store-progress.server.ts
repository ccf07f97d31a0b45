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

/** The receivers of an import's progress. */
export interface ImportListeners {
  /** The id of the stored run, or `null` for a dry run that is not stored. */
  runId: number | null;
  onProgress: (progress: ImportProgress) => void;
}

/**
 * Adds a step to the import's state, and stores it with its run. A batch is written in the same
 * transaction. A failed attempt changes neither the database nor the result.
 */
export async function takeStep(
  db: Db,
  listeners: ImportListeners,
  before: ImportSoFar,
  step: ImportStep | ImportBatch,
): Promise<ImportSoFar> {
  if (!('write' in step)) return storeStep(db, listeners, before, step);
  const { write } = step;
  return retryConflicts(() =>
    db.transaction().execute(async (tx) => storeStep(tx, listeners, before, await write(tx))),
  );
}

async function storeStep(
  db: Db,
  { runId, onProgress }: ImportListeners,
  before: ImportSoFar,
  step: ImportStep,
): Promise<ImportSoFar> {
  const now = addStep(before, step, performance.now());
  const { phase, rowsTotal, rowsToWrite, bytesRead, bytesTotal } = now;
  const rows = phase === 'reading' ? now.counts.read : now.rowsDone;
  onProgress({ phase, rows, rowsTotal, rowsToWrite, bytesRead, bytesTotal });
  if (runId === null) return now;
  await saveRunIssues(db, runId, issuesToKeep(before, step));
  return { ...now, isCancelled: await saveProgress(db, runId, now) };
}
