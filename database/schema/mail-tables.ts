import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type {
  Dated,
  Json,
  Leased,
  NullableTimestamp,
  Timestamp,
} from '#database/schema/column-types.ts';
import type { MoveState } from '#database/schema/site-tables.ts';

/** Tables for emails, newsletters and their recipients. */
export interface MailTables {
  mail_outbox: Leased & {
    id: GeneratedAlways<number>;
    key: string;
    kind: string;
    recipient: string;
    user_id: string | null;
    payload: Json<Record<string, unknown>>;
    /** The id that the database generates from the key. The Message-ID is `<message_id@host>`. */
    message_id: GeneratedAlways<string>;
    state: Generated<'queued' | 'sent' | 'failed' | 'cancelled' | 'kept'>;
    trying_since: Timestamp;
    reply: string | null;
    /**
     * The subject when last rendered, except for emails about an account. Empty if the reason for
     * the email is gone. null: not rendered yet.
     */
    subject: string | null;
    unsure_count: Generated<number>;
    is_bulk: Generated<boolean>;
    created_at: Timestamp;
  };
  mail_suspensions: {
    id: GeneratedAlways<number>;
    /** The recipient's address in lower case. */
    recipient: string;
    reason: 'bounce' | 'complaint';
    source: 'smtp' | 'mailbox' | 'json' | 'ses' | 'sendgrid' | 'mailgun' | 'move-in';
    diagnostic: string;
    mail_id: number | null;
    since: Date;
    lifted_at: NullableTimestamp;
    lifted_by: string | null;
  };
  newsletter_subscriptions: {
    id: Generated<number>;
    email: string;
    is_active: Generated<boolean>;
    subscribed_at: Timestamp;
    unsubscribed_at: NullableTimestamp;
    confirmed_at: NullableTimestamp;
    token_nonce: Generated<string>;
    /** The place where an imported subscriber signed up. null: on this site. */
    consent_source: string | null;
    /** The import that added the subscription, so that it can be undone. */
    move_id: number | null;
    list_ids: Generated<number[]>;
    followed_category_ids: Generated<number[]>;
    followed_merchant_ids: Generated<number[]>;
    follows_favorites: Generated<boolean>;
  };
  newsletter_lists: {
    id: Generated<number>;
    name: string;
    /** The automatic email for this list. null: staff write its newsletters. */
    automatic: 'weekly' | 'hot' | null;
    /** Whether new subscribers are put on the list. */
    is_joined: Generated<boolean>;
    retired_at: NullableTimestamp;
    version: Generated<number>;
    created_at: Timestamp;
  };
  subscriber_moves: {
    id: GeneratedAlways<number>;
    file_name: string;
    state: Generated<MoveState>;
    /** The place where these people signed up. */
    source: Generated<string>;
    /** Whether the owner attests consent for rows without a date. */
    states_consent: Generated<boolean>;
    /** The state of rows without a status. null: such rows are skipped. */
    blank_state: 'subscribed' | 'unsubscribed' | 'bounced' | null;
    /** The last imported line. */
    done_line: Generated<number>;
    /** The number of rows by outcome. */
    counts: Json<Record<string, number>>;
    created_by: string;
    created_at: Timestamp;
    ended_at: NullableTimestamp;
    undone_by: string | null;
  };
  /** Rows of a subscriber list. */
  subscriber_move_rows: {
    move_id: number;
    line: number;
    email: string;
    state: 'subscribed' | 'unknown' | 'unconfirmed' | 'bounced' | 'unsubscribed';
    consent_at: NullableTimestamp;
    /** The time of the unsubscribe or bounce at the previous service. */
    left_at: NullableTimestamp;
    problem: 'invalid' | 'bad-status' | 'duplicate' | null;
    outcome: string | null;
    created_at: Timestamp;
  };
  newsletter_issues: {
    id: Generated<number>;
    kind: Generated<'weekly' | 'hot'>;
    /** An ISO week such as 2026-W47, or for hot deals, a day such as 2026-11-29. */
    week: string;
    deal_ids: Generated<number[]>;
    content: Json<Record<string, unknown>>;
    created_at: Timestamp;
    queued_up_to: number | null;
  };
  newsletters: Dated & {
    id: Generated<number>;
    subject: string;
    preview: Generated<string>;
    content: string;
    audience_since: NullableTimestamp;
    audience_confirmed: Generated<boolean>;
    state: Generated<'draft' | 'scheduled' | 'sending' | 'paused' | 'sent'>;
    send_at: NullableTimestamp;
    held_because: string | null;
    letter: ColumnType<object | null, string | null | undefined, string | null>;
    audience_until: NullableTimestamp;
    recipients: number | null;
    queued_up_to: Generated<number>;
    is_queued: Generated<boolean>;
    paced_at: NullableTimestamp;
    started_at: NullableTimestamp;
    finished_at: NullableTimestamp;
    left_count: Generated<number>;
    past_sent: Generated<number>;
    past_failed: Generated<number>;
    past_skipped: Generated<number>;
    version: Generated<number>;
    list_id: Generated<number>;
    audience_category_id: number | null;
    audience_merchant_id: number | null;
    subject_b: Generated<string>;
    preview_b: Generated<string>;
    test_percent: Generated<number>;
    /** null: the rest wait until staff choose. */
    test_hours: ColumnType<number | null, number | null | undefined, number | null>;
    tested_at: NullableTimestamp;
    winner: 'a' | 'b' | null;
    returned_ids: Generated<number[]>;
    past_sent_a: Generated<number>;
    past_sent_b: Generated<number>;
  };
  newsletter_links: {
    newsletter_id: number;
    position: number;
    href: string;
    label: string;
    clicks: Generated<number>;
    clicks_a: Generated<number>;
    clicks_b: Generated<number>;
  };
  contact_messages: {
    id: Generated<number>;
    name: string;
    email: string;
    subject: string;
    message: string;
    is_read: Generated<boolean>;
    read_at: NullableTimestamp;
    read_by: string | null;
    assigned_to: string | null;
    closed_at: NullableTimestamp;
    closed_by: string | null;
    created_at: Timestamp;
  };
  contact_answers: {
    id: GeneratedAlways<number>;
    message_id: number;
    op: string;
    author: string | null;
    body: string;
    created_at: Timestamp;
  };
}
