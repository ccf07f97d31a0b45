import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export type SaleStatus = 'pending' | 'approved' | 'declined';

/** Tables of sales that affiliate networks report. */
export interface EarningTables {
  earning_imports: {
    id: GeneratedAlways<number>;
    network: string;
    file_name: string;
    added: number;
    changed: number;
    created_by: string;
    created_at: Timestamp;
    undone_at: NullableTimestamp;
    undone_by: string | null;
  };
  earnings: {
    id: GeneratedAlways<number>;
    network: string;
    transaction_id: string;
    status: SaleStatus;
    /** The commission. Negative if the network corrects an earlier one. */
    amount: number;
    currency: string;
    /** The day of the sale, as the network reports it. */
    day: string;
    channel: 'site' | 'newsletter' | 'feed' | 'mail' | 'elsewhere' | null;
    newsletter_id: number | null;
    /** The position of the newsletter's link that was followed. */
    newsletter_link: number | null;
    /** The ad or announcement that was followed. */
    slot_id: number | null;
    deal_id: number | null;
    coupon_id: number | null;
    clicked_on: string | null;
    /** The scopes of the deal when its sale was first reported. */
    merchant_id: number | null;
    category_id: number | null;
    /** 0: no feed contains the deal. */
    feed_source_id: number | null;
    /** null: a postback wrote the row last. */
    import_id: number | null;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
  earning_changes: {
    import_id: number;
    earning_id: number;
    /** null: the import added the row. */
    before: Json<object> | null;
    changed_at: Timestamp;
  };
  report_settings: {
    network: string;
    columns: Json<Record<string, string>>;
    currency: string | null;
    decimal_mark: '.' | ',' | null;
    day_order: 'dmy' | 'mdy' | null;
    address_number: Generated<number>;
  };
}
