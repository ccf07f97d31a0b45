import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceProof } from './price-proof.ts';

interface ProofRow extends Omit<PriceProof, 'points'> {
  deal_id: number;
  openingPrice: number | null;
  /** Milliseconds since 1970, and the prices in cents from then on; below zero while out of stock. */
  at: number[] | null;
  prices: number[] | null;
}

/** One for each four pixels of the line. */
const mostPoints = 16;

/**
 * What the log knows of some deals, in one statement however many. It is kept beside each deal, so a year of prices costs
 * what a week does (decision 039). A price while out of stock is no low and was not charged (P7b); a price in force when a
 * window opened belongs to it. A merchant whose history is no longer kept has none: what happened since the log ended is
 * unknown (P35d).
 */
export async function findPriceProofs(
  db: Db,
  deals: { id: number; original_price: number | null }[],
): Promise<Map<number, PriceProof>> {
  if (deals.length === 0) return new Map();
  const rows = await ask(db).rows<ProofRow>`
    select asked.id as deal_id, p.watched_since as "watchedSince", p.lowest_ever as "lowestEver",
           case when epoch_ms(d.price_since) > p.at[p.newest] then p.lowest_ever else p.lowest_before end as "lowestBefore",
           lowest_since(p.at, p.low, now() - interval '90 days') as "lowest90",
           lowest_since(p.at, p.low, now() - interval '30 days') as "lowest30",
           case when seen.until = 'infinity' then now() else seen.until end as "originalSeenUntil",
           coalesce(asked_for.days, 0) as "originalAskedDays",
           case when p.opening >= p.newest - ${mostPoints} then p.price[p.opening] end as "openingPrice",
           array_to_json(p.at[greatest(p.opening, p.newest - ${mostPoints}) + 1:]) as at,
           array_to_json(p.price[greatest(p.opening, p.newest - ${mostPoints}) + 1:]) as prices
      from unnest(${deals.map((deal) => deal.id)}::bigint[],
                  ${deals.map((deal) => deal.original_price)}::integer[]) asked (id, claim)
      join deals d on d.id = asked.id
      join merchants m on m.id = d.merchant_id and m.keep_history
      left join lateral (
        select k.*, cardinality(k.at) as newest, width_bucket(epoch_ms(now() - interval '90 days'), k.at) as opening
          from price_proofs k where k.deal_id = asked.id) p on true
      left join lateral (
        select case when p.claim is not distinct from asked.claim then p.claim_seen_until
               else claim_seen_until(asked.id, asked.claim) end as until) seen on true
      left join lateral (
        select round(sum(least(coalesce(p.at[n + 1], kept.now), kept.now) - greatest(p.at[n], kept.opens)) / 86400000)::integer as days
          from (select epoch_ms(now()) as now, epoch_ms(now() - interval '90 days') as opens) kept,
               unnest(array_positions(p.price, asked.claim)) n
         where coalesce(p.at[n + 1], kept.now) > kept.opens) asked_for on seen.until is not null`;
  return new Map(rows.map(({ deal_id, ...row }) => [deal_id, asProof(row)]));
}

function asProof({ openingPrice, at, prices, ...known }: Omit<ProofRow, 'deal_id'>): PriceProof {
  const points = (at ?? []).map((ms, n) => ({
    at: new Date(ms),
    price: Math.abs(prices?.[n] ?? 0),
  }));
  if (openingPrice !== null) {
    points.unshift({ at: new Date(Date.now() - 90 * 86_400_000), price: Math.abs(openingPrice) });
  }
  return { ...known, points };
}
