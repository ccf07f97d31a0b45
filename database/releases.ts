/** A version that was published, and the last migration that it brings. */
export interface Release {
  version: string;
  lastMigration: string;
}

/**
 * Every release so far, in order. The version in the making is that of package.json and joins when it is published, with a
 * fixture of its data in `test/fixtures/releases` (decision 074).
 */
export const releases: readonly Release[] = [
  { version: '1.0.0', lastMigration: '0068_what_a_favorite_cost' },
];

/** What going back over one migration takes; a text says why there is no way. */
export type WayBack = string | { newRows: readonly NewRows[]; madeAgain: readonly string[] };

/** Rows that the version before has no place for. While there is one, the database does not go back. */
interface NewRows {
  table: string;
  /** A condition in SQL. */
  where: string;
  /** For people, after a number. */
  what: string;
  /** What to do, where it is not to delete them. */
  mend?: string;
}

/**
 * Each migration since the last release; `database/undo` has its SQL. `madeAgain`: tables, and columns as `table.column`, which
 * are made of other rows and are made again by the next upgrade. A test compares both with the schema.
 */
export const waysBack: Readonly<Record<string, WayBack>> = {
  '0069_fewer_indexes_a_price': { newRows: [], madeAgain: [] },
  '0072_standings_of_prices': {
    newRows: [],
    madeAgain: [
      'price_proofs.below_usual',
      'price_proofs.lower_until',
      'price_proofs.higher_until',
    ],
  },
  '0073_evidence_of_watched_searches': {
    newRows: [
      {
        table: 'watched_searches',
        where: 'evidence is not null',
        what: 'watched searches for real lows or falls',
      },
    ],
    madeAgain: [],
  },
  '0074_searches_by_push': {
    // Those that were sent are nothing that anybody misses.
    newRows: [
      {
        table: 'push_outbox',
        where: `state = 'queued' and (kind <> 'price-alert' or event_id is null)`,
        what: 'messages to browsers about watched searches, not sent yet',
        mend: 'they leave while the site runs',
      },
    ],
    madeAgain: ['push_outbox.kind', 'push_outbox.search_id', 'push_outbox.search_mail'],
  },
  '0075_searches_without_an_account': {
    newRows: [
      {
        table: 'watch_requests',
        where: 'search_address is not null or search_name is not null or cadence is not null',
        what: 'addresses that were entered to watch a search',
        mend: 'they are forgotten after three days',
      },
    ],
    madeAgain: [],
  },
  '0076_forecasts': { newRows: [], madeAgain: ['deal_forecasts', 'forecasts', 'forecast_pass'] },
  '0078_pictures_in_the_database': {
    newRows: [
      {
        table: 'stored_pictures',
        where: `name !~ '^pictures-\\d+/'`,
        what: 'pictures in the database',
        mend: '`deals move-pictures` with PICTURE_STORE=folder takes them where the older version looks',
      },
    ],
    madeAgain: [],
  },
  '0079_brands_of_deals': {
    newRows: [
      {
        table: 'watched_searches',
        where: 'condition is not null or off is not null or brand is not null',
        what: 'watched searches by brand, condition or discount',
      },
    ],
    madeAgain: ['deal_texts.brand'],
  },
  '0080_newest_texts': { newRows: [], madeAgain: [] },
  '0081_versions_of_a_site': { newRows: [], madeAgain: ['site_versions'] },
  '0082_files_of_every_build': { newRows: [], madeAgain: ['build_files'] },
  '0083_newest_live_texts': { newRows: [], madeAgain: [] },
  '0084_deals_of_a_place_that_end': { newRows: [], madeAgain: [] },
  '0085_drops_that_are_over': { newRows: [], madeAgain: ['import_changes.version_before'] },
  '0087_reused_ids': { newRows: [], madeAgain: ['product_questions'] },
  // In the version before, voided prices count again.
  '0088_voided_prices': { newRows: [], madeAgain: ['price_voids'] },
  '0089_reference_prices': {
    newRows: [],
    madeAgain: [
      'deals.reference_price',
      'deals.checked_percent',
      'price_proofs.usual_price',
      'price_proofs.measured_price',
      'price_proofs.reference_price',
    ],
  },
  '0090_alerts_that_stay': {
    newRows: [
      { table: 'price_alerts', where: 'repeats', what: 'price alerts for each time' },
      {
        table: 'watch_requests',
        where: 'repeats',
        what: 'addresses that were entered for a price alert for each time',
        mend: 'they are forgotten after three days',
      },
    ],
    madeAgain: [],
  },
  '0091_keys_that_are_found': { newRows: [], madeAgain: [] },
  '0092_currencies': {
    // The version before shows every amount in the site's currency.
    newRows: [
      {
        table: 'price_log',
        where: 'currency <> site_currency()',
        what: 'logged prices in another currency',
        mend: 'a backup from before the change of the currency brings the site back',
      },
      {
        table: 'deals',
        where: 'currency <> site_currency()',
        what: 'deals in another currency',
      },
      {
        table: 'price_alerts',
        where: 'currency <> site_currency()',
        what: 'price alerts in another currency',
      },
    ],
    madeAgain: [
      'deals.waits_for_price',
      'deals.currency_since',
      'price_proofs.currency',
      'reduction_checks.currency',
      'price_alert_events.currency',
      'webhook_deliveries.currency',
      'product_questions.currency',
      'import_runs.currency',
      'audit_log.currency',
      'user_favorites.currency',
      'deleted_deals.currency',
      'import_changes.currency',
    ],
  },
  '0093_alerts_in_lots': {
    newRows: [
      {
        table: 'alert_checks',
        where: 'true',
        what: 'changes of deals whose alerts wait to be judged',
        mend: 'they are judged within a minute while the site runs',
      },
    ],
    madeAgain: ['price_alerts.seen_check'],
  },
  '0095_an_audience_that_grows': {
    newRows: [
      {
        table: 'newsletter_issues',
        where: 'queued_up_to is not null',
        what: 'weekly digest whose mails are not all queued',
        mend: 'let the site run for an hour',
      },
    ],
    madeAgain: [],
  },
  '0097_filters_of_watched_searches': {
    newRows: [
      {
        table: 'watched_filter_hits',
        where: 'true',
        what: 'deals of which watched searches wait to be told',
        mend: 'they are told within a minute while the site runs',
      },
    ],
    madeAgain: [
      'watched_filters',
      'watched_searches.filter_id',
      'watched_searches.waiting_deals',
      'watch_marks.lot',
    ],
  },
  '0098_suspended_addresses': {
    // The version before holds back mails to refused addresses for 30 days.
    newRows: [
      {
        table: 'mail_suspensions',
        where: `lifted_at is null and (reason = 'complaint' or mail_id is null)`,
        what: 'addresses that get no newsletters and alerts after complaints and bounces',
        mend: 'lift them, and unsubscribe those who complained',
      },
    ],
    madeAgain: [],
  },
  '0099_rollbacks_that_wait': { newRows: [], madeAgain: [] },
  '0101_counts_of_people': { newRows: [], madeAgain: [] },
  '0103_job_runs': { newRows: [], madeAgain: ['job_runs'] },
  // The version before guesses it from the name, as the migration did.
  '0104_sellers_of_merchants': { newRows: [], madeAgain: ['merchants.seller_type'] },
};
