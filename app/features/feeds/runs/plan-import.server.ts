import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { toDecimal } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import {
  countFieldChanges,
  countPlan,
  listChanges,
  listDrafts,
  listDoubles,
  listOtherProducts,
  makePlan,
  type PlanCounts,
} from './import-plan-queries.server.ts';
import { mostTimes } from '../formats/read-row-prices.ts';
import { type ImportIssue, type ImportStep, mostIssues } from './import-steps.ts';
import { matchProducts } from './match-products.server.ts';

/** The planned changes of an import. */
export interface ImportPlan extends PlanCounts {
  /** The number of rows that are used, one per product. */
  rows: number;
  /** Whether so many deals would end that staff must approve. */
  endsMany: boolean;
}

const previewed = 50;
/** If a larger share of a feed's deals would end, the feed is probably broken. */
const mostEndingShare = 0.3;

/**
 * Compares the staged feed with the existing deals. Deals of `endingSource` missing from the feed
 * will end. For a feed that only updates deals, the check whether an id now names another product
 * is skipped.
 */
export async function* planImport(
  db: Db,
  merchantId: number | null,
  endingSource: number | null,
  updatesOnly = false,
): AsyncGenerator<ImportStep, ImportPlan> {
  yield { phase: 'matching' };
  await matchProducts(db, merchantId);
  await makePlan(db, merchantId, updatesOnly);
  const counts = await countPlan(db, endingSource);
  const rows = counts.new + counts.changed + counts.unchanged + counts.held;
  const doubles = await listDoubles(db, mostIssues);
  yield {
    counts: { rejected: counts.doubles, folded: counts.folded },
    rowsTotal: rows,
    issues: doubles.map(({ line, external_id, first }) => ({
      kind: 'rejected',
      line,
      external_id,
      reason: `duplicate: line ${first} has the same id and is used instead`,
    })),
    mayStop: true,
  };
  return { ...counts, rows, endsMany: counts.ending > counts.live * mostEndingShare };
}

/** Returns the plan as the result of a dry run. */
export async function previewPlan(db: Db, plan: ImportPlan): Promise<ImportStep> {
  const { currency } = await readSiteSettings(db);
  const { new: added, changed, unchanged, held, replaced } = plan;
  const ended = plan.ending + replaced;
  const prices = await listChanges(db, 'prices', previewed);
  const preview = [...prices, ...(await listChanges(db, 'other', previewed))];
  return {
    counts: { new: added, changed, unchanged, held, ended },
    fieldChanges: await countFieldChanges(db),
    issues: [
      ...prices
        .filter((change) => change.is_held)
        .map(({ line, after }) =>
          describeHeld({ line, external_id: null, held_price: after }, currency),
        ),
      ...(await listDrafts(db, mostIssues)).map(describeDraft),
      ...(await listOtherProducts(db, mostIssues)).map(describeOther),
    ],
    preview,
    ...(plan.endsMany && { state: 'asking' }),
  };
}

/** Describes a feed's id that now refers to a different product, or may do so. */
export function describeOther(
  row: Awaited<ReturnType<typeof listOtherProducts>>[number],
): ImportIssue {
  const { line, external_id, slug, isDoubtful } = row;
  return isDoubtful
    ? {
        kind: 'held',
        line,
        external_id,
        reason: `held for review: this may be another product than /deals/${slug}`,
      }
    : {
        kind: 'note',
        line,
        external_id,
        reason: `another product has this id now: /deals/${slug} ends, and a new deal is created`,
      };
}

/**
 * Describes a new deal that is left for staff to publish, since one of its two prices is probably
 * wrong.
 */
export function describeDraft({
  line,
  external_id,
}: Pick<ImportIssue, 'line' | 'external_id'>): ImportIssue {
  const reason = `held for review: its old price is more than ${mostTimes} times its price, so it is a draft without it`;
  return { kind: 'held', line, external_id, reason };
}

export function describeHeld(
  held: Pick<ImportIssue, 'line' | 'external_id'> & { held_price: number },
  currency: string,
): ImportIssue {
  const { held_price, ...row } = held;
  const reason = `held for review: the price fell by more than 90%, to ${toDecimal(held_price, currency)}`;
  return { kind: 'held', ...row, reason };
}
