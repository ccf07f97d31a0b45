import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { conditionOf, liveScope } from './deal-conditions.server.ts';
import type { DealFilter } from './deal-list-input.ts';

/** For each option of the filter bar: would it leave a live deal, beside the other filters in force? */
export interface DealFacets {
  status: Record<'new' | 'used', boolean>;
  seller: Record<'amazon' | 'third_party', boolean>;
  type: Record<'featured' | 'coupon' | 'expiring', boolean>;
}

/**
 * Which filter options lead somewhere. It tells only whether, not how many: at a million deals counting seven
 * options costs a hundred times more than finding one deal for each.
 */
export async function findDealFacets(db: Db, filter: DealFilter): Promise<DealFacets> {
  const exists = (option: Partial<DealFilter>) => {
    const condition = conditionOf({ ...filter, ...option });
    return sql<boolean>`exists (select 1 from deals where ${liveScope} and ${condition})`;
  };
  const { rows } = await sql<{
    is_new: boolean;
    is_used: boolean;
    amazon: boolean;
    third_party: boolean;
    featured: boolean;
    coupon: boolean;
    expiring: boolean;
  }>`
    select ${exists({ status: 'new' })} as is_new, ${exists({ status: 'used' })} as is_used,
           ${exists({ sellerType: 'amazon' })} as amazon, ${exists({ sellerType: 'third_party' })} as third_party,
           ${exists({ dealType: 'featured' })} as featured, ${exists({ dealType: 'coupon' })} as coupon,
           ${exists({ dealType: 'expiring' })} as expiring`.execute(db);
  const row = rows[0];
  return {
    status: { new: row?.is_new ?? false, used: row?.is_used ?? false },
    seller: { amazon: row?.amazon ?? false, third_party: row?.third_party ?? false },
    type: {
      featured: row?.featured ?? false,
      coupon: row?.coupon ?? false,
      expiring: row?.expiring ?? false,
    },
  };
}
