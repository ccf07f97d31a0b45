import type { Generated, GeneratedAlways } from 'kysely';
import type { Dated, Leased, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export const webhookEvents = ['deal.published', 'deal.price_changed', 'alert.fired'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/**
 * Rights that staff may give a key. `app/features/public-api/api-key-rights.ts` has their labels.
 */
export const apiKeyRights = ['limits', 'clicks'] as const;
export type ApiKeyRight = (typeof apiKeyRights)[number];

/** Tables for API clients and webhooks. */
export interface ProgramTables {
  api_keys: {
    id: Generated<number>;
    name: string;
    prefix: string;
    key_hash: string;
    per_minute: number | null;
    rights: Generated<ApiKeyRight[]>;
    created_by: string | null;
    last_used_at: NullableTimestamp;
    revoked_at: NullableTimestamp;
    created_at: Timestamp;
  };
  webhook_endpoints: Dated & {
    id: Generated<number>;
    url: string;
    events: WebhookEvent[];
    secret: Buffer;
    old_secret: Buffer | null;
    old_secret_until: NullableTimestamp;
    is_active: Generated<boolean>;
    failures: Generated<number>;
    failing_since: NullableTimestamp;
    paused_until: NullableTimestamp;
    switched_off_at: NullableTimestamp;
    created_by: string | null;
  };
  webhook_deliveries: Leased & {
    id: GeneratedAlways<number>;
    endpoint_id: number;
    message_id: Generated<string>;
    event: WebhookEvent | 'ping';
    deal_id: number | null;
    alert_id: number | null;
    price: number | null;
    previous_price: number | null;
    currency: Generated<string>;
    occurred_at: Timestamp;
    state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
    trying_since: Timestamp;
    answer_status: number | null;
  };
}
