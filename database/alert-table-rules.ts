import type { Database } from '#database/schema.ts';
import { movedBy, rowsOfMoves } from '#database/move-rules.ts';
import {
  anHour,
  byOwner,
  counted,
  daysReported,
  indexed,
  indexedIn,
  left,
  overAYear,
  spent,
  type TableRules,
} from '#database/table-rules.ts';

/**
 * The condition that a guest subscriber has no alert or watched search left, for example because
 * its deal was deleted.
 */
const watchesNothing = `created_at < now() - interval '3 days'
  and not exists (select from price_alerts a where a.watcher_id = watchers.id)
  and not exists (select from watched_searches s where s.watcher_id = watchers.id)`;

/** Favorites, alerts and messages about them, as part of the registry of all tables. */
export const alertTableRules = {
  user_favorites: { person: 'go', deal: 'go', download: { as: 'favorites' }, old: byOwner },
  follows: { person: 'go', merchant: 'go', download: { as: 'follows' }, old: byOwner },
  favorite_lists: { person: 'go', download: { as: 'favorite_lists' }, old: anHour('deleted_at') },
  favorite_list_items: { person: 'go', deal: 'go', download: counted, old: byOwner },
  removed_favorites: {
    person: 'go',
    deal: 'go',
    download: { as: 'removed_favorites' },
    old: anHour('removed_at'),
  },
  deal_reports: {
    person: 'go',
    deal: 'go',
    download: { as: 'reports' },
    old: spent(`reported_at < now() - interval '${daysReported} days'`),
  },
  price_alerts: { person: 'go', deal: 'go', download: { as: 'price_alerts' }, old: byOwner },
  // No age limit is needed, since rows are processed within a minute.
  alert_checks: { deal: 'go', old: byOwner },
  price_alert_events: {
    person: 'go', // Rows are deleted with their alert.
    hasIdIn: ['user_id'],
    deal: 'go',
    download: counted,
    // Older events are deleted, except the ten that an alert's history shows. An email is retried
    // for 48 hours, and a digest is written a day later.
    old: {
      job: 'forget-old-mails',
      where: `fired_at < now() - interval '7 days'
        and id < (select id from price_alert_events newer where newer.alert_id = price_alert_events.alert_id
                   order by id desc offset 9 limit 1)`,
    },
  },
  alert_mail_days: {
    person: 'go',
    download: counted,
    old: indexedIn('forget-old-mails', `day < (now() at time zone 'utc')::date - 7`),
  },
  watchers: {
    erasedByAddress: 'email',
    download: { as: 'alerts_without_account' },
    old: { job: 'forget-old-mails', where: watchesNothing },
  },
  watch_requests: {
    erasedByAddress: 'email',
    deal: 'go',
    download: { as: 'alerts_to_confirm' },
    old: indexed(spent(`created_at < now() - interval '3 days'`)),
  },
  watched_searches: {
    person: 'go',
    merchant: 'go',
    download: { as: 'watched_searches' },
    old: byOwner,
  },
  watched_filters: {
    old: {
      job: 'forget-old-mails',
      where: `used_at < now() - interval '1 day' and same_as is null
        and not exists (select from watched_searches s where s.filter_id = watched_filters.id)`,
    },
  },
  watched_filter_hits: { old: byOwner },
  product_lows: {
    old: {
      job: 'forget-old-mails',
      where: `at < now() - interval '30 days' and done_to is null
        and (id < (select max(id) from product_lows newer
                    where (newer.product_id, newer.offer_class, newer.with_shipping)
                            = (product_lows.product_id, product_lows.offer_class, product_lows.with_shipping))
             or not exists (select from merged_products(product_id) m (id) join watched_searches s on s.product_id = m.id))`,
    },
  },
  // No age limit is needed, since rows are processed within minutes.
  product_checks: { old: byOwner },
  watched_search_finds: {
    person: 'go',
    deal: 'go',
    merchant: 'go',
    download: counted,
    // A deal is not emailed twice within this time.
    old: indexedIn('forget-old-mails', `found_at < now() - interval '30 days'`),
  },
  watch_marks: { isInternal: true, old: 'kept' },
  alert_channels: {
    person: 'go',
    download: { as: 'alert_channels' },
    // A verified channel is kept until its owner removes it.
    old: indexed(spent(`created_at < now() - interval '1 day' and proved_at is null`)),
  },
  alert_messages: { person: 'go', download: counted, old: left('forget-old-mails', 7) },
  push_subscriptions: { person: 'go', download: { as: 'notified_browsers' }, old: byOwner },
  push_outbox: {
    person: 'go',
    deal: 'go',
    merchant: 'go',
    download: counted,
    old: left('forget-old-mails', 7),
  },
  mail_outbox: {
    person: 'go',
    erasedByAddress: 'recipient',
    download: { as: 'mails' },
    // Emails contain addresses, so they are deleted when no longer needed. Emails of an unfinished
    // newsletter are kept to record who got it.
    old: {
      job: 'forget-old-mails',
      where: `state <> 'queued' and created_at < now() - interval '90 days' and not (kind = 'newsletter' and exists (
        select from newsletters n where n.id = (payload ->> 'newsletterId')::bigint and n.state in ('sending', 'paused')))`,
    },
  },
  mail_suspensions: {
    person: 'stay without it', // The id is that of the staff member who lifted the suspension.
    erasedByAddress: 'recipient',
    download: { as: 'suspended_addresses' },
    old: { job: 'forget-old-mails', where: `lifted_at < now() - interval '90 days'` },
  },
  newsletter_subscriptions: {
    erasedByAddress: 'email',
    download: { as: 'newsletter' },
    old: 'kept',
  },
  subscriber_moves: movedBy('forget-old-mails'),
  subscriber_move_rows: {
    erasedByAddress: 'email',
    download: { not: 'a copy of an uploaded list, kept for 30 days' },
    old: rowsOfMoves('forget-old-mails', 'subscriber_moves'),
  },
  newsletter_lists: { isInternal: true, old: 'kept' },
  newsletter_issues: { old: 'kept' },
  newsletters: { old: 'kept' },
  newsletter_links: { old: byOwner },
  contact_messages: {
    // The ids are those of the staff who read, own or closed the message.
    person: 'stay without it',
    erasedByAddress: 'email',
    download: { as: 'messages' },
    old: 'kept',
  },
  contact_answers: {
    person: 'stay without it', // The id is that of the author.
    download: { not: 'it is stored with the message' },
    old: byOwner,
  },
  blog_posts: { isDemo: true, old: 'kept' },
  site_pages: { old: 'kept' },
  slots: { old: 'kept' },
  slot_days: { old: indexed(overAYear('forget-old-clicks', 'day')) },
} satisfies Partial<Record<keyof Database, TableRules>>;
