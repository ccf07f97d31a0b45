import type { Db } from '#database/connect.ts';
import type { DecimalMark } from '#database/schema/feed-tables.ts';
import { categoryPlacer } from './assign-categories.server.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import type { ImportStep } from './import-steps.ts';
import { judgeFeed } from './judge-feed.ts';
import { stageRows } from './stage-rows.server.ts';

export interface StageOptions {
  /** The feed's own names of categories, as `A > B`, and our category for each. */
  categoryMapping?: Record<string, number>;
  /** Where a row goes whose category is none of ours; without it such a category is made. */
  category?: string;
  categoryId?: number | null;
  /** The site's currency (default USD). */
  currency?: string;
  /** Of values that name none; the site's unless given. */
  feedCurrency?: string | null;
  decimalMark?: DecimalMark;
  /** One deal per `item_group_id` (default). */
  groupsVariants?: boolean;
  /** Most rows of one feed (default 50,000). */
  limit?: number;
  now?: () => Date;
}

const defaultLimit = 50_000;

/** Judges each row of the feed and lays it down for the plan. Nothing of the site is touched. */
export async function* stageFeed(
  db: Db,
  feed: { rows: AsyncIterable<FeedRow>; bytesRead(): number },
  options: StageOptions,
): AsyncGenerator<ImportStep> {
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
    limit: options.limit ?? defaultLimit,
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
