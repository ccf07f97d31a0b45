import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceProof } from './price-proof.ts';

interface ProofRow extends Omit<PriceProof, 'points'> {
  deal_id: number;
  openingPrice: number | null;
  points: [at: number, price: number][] | null;
}

const mostPoints = 40;

/**
 * What the log knows of some deals, in one statement however many. A price while out of stock is no low and was not
 * charged (P7b); a price in force when a window opened belongs to it. A merchant whose history is no longer kept has
 * none: what happened since the log ended is unknown (P35d).
 */
export async function findPriceProofs(
  db: Db,
  deals: { id: number; original_price: number | null }[],
): Promise<Map<number, PriceProof>> {
  if (deals.length === 0) return new Map();
  const rows = await ask(db).rows<ProofRow>`
    select w.id as deal_id, a.watched_since as "watchedSince", a.lowest_ever as "lowestEver", b.lowest_before as "lowestBefore",
           least(a.lowest_90, o90.sale_price) as "lowest90", least(a.lowest_30, o30.sale_price) as "lowest30",
           case when a.original_seen_at is not null then coalesce(
             (select min(n.at) from price_log n where n.deal_id = w.id and n.at > a.original_seen_at), now())
           end as "originalSeenUntil", o90.asked as "openingPrice", p.points
      from (
        select asked.id, asked.original_price, d.price_since
          from unnest(${deals.map((deal) => deal.id)}::bigint[],
                      ${deals.map((deal) => deal.original_price)}::integer[]) asked (id, original_price)
          join deals d on d.id = asked.id
          join merchants m on m.id = d.merchant_id and m.keep_history) w
      left join lateral (
        select min(at) filter (where availability <> 'out_of_stock') as watched_since,
               min(sale_price) filter (where availability <> 'out_of_stock') as lowest_ever,
               min(sale_price) filter (where availability <> 'out_of_stock' and at >= now() - interval '90 days') as lowest_90,
               min(sale_price) filter (where availability <> 'out_of_stock' and at >= now() - interval '30 days') as lowest_30,
               max(at) filter (where sale_price = w.original_price and availability <> 'out_of_stock') as original_seen_at
          from price_log where deal_id = w.id) a on true
      left join lateral (
        select min(l.sale_price) as lowest_before from price_log l
         where l.deal_id = w.id and l.availability <> 'out_of_stock'
           and l.at < w.price_since) b on true
      left join lateral (
        select case when availability <> 'out_of_stock' then sale_price end as sale_price, sale_price as asked
          from price_log
         where deal_id = w.id and at < now() - interval '90 days' order by at desc, id desc limit 1) o90 on true
      left join lateral (
        select case when availability <> 'out_of_stock' then sale_price end as sale_price from price_log
         where deal_id = w.id and at < now() - interval '30 days' order by at desc, id desc limit 1) o30 on true
      left join lateral (
        select jsonb_agg(jsonb_build_array(round(extract(epoch from at) * 1000), sale_price) order by at, id) as points
          from (select id, at, sale_price from price_log where deal_id = w.id and at >= now() - interval '90 days'
                 order by at desc, id desc limit ${mostPoints}) recent) p on true`;
  return new Map(rows.map(({ deal_id, ...row }) => [deal_id, asProof(row)]));
}

function asProof({ openingPrice, points, ...known }: Omit<ProofRow, 'deal_id'>): PriceProof {
  const steps = (points ?? []).map(([at, price]) => ({ at: new Date(at), price }));
  if (openingPrice !== null) {
    steps.unshift({ at: new Date(Date.now() - 90 * 86_400_000), price: openingPrice });
  }
  return { ...known, points: steps };
}
