import { sql } from 'kysely';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { categoryPlacer, type CategoryRules } from './assign-categories.server.ts';
import type { FeedRowRules, ImportRow } from '../formats/check-feed-row.ts';
import type { SupplementRow } from '../formats/check-supplement.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import type { ImportIssue, ImportStep } from './import-steps.ts';
import { PriceEvidence } from '../formats/price-evidence.ts';
import { judgeFeed, type JudgedRows, judgeWaiting } from './judge-feed.ts';
import { readWaiting, type StagedRow, stageRows } from './stage-rows.server.ts';

type RuleOptions = 'feedCurrency' | 'decimalMark' | 'groupsVariants' | 'shop';

/** The defaults are the site's currency and one deal per `item_group_id`. */
export interface StageOptions extends CategoryRules, Partial<Pick<FeedRowRules, RuleOptions>> {
  /** The maximum number of rows in one feed (default 50,000). */
  limit?: number;
  /** Whether only existing deals are changed, so that rows need only an id. */
  updatesOnly?: boolean;
}

/** Validates each row of the feed and stages it for the plan. No site data is changed. */
export async function* stageFeed(
  db: Db,
  feed: {
    rows: AsyncIterable<FeedRow>;
    bytesRead(): number;
    encoding?(): string;
    notes?(): string[];
  },
  options: StageOptions,
): AsyncGenerator<ImportStep> {
  const place = await categoryPlacer(db, options);
  const { groupsVariants = true, limit = 50_000 } = options;
  const { currency } = await readSiteSettings(db);
  // Planning and writing in this session use this currency, even if the setting changes in the
  // meantime.
  await sql`select set_config('app.import_currency', ${currency}, false)`.execute(db);
  const { decimalMark = 'auto' } = options;
  // If the user has chosen a price notation, it need not be inferred from the prices.
  const isChosen = decimalMark !== 'auto';
  const evidence = isChosen ? undefined : new PriceEvidence();
  const rules = {
    ...options,
    currency,
    now: new Date(),
    groupsVariants,
    limit,
    hasWholeAmounts: isChosen,
  };
  const found = () => (feed.encoding ? { encoding: feed.encoding() } : {});
  const placeRow = (row: ImportRow | SupplementRow, n: number): StagedRow =>
    Object.assign(place(row), { n });
  for await (const judged of oneAhead(
    judgeFeed(feed.rows, { ...rules, ...(evidence && { evidence }) }, placeRow),
  )) {
    if (judged.error !== null) {
      yield { counts: countsOf(judged), ...found() };
      throw judged.error;
    }
    yield { ...(await stageJudged(db, judged)), bytesRead: feed.bytesRead(), mayStop: true };
  }
  const settled = { ...rules, ...evidence?.settle() };
  for await (const waiting of readWaiting(db)) {
    yield { ...(await stageJudged(db, judgeWaiting(waiting, settled, placeRow))), mayStop: true };
  }
  if (!feed.notes) return;
  const notes = feed.notes();
  const issues = notes.map((reason): ImportIssue => ({ ...noRow, kind: 'note', reason }));
  yield { issues, ...found() };
}

async function stageJudged(db: Db, judged: JudgedRows<StagedRow>): Promise<ImportStep> {
  const since = performance.now();
  await stageRows(db, judged.rows, judged.refused, judged.waiting);
  const msMatching = performance.now() - since;
  return { counts: countsOf(judged), issues: judged.issues, msMatching };
}

function countsOf({ read, rejected, reduced }: JudgedRows<StagedRow>) {
  return { read, rejected, reduced };
}

const noRow = { line: null, external_id: null };

/** Reads and validates the next rows while the database writes the current ones. */
async function* oneAhead<Value>(values: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = values.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = values.next();
      // The consumer receives the error. If the consumer has stopped, this prevents an unhandled
      // rejection.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await values.return(undefined);
  }
}
