import { checkFeedRow, type FeedRowRules, type ImportRow } from '../formats/check-feed-row.ts';
import { checkSupplement, type SupplementRow } from '../formats/check-supplement.ts';
import { FeedError } from '../formats/feed-error.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import type { ImportIssue } from './import-steps.ts';

/** A batch of validated rows of a feed. */
export interface JudgedRows<Row> {
  read: number;
  rows: Row[];
  /** The ids of rejected rows, if any, whose deals must not count as missing. */
  refused: string[];
  rejected: number;
  /** Rows with an old price. */
  reduced: number;
  issues: ImportIssue[];
  /** Why the feed could not be read any further; these rows are its last. */
  error: unknown;
}

const rowsAtATime = 500;

/**
 * Validates a feed's rows as they arrive, and maps the valid ones by `place`. More than `limit`
 * rows are an error, like an interrupted feed.
 */
export async function* judgeFeed<Row>(
  feed: AsyncIterable<FeedRow>,
  rules: FeedRowRules & { limit: number; updatesOnly?: boolean },
  place: (row: ImportRow | SupplementRow) => Row,
): AsyncGenerator<JudgedRows<Row>> {
  const { limit, updatesOnly = false } = rules;
  let judged = noRows<Row>();
  let all = 0;
  try {
    for await (const row of feed) {
      if (all >= limit) {
        throw new FeedError(`the feed has more than ${limit.toLocaleString('en-US')} rows`);
      }
      all++;
      judged.read++;
      const checked = (updatesOnly ? checkSupplement : checkFeedRow)(row, rules);
      const { line } = row;
      if (checked.ok) {
        const { external_id } = checked.row;
        judged.rows.push(place(checked.row));
        if (checked.row.original_price !== null) judged.reduced++;
        for (const reason of checked.notes) {
          judged.issues.push({ kind: 'note', line, external_id, reason });
        }
      } else {
        const { external_id, reason } = checked;
        judged.rejected++;
        if (external_id !== null) judged.refused.push(external_id);
        judged.issues.push({ kind: 'rejected', line, external_id, reason });
      }
      if (judged.read < rowsAtATime) continue;
      yield judged;
      judged = noRows();
    }
  } catch (error) {
    judged.error = error;
  }
  yield judged;
}

function noRows<Row>(): JudgedRows<Row> {
  return { read: 0, rows: [], refused: [], rejected: 0, reduced: 0, issues: [], error: null };
}
