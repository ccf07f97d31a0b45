import type { Insertable } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { insertMerchant } from './insert.ts';

/** Inserts a coupon, and its store unless the overrides name one. */
export async function insertCoupon(
  db: Db,
  overrides: Partial<Insertable<Database['coupons']>> = {},
) {
  const merchant_id = overrides.merchant_id ?? (await insertMerchant(db)).id;
  return db
    .insertInto('coupons')
    .values({ code: 'SAVE10', title: '10% off everything', ...overrides, merchant_id })
    .returningAll()
    .executeTakeFirstOrThrow();
}
