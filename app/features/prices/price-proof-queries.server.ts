import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceProof } from './price-proof.ts';
import { findUsualPrice, stepsOf, timeOf } from './usual-price.ts';

type KeptFacts = Pick<
  PriceProof,
  'watchedSince' | 'lowestEver' | 'lowestBefore' | 'originalSeenUntil' | 'usualPrice'
>;

type StepFacts = Omit<PriceProof, keyof KeptFacts>;

interface ProofRow extends KeptFacts {
  deal_id: number;
  present: number;
  claim: number | null;
  /** A version that changes when the steps, the current price or the claim change. */
  version: string;
  /**
   * Times in milliseconds since 1970, and the prices in minor units from these times, negative
   * while out of stock. `null` without a log, or if this version is cached.
   */
  at: number[] | null;
  prices: number[] | null;
}

const day = 86_400_000;
/** points; one for every four pixels of the line */
const mostPoints = 16;

/**
 * Caches the facts of deals whose price changes often. Reading a year of daily prices for each card
 * would cost more than everything else. Entries include the row's version, so only the passage of
 * time can make one outdated, for at most a minute.
 */
const remembered = new Map<number, { version: string; until: number; facts: StepFacts }>();
const mostRemembered = 1_000;
const rememberedFor = 60_000;

/**
 * Returns the price log's facts about some deals with one query. The facts are stored with each
 * deal, so that a year of prices costs as much as a week. A price while out of stock is not a low
 * and was not charged. A price in force at the beginning of a window belongs to the window. Deals
 * whose merchant forbids history have no facts, since later prices are unknown.
 */
export async function findPriceProofs(
  db: Db,
  deals: { id: number; original_price: number | null }[],
): Promise<Map<number, PriceProof>> {
  if (deals.length === 0) return new Map();
  const now = Date.now();
  const known = deals.map(({ id }) => {
    const one = remembered.get(id);
    return one && one.until > now ? one : null;
  });
  const rows = await readRows(db, deals, known);
  const facts = new Map(deals.map(({ id }, n) => [id, known[n]]));
  return new Map(
    rows.map((row) => [row.deal_id, asProof(row, readFacts(row, facts.get(row.deal_id), now))]),
  );
}

async function readRows(
  db: Db,
  deals: { id: number; original_price: number | null }[],
  known: readonly ({ version: string } | null)[],
): Promise<ProofRow[]> {
  return ask(db).rows<ProofRow>`/* often */
    select asked.id as deal_id, asked.claim, d.sale_price as present, p.usual_price as "usualPrice", p.watched_since as "watchedSince", p.lowest_ever as "lowestEver",
           case when epoch_ms(d.price_since) > p.at[cardinality(p.at)] then p.lowest_ever else p.lowest_before end as "lowestBefore",
           case when seen.until = 'infinity' then now() else seen.until end as "originalSeenUntil",
           named.version, case when asked.known is distinct from named.version then array_to_json(p.at[p.opening:]) end as at,
           case when asked.known is distinct from named.version then array_to_json(p.price[p.opening:]) end as prices
      from unnest(${deals.map((deal) => deal.id)}::bigint[],
                  ${deals.map((deal) => deal.original_price)}::integer[],
                  ${known.map((one) => one?.version ?? null)}::text[]) asked (id, claim, known)
      join deals d on d.id = asked.id
      join merchants m on m.id = d.merchant_id and m.keep_history
      left join lateral (
        select k.*, k.ctid as place, k.xmin as writer, width_bucket(epoch_ms(now() - interval '90 days'), k.at) as opening
          from price_proofs k where k.deal_id = asked.id) p on true
      cross join lateral (select concat_ws(' ', p.place, p.writer, d.sale_price, asked.claim) as version) named
      left join lateral (
        select case when p.claim is not distinct from asked.claim then p.claim_seen_until
               else claim_seen_until(asked.id, asked.claim) end as until) seen on true`;
}

function readFacts(
  row: ProofRow,
  known: { version: string; facts: StepFacts } | null | undefined,
  now: number,
): StepFacts {
  const facts = known?.version === row.version ? known.facts : readSteps(row, now);
  if (row.at && row.at.length > mostPoints) remember(row, facts, now);
  return facts;
}

function asProof(row: ProofRow, facts: StepFacts): PriceProof {
  const { watchedSince, lowestEver, lowestBefore, originalSeenUntil, usualPrice } = row;
  // The stored median is the basis of discounts, so pages show no other.
  const usual = facts.usual && usualPrice !== null ? { ...facts.usual, price: usualPrice } : null;
  return { watchedSince, lowestEver, lowestBefore, originalSeenUntil, usualPrice, ...facts, usual };
}

function remember({ deal_id, version }: ProofRow, facts: StepFacts, now: number): void {
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= mostRemembered) remembered.delete(oldest);
  remembered.delete(deal_id);
  remembered.set(deal_id, { version, until: now + rememberedFor, facts });
}

function readSteps(
  { at, prices, present, claim, originalSeenUntil }: ProofRow,
  now: number,
): StepFacts {
  const log = { prices: prices ?? [], times: at ?? [] };
  const steps = stepsOf(log, now);
  const offered = steps.filter(({ price }) => price > 0);
  const isOpened = (at?.[0] ?? now) <= now - 90 * day;
  const asked = offered.filter(({ price }) => price === claim);
  return {
    points: steps
      .slice(isOpened && steps.length === mostPoints + 1 ? 0 : -mostPoints)
      .map(({ from, price }) => ({ at: new Date(from), price: Math.abs(price) })),
    ...log,
    lowest90: lowestOf(offered),
    lowest30: lowestOf(offered.filter(({ until }) => until > now - 30 * day)),
    originalAskedDays: originalSeenUntil ? Math.floor(timeOf(asked) / day) : 0,
    usual: steps.at(-1)?.price === present ? findUsualPrice(offered, present) : null,
  };
}

function lowestOf(steps: readonly { price: number }[]): number | null {
  return steps.length > 0 ? Math.min(...steps.map(({ price }) => price)) : null;
}
