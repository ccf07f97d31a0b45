import type { Db } from '#database/connect.ts';
import { categoryPlacer, type CategoryRules } from './assign-categories.server.ts';
import type { FeedRowRules } from '../formats/check-feed-row.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import type { ImportStep } from './import-steps.ts';
import { judgeFeed } from './judge-feed.ts';
import { stageRows } from './stage-rows.server.ts';

type RuleOptions = 'currency' | 'feedCurrency' | 'decimalMark' | 'groupsVariants';

/** Where nothing is said: US dollars, and one deal for each `item_group_id`. */
export interface StageOptions extends CategoryRules, Partial<Pick<FeedRowRules, RuleOptions>> {
  /** Most rows of one feed (default 50,000). */
  limit?: number;
}

/** Judges each row of the feed and lays it down for the plan. Nothing of the site is touched. */
export async function* stageFeed(
  db: Db,
  feed: { rows: AsyncIterable<FeedRow>; bytesRead(): number },
  options: StageOptions,
): AsyncGenerator<ImportStep> {
  const place = await categoryPlacer(db, options);
  const { category, categoryId, currency = 'USD', groupsVariants = true, limit = 50_000 } = options;
  const rules = {
    ...options,
    currency: currency.toUpperCase(),
    now: new Date(),
    hasFallbackCategory: category !== undefined || typeof categoryId === 'number',
    groupsVariants,
    limit,
  };
  for await (const judged of judgeFeed(feed.rows, rules, place)) {
    const { read, rejected, rows, refused, issues, error } = judged;
    const counts = { read, rejected };
    if (error !== null) {
      yield { counts };
      throw error;
    }
    const since = performance.now();
    await stageRows(db, rows, refused);
    const msMatching = performance.now() - since;
    yield { counts, issues, msMatching, bytesRead: feed.bytesRead(), mayStop: true };
  }
}
