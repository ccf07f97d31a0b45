import type { Generated, GeneratedAlways } from 'kysely';
import type { Dated, Leased, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export const channelEvents = ['low', 'new', 'ended', 'post'] as const;
export type ChannelEvent = (typeof channelEvents)[number];

/** Tables for posts to the owner's chats and feeds. */
export interface ChannelTables {
  channels: Dated & {
    id: Generated<number>;
    name: string;
    kind: string;
    settings: Buffer;
    events: ChannelEvent[];
    least_percent: Generated<number>;
    category_id: number | null;
    merchant_id: number | null;
    posts_a_day: Generated<number>;
    quiet_from: number | null;
    quiet_to: number | null;
    template: string;
    is_active: Generated<boolean>;
    active_since: Timestamp;
    next_at: Timestamp;
    failures: Generated<number>;
    failing_since: NullableTimestamp;
    last_error: string | null;
    switched_off_at: NullableTimestamp;
    created_by: string | null;
  };
  channel_news: {
    id: GeneratedAlways<number>;
    deal_id: number;
    event: 'new' | 'low';
    queued_at: Timestamp;
  };
  channel_posts: Leased & {
    id: GeneratedAlways<number>;
    channel_id: number;
    key: string;
    event: ChannelEvent | 'test';
    deal_id: number | null;
    post_id: number | null;
    facts: Generated<string>;
    text_hash: string | null;
    remote_id: string | null;
    posted_at: NullableTimestamp;
    state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
    trying_since: Timestamp;
    created_at: Timestamp;
  };
}
