import {
  type CheckedRow,
  checkFeedRow,
  type FeedRowRules,
  type ImportRow,
} from '../formats/check-feed-row.ts';
import { FeedError } from '../formats/feed-error.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import type { ImportIssue } from './import-steps.ts';

/** Some rows of a feed, judged. */
export interface JudgedRows<Row> {
  read: number;
  rows: Row[];
  /** The ids of rows that were refused, as far as they have one: no sign that their deals are gone. */
  refused: string[];
  rejected: number;
  issues: ImportIssue[];
  /** Why the feed could not be read on; these rows are its last. */
  error: unknown;
}

const rowsAtATime = 500;

/**
 * Judges a feed's rows as they come, and makes of the good ones what `place` does. More than `limit` rows are an error,
 * like a feed that breaks off.
 */
export async function* judgeFeed<Row>(
  feed: AsyncIterable<FeedRow>,
  rules: FeedRowRules & { limit: number },
  place: (row: ImportRow) => Row,
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
      const checked = checkFeedRow(row, rules);
      if (checked.ok) judged.rows.push(place(checked.row));
      else if (checked.external_id !== null) judged.refused.push(checked.external_id);
      judged.issues.push(...issuesOf(row.line, checked));
      if (!checked.ok) judged.rejected++;
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
  return { read: 0, rows: [], refused: [], rejected: 0, issues: [], error: null };
}

function issuesOf(line: number, checked: CheckedRow): ImportIssue[] {
  if (!checked.ok) {
    const { external_id, reason } = checked;
    return [{ kind: 'rejected', line, external_id, reason }];
  }
  const { external_id } = checked.row;
  return checked.notes.map((reason) => ({ kind: 'note', line, external_id, reason }));
}
