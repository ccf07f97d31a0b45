import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export type SaleStatus = 'pending' | 'approved' | 'declined';

/** Tables for sales reported by affiliate networks. */
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
    /** The day of the sale, as reported by the network. */
    day: string;
    channel: 'site' | 'newsletter' | 'feed' | 'mail' | 'elsewhere' | null;
    newsletter_id: number | null;
    /** The position of the clicked link in the newsletter. */
    newsletter_link: number | null;
    /** The ad or announcement that was clicked. */
    slot_id: number | null;
    deal_id: number | null;
    coupon_id: number | null;
    clicked_on: string | null;
    /** The deal's store, category and feed when the sale was first reported. */
    merchant_id: number | null;
    category_id: number | null;
    /** 0: no feed contains the deal. */
    feed_source_id: number | null;
    /** null: the last change came from a postback. */
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
