import { alertTableRules } from '#database/alert-table-rules.ts';
import { movedBy, rowsOfMoves, undoneWithin30Days } from '#database/move-rules.ts';
import type { Database } from '#database/schema.ts';
import {
  byOwner,
  daysReported,
  indexed,
  indexedIn,
  left,
  overAYear,
  spent,
  type TableRules,
} from '#database/table-rules.ts';

/** days; `deals jobs` lists runs for that long */
export const runsAreKeptForDays = 8;

const secret = { not: 'it opens the account' };
const ofTheSite = { not: 'it belongs to the site' };
const missed = indexed(spent(`missed_at < now() - interval '${daysReported} days'`));
/** The rule for deleted items, which stay in the trash for 30 days. */
const inTrash = indexedIn('empty-trash', `deleted_at < now() - interval '30 days'`);
/**
 * The rule for queued URLs and deals, which are dropped if no service accepts them within a week.
 */
const untold = indexedIn('forget-old-deliveries', `queued_at < now() - interval '7 days'`);
/**
 * The only definition of what happens to the rows of each table. `erasePerson`, `forgetOldRows` and
 * `restoreBackup` use it, and `table-registry.test.ts` enforces the rest.
 */
export const tableRules: Record<keyof Database | 'search_words', TableRules> = {
  // The catalog
  categories: { isDemo: true, old: 'kept' },
  merchants: { merchant: 'go', isDemo: true, old: 'kept' },
  deals: { deal: 'go', merchant: 'forbid it', isDemo: true, old: 'kept' },
  products: { old: 'kept' },
  product_gtins: { old: 'kept' },
  product_acts: { keepsIdIn: ['actor'], old: 'kept' },
  product_links: { deal: 'go', keepsIdIn: ['actor'], old: byOwner },
  match_checks: { isInternal: true, old: 'kept' },
  suggestion_checks: { isInternal: true, old: 'kept' },
  deal_codes: { deal: 'made again', old: byOwner },
  match_suggestions: { deal: 'made again', old: byOwner },
  match_decisions: {
    keepsIdIn: ['actor'],
    old: indexed(spent(`at < now() - interval '400 days'`)),
  },
  coupons: { merchant: 'go', isDemo: true, old: 'kept' },
  coupon_reports: {
    person: 'go',
    merchant: 'go',
    download: { as: 'coupon_reports' },
    old: spent(`reported_at < now() - interval '${daysReported} days'`),
  },
  coupon_clicks: { merchant: 'go', old: indexed(overAYear('forget-old-clicks', 'day')) },
  price_log: { deal: 'go', old: 'kept' },
  price_voids: { deal: 'go', keepsIdIn: ['actor'], old: 'kept' },
  evidence_days: { isInternal: true, old: 'kept' },
  evidence_key_changes: { isInternal: true, old: 'kept' },
  evidence_sites: { old: 'kept' },
  witnessed_days: { old: byOwner },
  witness_conflicts: { old: byOwner },
  cosignatures: { old: byOwner },
  price_moves: movedBy('forget-old-reductions'),
  price_move_rows: { old: rowsOfMoves('forget-old-reductions', 'price_moves') },
  moved_prices: { deal: 'go', old: 'kept' },
  deal_texts: { deal: 'made again', old: byOwner },
  price_proofs: { deal: 'made again', old: byOwner },
  reduction_checks: {
    deal: 'go',
    merchant: 'go',
    old: indexedIn('forget-old-reductions', `began_at < now() - interval '400 days'`),
  },
  store_days: { merchant: 'go', old: overAYear('forget-old-reductions', 'day') },
  store_checks: { merchant: 'go', old: byOwner },
  deal_forecasts: { deal: 'go', old: byOwner },
  forecasts: { deal: 'go', old: indexed(overAYear('forget-old-reductions', 'made_on')) },
  forecast_pass: { isInternal: true, old: 'kept' },
  discount_check_pass: { isInternal: true, old: 'kept' },
  deal_price_checks: { deal: 'go', old: byOwner },
  duplicate_dismissals: { deal: 'go', old: byOwner },
  clicks: { deal: 'go', old: indexed(overAYear('forget-old-clicks', 'day')) },
  click_days: { old: 'kept' },
  recent_clicks: { deal: 'made again', old: byOwner },
  // Sales remain when their deal or store is deleted, and are shown without a link.
  earnings: { old: 'kept' },
  earning_imports: { keepsIdIn: ['created_by', 'undone_by'], old: 'kept' },
  earning_changes: {
    old: indexedIn('forget-old-clicks', `changed_at < now() - interval '90 days'`),
  },
  report_settings: { isInternal: true, old: 'kept' },
  slug_redirects: { deal: 'go by trigger', old: 'kept' },
  search_words: { old: 'kept' },
  search_synonyms: { old: 'kept' },
  missed_searches: { old: missed },
  missed_search_visitors: { old: missed },
  product_requests: { old: indexed(spent(`requested_at < now() - interval '90 days'`)) },
  product_request_visitors: {
    old: indexed(spent(`requested_at < now() - interval '${daysReported} days'`)),
  },
  address_redirects: { keepsIdIn: ['created_by'], old: 'kept' },
  redirect_imports: undoneWithin30Days('empty-trash'),
  redirect_changes: { old: byOwner },
  // Finished imports are kept, so that importing the same file again adds nothing.
  post_moves: {
    keepsIdIn: ['created_by', 'undone_by'],
    old: {
      job: 'empty-trash',
      where: `state in ('reading', 'ready') and created_at < now() - interval '30 days'`,
    },
  },
  post_move_items: { old: byOwner },
  post_move_pictures: { old: byOwner },
  missed_paths: { old: missed },
  missed_path_visitors: { old: missed },
  site_counters: { isInternal: true, old: 'kept' },
  pictures: {
    merchant: 'go',
    leftOut: true,
    isInternal: true,
    old: { job: 'tidy-pictures', where: `shown_on < (now() at time zone 'utc')::date - 90` },
  },
  library_pictures: { keepsIdIn: ['created_by'], old: 'kept' },
  stored_pictures: { leftOut: true, isInternal: true, old: 'kept' },
  deleted_deals: { keepsIdIn: ['deleted_by'], old: inTrash },
  deleted_deal_rows: { old: byOwner },
  deleted_rows: { keepsIdIn: ['deleted_by'], old: inTrash },
  deleted_row_parts: { old: byOwner },
  bulk_changes: { keepsIdIn: ['actor'], old: left('empty-trash', 30) },

  // Users and their sign-in methods
  users: { person: 'go', download: { as: 'account' }, old: 'kept' },
  sessions: {
    person: 'go',
    download: { as: 'sessions' },
    old: indexed(spent('expires_at < now()')),
  },
  accounts: { person: 'go', download: { as: 'sign_in_providers' }, old: byOwner },
  passkeys: { person: 'go', download: { as: 'passkeys' }, old: byOwner },
  two_factors: { person: 'go', download: secret, old: byOwner },
  backup_codes: { person: 'go', download: secret, old: byOwner },
  verifications: {
    erasedById: 'value',
    download: secret,
    old: indexed(spent('expires_at < now()')),
  },
  staff_invitations: {
    person: 'stay without it', // The user id is the inviter's.
    erasedByAddress: 'email',
    download: { as: 'invitations' },
    old: {
      job: 'forget-old-mails',
      where: `coalesce(ended_at, expires_at) < now() - interval '30 days'`,
    },
  },
  right_sets: { old: 'kept' },

  ...alertTableRules,

  // Feeds
  feed_sources: { merchant: 'go', old: 'kept' },
  import_runs: {
    merchant: 'stay without it',
    keepsIdIn: ['started_by', 'rolled_back_by'],
    old: {
      job: 'forget-old-imports',
      where: `is_dry_run and started_at < now() - interval '7 days'`,
    },
  },
  import_issues: { old: byOwner },
  import_changes: {
    deal: 'go',
    // Runs this old can no longer be rolled back.
    old: {
      hasIndex: true,
      job: 'forget-old-imports',
      where: `import_run_id < coalesce((select id from import_runs where started_at >= now() - interval '30 days'
                                          order by started_at limit 1), 9223372036854775807)`,
    },
  },
  import_endings: { deal: 'go', old: byOwner },
  // The next import asks these questions again.
  product_questions: { deal: 'made again', old: byOwner },

  // API clients
  api_keys: { person: 'stay without it', download: ofTheSite, old: 'kept' },
  webhook_endpoints: { person: 'stay without it', download: ofTheSite, old: 'kept' },
  webhook_deliveries: {
    person: 'go',
    deal: 'go',
    download: ofTheSite,
    // The delivery log is for debugging only.
    old: left('forget-old-deliveries', 30, 'occurred_at'),
  },

  channels: { person: 'stay without it', download: ofTheSite, old: 'kept' },
  channel_news: { isInternal: true, old: untold },
  channel_posts: { old: left('forget-old-deliveries', 90) },

  // The site itself
  discovery_queue: { isInternal: true, old: untold },
  discovery_services: { isInternal: true, old: 'kept' },
  saved_views: { person: 'go', download: ofTheSite, old: byOwner },
  list_columns: { person: 'go', download: ofTheSite, old: byOwner },
  site_settings: { keepsIdIn: ['updated_by'], old: 'kept' },
  // A salt is used for two weeks, and kept for as long as reports that use it.
  site_secrets: {
    isInternal: true,
    old: spent(
      `name like 'visitor salt %' and created_at < now() - interval '${2 * daysReported} days'`,
    ),
  },
  audit_log: { keepsIdIn: ['actor'], old: 'kept' },
  // Used tokens, expired counters, and stored responses that are no longer needed.
  captcha_spent: { old: indexed(spent('expires_at < now()')) },
  rate_limits: {
    isInternal: true,
    old: indexed(spent('expire < extract(epoch from now()) * 1000')),
  },
  form_operations: {
    keepsIdIn: ['actor'],
    old: spent(`created_at < now() - interval '1 day'`),
  },
  site_processes: { isInternal: true, old: spent(`seen_at < now() - interval '1 day'`) },
  // Runs are kept for more than a week, because one job runs only weekly.
  job_runs: {
    leftOut: true,
    isInternal: true,
    old: spent(`started_at < now() - interval '${runsAreKeptForDays} days'`),
  },
  site_versions: { isInternal: true, old: 'kept' },
  // Deletes files whose pages were not opened for this long.
  build_files: {
    leftOut: true,
    isInternal: true,
    old: spent(`seen_at < now() - interval '14 days'`),
  },
  // A violation not reported for this long has been fixed, or was never real.
  policy_reports: { old: spent(`last_seen_at < now() - interval '30 days'`) },
};
