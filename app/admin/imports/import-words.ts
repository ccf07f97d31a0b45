import type { PillVariant } from '#app/admin/frame/status-pill.tsx';
import type { ImportPhase, ImportState } from '#database/schema/feed-tables.ts';
import { type ColumnFor, columnsFor, dealColumns } from '#app/features/deals/deal-columns.ts';
import type { FeedField } from '#app/features/feeds/formats/feed-fields.ts';

export const stateWords: Record<ImportState, [label: string, variant: PillVariant]> = {
  queued: ['Waiting', 'warn'],
  running: ['Running', 'warn'],
  done: ['Done', 'good'],
  asking: ['Needs an answer', 'warn'],
  unchanged: ['Nothing new', 'plain'],
  failed: ['Failed', 'bad'],
  interrupted: ['Interrupted', 'bad'],
  cancelled: ['Canceled', 'plain'],
  rolled_back: ['Rolled back', 'plain'],
};

export const phaseWords: Record<ImportPhase, string> = {
  fetching: 'Fetching the feed',
  reading: 'Reading the feed',
  matching: 'Comparing it with the deals',
  writing: 'Writing deals',
  ending: 'Ending deals that are no longer offered',
};

type FedColumn = FeedField & ColumnFor<'feed'>;

/** Labels for feeds where they differ from those of a deal's form. */
const ownWords: Partial<Record<FedColumn, string>> & Record<Exclude<FeedField, FedColumn>, string> =
  {
    external_id: 'Product id',
    deal_url: 'Link',
    image_url: 'Picture',
    original_price: 'Regular price',
    sale_price: 'Sale price',
    sale_dates: 'Sale dates',
    currency: 'Currency',
    category: 'Category',
    gtin: 'GTIN / EAN',
    coupon_code: 'Coupon code',
    expires_at: 'End date',
    group_id: 'Variant group',
    unit_base: 'Unit price base',
  };
export function fieldLabel(field: FeedField): string {
  const column = columnsFor('feed').find((name) => name === field);
  return ownWords[field] ?? (column && dealColumns[column].label) ?? field;
}

export const scheduleWords = (minutes: number): string => {
  if (minutes < 60) return `Every ${minutes} minutes`;
  if (minutes === 60) return 'Every hour';
  if (minutes < 1_440) return `Every ${minutes / 60} hours`;
  return minutes === 1_440 ? 'Every day' : 'Every week';
};

export const isOver = (state: ImportState): boolean => state !== 'queued' && state !== 'running';
