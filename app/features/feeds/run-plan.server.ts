import { centsToDecimal } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';
import { makeNewCategories } from './assign-categories.server.ts';
import type { ImportOptions, ImportReport } from './import-feed.server.ts';
import {
  countPlan,
  listDoubles,
  listPriceChanges,
  makePlan,
  type PlanCounts,
} from './import-plan-queries.server.ts';
import type { ImportProgressNotes } from './import-progress.server.ts';
import { type ImportIssue, saveRunFacts } from './import-run-queries.server.ts';
import { retryConflicts } from './retry-conflicts.server.ts';
import {
  claimDeals,
  confirmPrices,
  dropRefutedEndings,
  endWaitingDeals,
  keepEndings,
  listStillHeld,
  type PlanTarget,
  signWithRun,
  writeBatch,
} from './write-plan.server.ts';

interface PlanPlace {
  merchantId: number | null;
  makeMerchant: () => Promise<number>;
  priceSource: PriceSource;
}

const defaultBatch = 500;
const notedAtOnce = 5_000;
const previewed = 50;
const mostIssues = 1_000;
/** A feed that would end a larger share of its deals is more likely broken than right. */
export const mostEndingShare = 0.3;

/** Judges the staged feed against the deals there are, and unless it is a dry run does what it found. */
export async function runPlan(
  db: Db,
  options: ImportOptions,
  report: ImportReport,
  notes: ImportProgressNotes,
  place: PlanPlace,
): Promise<void> {
  await notes.begin('matching');
  await makePlan(db, place.merchantId);
  const endingSource = options.endsMissing ? (options.feedSourceId ?? null) : null;
  const plan = await countPlan(db, endingSource);
  const doubles = await listDoubles(db, mostIssues);
  report.counts.rejected += plan.doubles;
  report.counts.folded = plan.folded;
  notes.rowsTotal = plan.new + plan.changed + plan.unchanged + plan.held;
  await notes.addIssues(
    db,
    doubles.map(({ line, external_id, first }) => ({
      kind: 'rejected',
      line,
      external_id,
      reason: `duplicate: the same id stands at line ${first} already, which counts`,
    })),
  );
  notes.stopIfAsked();
  if (options.dryRun) return rehearse(db, plan, report, notes);
  const target: PlanTarget = {
    runId: report.runId ?? 0,
    merchantId: place.merchantId ?? (await place.makeMerchant()),
    sellerType: /^amazon\b/i.test(options.merchant) ? 'amazon' : 'third_party',
    priceSource: place.priceSource,
    sourceId: options.feedSourceId ?? null,
  };
  await saveRunFacts(db, target.runId, { merchant_id: target.merchantId });
  await retryConflicts(() => db.transaction().execute((tx) => makeNewCategories(tx)));
  await notes.begin('writing');
  await writeAll(db, target, plan.writes, options.batchSize ?? defaultBatch, report, notes);
  await notes.addIssues(db, (await listStillHeld(db, mostIssues)).map(describeHeld));
  const { feedSourceId } = options;
  if (feedSourceId !== undefined) {
    await db.transaction().execute((tx) => dropRefutedEndings(tx, feedSourceId));
  }
  if (endingSource === null || plan.ending === 0) return;
  await notes.begin('ending');
  await db.transaction().execute((tx) => keepEndings(tx, target.runId, endingSource));
  if (plan.ending > plan.live * mostEndingShare && !options.mayEndMany) report.state = 'asking';
  else await endAll(db, target.runId, report, notes);
}

async function rehearse(
  db: Db,
  plan: PlanCounts,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<void> {
  const { counts } = report;
  Object.assign(counts, {
    new: plan.new,
    changed: plan.changed,
    unchanged: plan.unchanged,
    held: plan.held,
    ended: plan.ending,
  });
  const changes = await listPriceChanges(db, previewed);
  await notes.addIssues(
    db,
    changes
      .filter((change) => change.is_held)
      .map(({ line, after }) => describeHeld({ line, external_id: null, held_price: after })),
  );
  if (plan.ending > plan.live * mostEndingShare) report.state = 'asking';
  if (report.runId !== null) await saveRunFacts(db, report.runId, { preview: changes });
}

/** First the rows that write something, then a note of those that do not, in larger steps: they cost next to nothing. */
async function writeAll(
  db: Db,
  target: PlanTarget,
  writes: number,
  size: number,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<void> {
  const total = notes.rowsTotal ?? 0;
  for (let done = 0; done < total;) {
    const isWriting = done < writes;
    const from = done;
    const upTo = isWriting ? Math.min(writes, from + size) : Math.min(total, from + notedAtOnce);
    await inBatch(db, report, async (tx) => {
      await signWithRun(tx, target.runId);
      if (isWriting) await writeRows(tx, from, upTo, target, report, notes);
      else await noteRows(tx, from, upTo, target, report);
      notes.rowsDone = upTo;
      await notes.save(tx);
    });
    done = upTo;
    if (done < total) notes.stopIfAsked();
  }
}

async function writeRows(
  tx: Db,
  after: number,
  upTo: number,
  target: PlanTarget,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<void> {
  const outcome = await writeBatch(tx, after, upTo, target);
  report.counts.new += outcome.created;
  report.counts.changed += outcome.changed;
  report.counts.held += outcome.held.length;
  await notes.addIssues(tx, outcome.held.map(describeHeld));
}

async function noteRows(
  tx: Db,
  after: number,
  upTo: number,
  target: PlanTarget,
  report: ImportReport,
): Promise<void> {
  const same = await confirmPrices(tx, after, upTo);
  if (target.sourceId !== null) await claimDeals(tx, after, upTo, target.sourceId);
  report.counts.unchanged += same.unchanged;
  report.counts.held += same.stillHeld;
}

/** A batch in a transaction. An attempt that was lost left its figures in the report, though not in the database. */
async function inBatch(
  db: Db,
  report: ImportReport,
  write: (tx: Db) => Promise<void>,
): Promise<void> {
  const { counts, issueCount } = { ...report, counts: { ...report.counts } };
  await retryConflicts(() => {
    Object.assign(report.counts, counts);
    report.issueCount = issueCount;
    report.issues.length = Math.min(report.issues.length, issueCount);
    return db.transaction().execute(write);
  });
}

async function endAll(
  db: Db,
  runId: number,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<void> {
  for (;;) {
    const taken = await retryConflicts(() =>
      db.transaction().execute(async (tx) => {
        const outcome = await endWaitingDeals(tx, runId, defaultBatch);
        report.counts.ended += outcome.ended;
        await notes.save(tx);
        return outcome.taken;
      }),
    );
    if (taken === 0) return;
  }
}

function describeHeld(held: {
  line: number;
  external_id: string | null;
  held_price: number;
}): ImportIssue {
  return {
    kind: 'held',
    line: held.line,
    external_id: held.external_id,
    reason: `held for review: the price fell by more than 90 %, to ${centsToDecimal(held.held_price)}`,
  };
}
