import { checkFeedRow, type FeedRowRules, type ImportRow } from '../formats/check-feed-row.ts';
import { checkSupplement, type SupplementRow } from '../formats/check-supplement.ts';
import { FeedError } from '../formats/feed-error.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import { mostTimes } from '../formats/read-row-prices.ts';
import type { ImportIssue } from './import-steps.ts';

/** A row and its position in the feed. */
export interface PlacedRow {
  n: number;
  row: FeedRow;
}

/** `updatesOnly`: rows may lack everything except their id. */
type JudgeRules = FeedRowRules & { updatesOnly?: boolean };

type PlaceRow<Row> = (row: ImportRow | SupplementRow, n: number) => Row;

/** A batch of validated rows of a feed. */
export interface JudgedRows<Row> {
  read: number;
  rows: Row[];
  /** Rows that are validated again after the feed's end, when all its prices are known. */
  waiting: PlacedRow[];
  /** The ids of rejected rows, if known. Their deals must not be considered missing. */
  refused: string[];
  rejected: number;
  /** The number of rows with an old price. */
  reduced: number;
  issues: ImportIssue[];
  /** The reason why the feed could not be read any further, after its last rows. */
  error: unknown;
}

const rowsAtATime = 500;

/**
 * Validates a feed's rows as they arrive, and maps the valid ones with `place`. More than `limit`
 * rows are an error, like an interrupted feed.
 */
export async function* judgeFeed<Row>(
  feed: AsyncIterable<FeedRow>,
  rules: JudgeRules & { limit: number },
  place: PlaceRow<Row>,
): AsyncGenerator<JudgedRows<Row>> {
  const { limit } = rules;
  let judged = noRows<Row>();
  let all = 0;
  try {
    for await (const row of feed) {
      if (all >= limit) {
        throw new FeedError(`the feed has more than ${limit.toLocaleString('en-US')} rows`);
      }
      all++;
      judged.read++;
      judgeRow({ n: all, row }, rules, place, judged);
      if (judged.read < rowsAtATime) continue;
      yield judged;
      judged = noRows();
    }
  } catch (error) {
    judged.error = error;
  }
  yield judged;
}

/** Validates a batch of rows that waited for the feed's end. */
export function judgeWaiting<Row>(
  waiting: readonly PlacedRow[],
  rules: JudgeRules,
  place: PlaceRow<Row>,
): JudgedRows<Row> {
  const judged = noRows<Row>();
  for (const placed of waiting) judgeRow(placed, rules, place, judged);
  return judged;
}

function judgeRow<Row>(
  placed: PlacedRow,
  rules: JudgeRules,
  place: PlaceRow<Row>,
  judged: JudgedRows<Row>,
): void {
  const checked = (rules.updatesOnly ? checkSupplement : checkFeedRow)(placed.row, rules);
  const { line } = placed.row;
  if (checked.ok) {
    const { external_id } = checked.row;
    judged.rows.push(place(checked.row, placed.n));
    if (hasUsedOriginal(checked.row)) judged.reduced++;
    for (const reason of checked.notes) {
      judged.issues.push({ kind: 'note', line, external_id, reason });
    }
  } else if (checked.waits) {
    judged.waiting.push(placed);
  } else {
    const { external_id, reason } = checked;
    judged.rejected++;
    if (external_id !== null) judged.refused.push(external_id);
    judged.issues.push({ kind: 'rejected', line, external_id, reason });
  }
}

/** Whether the row has an old price that the plan uses. */
function hasUsedOriginal({
  original_price: original,
  sale_price,
}: ImportRow | SupplementRow): boolean {
  return original !== null && sale_price !== null && original <= sale_price * mostTimes;
}

function noRows<Row>(): JudgedRows<Row> {
  const lists = { rows: [], waiting: [], refused: [], issues: [] };
  return { read: 0, rejected: 0, reduced: 0, error: null, ...lists };
}
