import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import type { PriceSource } from '#database/schema.ts';
import { centsToDecimal } from '#app/platform/money.ts';
import { assignCategories } from './assign-categories.server.ts';
import type { CheckedRow, ImportRow } from './check-feed-row.ts';
import { findMerchantId, insertMerchant, markSeen, writeBatch } from './import-queries.server.ts';
import {
  type ImportCounts,
  type ImportIssue,
  saveRunCounts,
  saveRunIssues,
} from './import-run-queries.server.ts';

export interface ImportTarget {
  merchant: string;
  /** Null in a rehearsal, which keeps nothing, not even the merchant. */
  merchantId: number | null;
  priceSource: PriceSource;
  category: string | undefined;
  afterBatch: ((tx: Tx, dealIds: number[]) => Promise<void>) | undefined;
}

/** Rows that are written together. */
export interface ImportBatch {
  read: number;
  /** The last of each id; the earlier ones are reported. */
  rows: Map<string, ImportRow>;
  issues: ImportIssue[];
}

/** The figures and issues of the import so far. */
interface Tally {
  runId: number | null;
  counts: ImportCounts;
  issues: ImportIssue[];
  issueCount: number;
}

const mostIssues = 1_000;

export function newBatch(): ImportBatch {
  return { read: 0, rows: new Map(), issues: [] };
}

export function addToBatch(batch: ImportBatch, checked: CheckedRow, line: number): void {
  batch.read++;
  if (!checked.ok) {
    batch.issues.push({
      kind: 'rejected',
      line,
      external_id: checked.external_id,
      reason: checked.reason,
    });
    return;
  }
  const { row, notes } = checked;
  const earlier = batch.rows.get(row.external_id);
  if (earlier) {
    const reason = `duplicate: the same id stands again at line ${line}, which counts`;
    batch.issues.push({
      kind: 'rejected',
      line: earlier.line,
      external_id: row.external_id,
      reason,
    });
  }
  batch.rows.set(row.external_id, row);
  for (const reason of notes) {
    batch.issues.push({ kind: 'note', line, external_id: row.external_id, reason });
  }
}

/** Writes one batch with the figures it makes true, all or nothing, and adds it to the tally once it is in. */
export async function writeImportBatch(
  db: Db,
  batch: ImportBatch,
  target: ImportTarget,
  tally: Tally,
): Promise<void> {
  const { counts, issues } = await retryConflicts(() =>
    db.transaction().execute(async (tx) => {
      const unseen = await markSeen(tx, [...batch.rows.keys()]);
      if (target.merchantId !== null)
        return writeRows(tx, batch, unseen, target, target.merchantId, tally);
      await sql`savepoint rehearsal`.execute(tx);
      const merchantId =
        (await findMerchantId(tx, target.merchant)) ?? (await insertMerchant(tx, target.merchant));
      const outcome = await writeRows(tx, batch, unseen, target, merchantId, tally);
      await sql`rollback to savepoint rehearsal`.execute(tx);
      return outcome;
    }),
  );
  tally.counts = counts;
  tally.issues.push(...issues.slice(0, mostIssues - tally.issues.length));
  tally.issueCount += issues.length;
}

async function writeRows(
  tx: Tx,
  batch: ImportBatch,
  unseen: ReadonlySet<string>,
  target: ImportTarget,
  merchantId: number,
  tally: Readonly<Tally>,
): Promise<{ counts: ImportCounts; issues: ImportIssue[] }> {
  const rows = [...batch.rows.values()].filter((row) => unseen.has(row.external_id));
  const issues = [...batch.issues];
  for (const { line, external_id } of batch.rows.values()) {
    if (unseen.has(external_id)) continue;
    issues.push({
      kind: 'rejected',
      line,
      external_id,
      reason: 'duplicate: an earlier row of this feed has the same id',
    });
  }
  const outcome = await writeBatch(tx, await assignCategories(tx, rows, target.category), {
    merchantId,
    sellerType: /^amazon\b/i.test(target.merchant) ? 'amazon' : 'third_party',
    source: target.priceSource,
  });
  for (const { external_id, held_price } of outcome.held) {
    const reason = `held for review: the price fell by more than 90 %, to ${centsToDecimal(held_price)}`;
    issues.push({
      kind: 'held',
      line: batch.rows.get(external_id)?.line ?? null,
      external_id,
      reason,
    });
  }
  issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const counts: ImportCounts = {
    read: tally.counts.read + batch.read,
    new: tally.counts.new + outcome.created,
    changed: tally.counts.changed + outcome.changed,
    unchanged: tally.counts.unchanged + outcome.unchanged,
    held: tally.counts.held + outcome.held.length,
    rejected: tally.counts.rejected + batch.read - rows.length,
  };
  if (tally.runId !== null) {
    await saveRunCounts(tx, tally.runId, counts);
    await saveRunIssues(tx, tally.runId, issues.slice(0, mostIssues - tally.issues.length));
  }
  await target.afterBatch?.(tx, outcome.written);
  return { counts, issues };
}

/** A lock that was not to be had, a deadlock, a slug that somebody else took this moment: the batch may go again. */
const passing = new Set(['40001', '40P01', '55P03', '23505']);

async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!passing.has(code) || attempt === 5) throw error;
      await pause(100 * attempt);
    }
  }
}
