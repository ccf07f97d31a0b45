import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';

/** Two live deals that may be the same product. `one` has the smaller id. */
interface CandidatePair {
  one: number;
  other: number;
  /** Whether they are variants of one group at a store, and have nothing else in common. */
  isGroup: boolean;
}

/** A code shared by more deals, such as a chip's, does not identify a product. */
const mostWithCode = 50;
/** maximum number of candidates per deal */
const mostCandidates = 50;
/** maximum number of variants to compare with a deal that has a product */
const mostVariants = 10;

/**
 * Returns pairs of these deals and others with the same GTIN, part number or model number. Variants
 * of one group are paired if one has a product. A product is represented by its first live deal.
 * Excludes pairs within one product or its variants, and pairs that staff declared different.
 */
export function findCandidates(tx: Tx, ids: number[]): Promise<CandidatePair[]> {
  return ask(tx).rows<CandidatePair>`
    with subject as (
      select id, merchant_id, gtin, item_group_id, product_id from deals
       where id = any(${ids}::bigint[]) and is_active and not is_expired
    ), found as (
      select s.id, o.id as other, 1 as rank
        from subject s cross join lateral (
          select id from deals where gtin = s.gtin and id <> s.id and is_active and not is_expired
             and (product_id is null or product_id is distinct from s.product_id)
           order by id limit ${mostCandidates}) o
      union all
      select s.id, o.id, 2
        from subject s join deal_codes c on c.deal_id = s.id
        cross join lateral (
          select array_agg(deal_id) as ids
            from (select deal_id from deal_codes where token = c.token limit ${mostWithCode + 1}) few) same
        join deals o on o.id = any(same.ids) and o.merchant_id <> s.merchant_id
             and (o.product_id is null or o.product_id is distinct from s.product_id)
       where cardinality(same.ids) between 2 and ${mostWithCode}
      union all
      select s.id, o.id, 3
        from subject s cross join lateral (
          select id from deals
           where merchant_id = s.merchant_id and item_group_id = s.item_group_id and id <> s.id
             and (product_id is not null or s.product_id is not null)
           order by product_id is null, id limit case when s.product_id is null then 1 else ${mostVariants} end) o
    ), best as (
      select id, other, min(rank) as rank from found group by id, other
    ), few as (
      select id, other, rank
        from (select *, row_number() over (partition by id order by rank, other) as place from best) b
       where place <= ${mostCandidates}
    ), pair as (
      select least(f.one, f.other) as one, greatest(f.one, f.other) as other, min(f.rank) as rank
        from (
          select coalesce(ra.id, a.id) as one, coalesce(rb.id, b.id) as other, few.rank
            from few join deals a on a.id = few.id join deals b on b.id = few.other
            left join products pa on pa.id = a.product_id left join products pb on pb.id = b.product_id
            left join lateral (select min(id) as id from deals where product_id = a.product_id and is_active and not is_expired) ra on true
            left join lateral (select min(id) as id from deals where product_id = b.product_id and is_active and not is_expired) rb on true
           where b.is_active and not b.is_expired
             and (pa.id is null or pb.id is null or coalesce(pa.variant_of, pa.id) <> coalesce(pb.variant_of, pb.id))
             and not exists (select from duplicate_dismissals x
                              where x.deal_id = least(a.id, b.id) and x.other_id = greatest(a.id, b.id))
        ) f
       group by 1, 2
    )
    select one, other, rank = 3 as "isGroup" from pair
     where one <> other
       and not exists (select from duplicate_dismissals x where x.deal_id = one and x.other_id = pair.other)
     order by one, other`;
}
