import type { Selectable } from 'kysely';
import { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import type { Database } from '#database/schema.ts';
import type { CouponInput } from './coupon-input.ts';

const columns = [
  'id',
  'merchant_id',
  'code',
  'title',
  'terms',
  'url',
  'starts_at',
  'ends_at',
  'list',
  'version',
] as const;

/** A coupon as editors see it. */
export type EditableCoupon = Pick<Selectable<Database['coupons']>, (typeof columns)[number]>;

export const editableCoupons = editableRows<EditableCoupon, CouponInput>({
  table: 'coupons',
  entity: 'coupon',
  columns,
  unique: 'coupons_code_key',
  nameColumn: 'title',
});
