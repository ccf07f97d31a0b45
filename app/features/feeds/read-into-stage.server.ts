import type { Db } from '#database/connect.ts';
import { categoryPlacer } from './assign-categories.server.ts';
import { checkFeedRow } from './check-feed-row.ts';
import { FeedError } from './feed-error.ts';
import type { ImportOptions, ImportReport } from './import-feed.server.ts';
import type { ImportProgressNotes } from './import-progress.server.ts';
import type { ImportIssue } from './import-run-queries.server.ts';
import type { OpenFeed } from './read-feed.server.ts';
import { type StagedRow, stageRows } from './stage-rows.server.ts';

const defaultLimit = 50_000;
const stageSize = 500;

/** Judges each row of the feed and lays it down for the plan. Nothing of the site is touched. */
export async function readIntoStage(
  db: Db,
  feed: OpenFeed,
  options: ImportOptions,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<void> {
  const limit = options.limit ?? defaultLimit;
  const { category, categoryId = null } = options;
  const place = await categoryPlacer(db, {
    mapping: options.categoryMapping ?? {},
    fallbackId: categoryId,
    fallbackName: category,
  });
  const rules = {
    currency: (options.currency ?? 'USD').toUpperCase(),
    feedCurrency: options.feedCurrency ?? null,
    decimalMark: options.decimalMark ?? 'auto',
    now: (options.now ?? (() => new Date()))(),
    hasFallbackCategory: category !== undefined || categoryId !== null,
    groupsVariants: options.groupsVariants ?? true,
  };
  let rows: StagedRow[] = [];
  let refused: string[] = [];
  let issues: ImportIssue[] = [];
  let read = 0;
  const flush = async () => {
    await notes.during('matching', async () => {
      await stageRows(db, rows, refused);
      await notes.addIssues(db, issues);
    });
    await notes.save();
    notes.stopIfAsked();
    [rows, refused, issues, read] = [[], [], [], 0];
  };
  for await (const found of feed.rows) {
    if (report.counts.read >= limit) {
      throw new FeedError(`the feed has more than ${limit.toLocaleString('en-US')} rows`);
    }
    report.counts.read++;
    read++;
    const checked = checkFeedRow(found, rules);
    const { line } = found;
    if (checked.ok) {
      rows.push(place(checked.row));
      for (const reason of checked.notes) {
        issues.push({ kind: 'note', line, external_id: checked.row.external_id, reason });
      }
    } else {
      const { external_id, reason } = checked;
      report.counts.rejected++;
      if (external_id !== null) refused.push(external_id);
      issues.push({ kind: 'rejected', line, external_id, reason });
    }
    if (read >= stageSize) await flush();
  }
  await flush();
}
