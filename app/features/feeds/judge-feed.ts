import { checkFeedRow, type FeedRowRules, type ImportRow } from './check-feed-row.ts';
import { FeedError } from './feed-error.ts';
import type { FeedRow } from './feed-fields.ts';
import type { ImportIssue } from './import-steps.ts';

/** Some rows of a feed, judged. */
export interface JudgedRows {
  read: number;
  rows: ImportRow[];
  /** The ids of rows that were refused, as far as they have one: no sign that their deals are gone. */
  refused: string[];
  rejected: number;
  issues: ImportIssue[];
  /** Why the feed could not be read on; these rows are its last. */
  error: unknown;
}

const rowsAtATime = 500;

/** Judges a feed's rows as they come. More than `limit` rows are an error, like a feed that breaks off. */
export async function* judgeFeed(
  feed: AsyncIterable<FeedRow>,
  rules: FeedRowRules,
  limit: number,
): AsyncGenerator<JudgedRows> {
  let judged = noRows();
  let all = 0;
  try {
    for await (const row of feed) {
      if (all >= limit) {
        throw new FeedError(`the feed has more than ${limit.toLocaleString('en-US')} rows`);
      }
      all++;
      judge(row, rules, judged);
      if (judged.read < rowsAtATime) continue;
      yield judged;
      judged = noRows();
    }
  } catch (error) {
    judged.error = error;
  }
  yield judged;
}

function noRows(): JudgedRows {
  return { read: 0, rows: [], refused: [], rejected: 0, issues: [], error: null };
}

function judge(found: FeedRow, rules: FeedRowRules, into: JudgedRows): void {
  const { line } = found;
  const checked = checkFeedRow(found, rules);
  into.read++;
  if (checked.ok) {
    const { external_id } = checked.row;
    into.rows.push(checked.row);
    into.issues.push(
      ...checked.notes.map((reason) => ({ kind: 'note' as const, line, external_id, reason })),
    );
  } else {
    const { external_id, reason } = checked;
    into.rejected++;
    if (external_id !== null) into.refused.push(external_id);
    into.issues.push({ kind: 'rejected', line, external_id, reason });
  }
}
