import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import type { MerchantInput } from './merchant-input.ts';

const columns = [
  'id',
  'name',
  'slug',
  'description',
  'logo_url',
  'website_url',
  'seller_type',
  'is_featured',
  'affiliate_template',
  'affiliate_sub_id',
  'sub_id_network',
  'free_shipping_over',
  'standard_shipping',
  'matches_freely',
  'keep_history',
  'allow_alerts',
  'hide_price_after_hours',
  'show_price_timestamp',
  'price_disclaimer',
  'keeps_pictures',
  'check_reply',
  ...searchColumns,
  'share_image_url',
  'deal_count',
  'version',
] as const;

/** A merchant with the fields that editors see. */
export type EditableMerchant = Pick<Selectable<Database['merchants']>, (typeof columns)[number]>;

export const editableMerchants = editableRows<EditableMerchant, MerchantInput>({
  table: 'merchants',
  entity: 'merchant',
  columns,
  dealColumns: 'merchant_id',
});
