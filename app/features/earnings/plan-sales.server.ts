import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { SaleStatus } from '#database/schema/earning-tables.ts';
import type { NetworkId } from './affiliate-networks.ts';
import type { MatchedSale, SaleMatch } from './match-sales.server.ts';

/** The effect of a reported sale. */
export type SaleEffect =
  | { kind: 'new' }
  | { kind: 'same' }
  /** The report is older: it lists a settled sale as pending, so nothing changes. */
  | { kind: 'older'; was: StoredSale }
  | { kind: 'changed'; was: StoredSale };

export interface StoredSale extends SaleMatch {
  transaction_id: string;
  status: SaleStatus;
  amount: number;
  currency: string;
  day: string;
}

/** A reported sale and its effect. */
export interface PlannedSale {
  sale: MatchedSale;
  effect: SaleEffect;
}

/** Compares reported sales with the stored ones, which the network's transaction id identifies. */
export async function planSales(
  db: Db,
  network: NetworkId,
  sales: readonly MatchedSale[],
): Promise<PlannedSale[]> {
  const ids = sales.map(({ transactionId }) => transactionId);
  const rows = await ask(db).rows<StoredSale>`
    select transaction_id, status, amount, currency, day, channel, newsletter_id, newsletter_link,
           slot_id, deal_id, coupon_id, clicked_on, merchant_id, category_id, feed_source_id
      from earnings where network = ${network} and transaction_id = any(${ids}::text[])`;
  const stored = new Map(rows.map((row) => [row.transaction_id, row]));
  return sales.map((sale) => {
    const was = stored.get(sale.transactionId);
    if (!was) return { sale, effect: { kind: 'new' } };
    if (sale.status === 'pending' && was.status !== 'pending')
      return { sale, effect: { kind: 'older', was } };
    const known = { ...sale, match: matchAfter(sale.match, was) };
    return {
      sale: known,
      effect: isSame(known, was) ? { kind: 'same' } : { kind: 'changed', was },
    };
  });
}

/**
 * Returns the new match of a stored sale. The scopes of its first report are preserved while its
 * deal or coupon is the same. A report without sub-ids does not remove a match.
 */
function matchAfter(match: SaleMatch, was: StoredSale): SaleMatch {
  const namesSame = match.deal_id === was.deal_id && match.coupon_id === was.coupon_id;
  const keeps = match.channel === null || (namesSame && was.merchant_id !== null);
  if (!keeps || was.channel === null) return match;
  const { transaction_id: _id, status: _status, amount: _amount, ...rest } = was;
  const { currency: _currency, day: _day, ...kept } = rest;
  return kept;
}

function isSame(sale: MatchedSale, was: StoredSale): boolean {
  const { status, amount, currency, day, match } = sale;
  return (
    status === was.status &&
    amount === was.amount &&
    currency === was.currency &&
    day === was.day &&
    match.channel === was.channel &&
    match.newsletter_id === was.newsletter_id &&
    match.newsletter_link === was.newsletter_link &&
    match.slot_id === was.slot_id &&
    match.deal_id === was.deal_id &&
    match.coupon_id === was.coupon_id &&
    match.merchant_id === was.merchant_id
  );
}

/** Writes the new and changed sales. `importId` is null for a postback, which cannot be undone. */
export async function writeSales(
  tx: Db,
  network: NetworkId,
  planned: readonly PlannedSale[],
  importId: number | null,
): Promise<void> {
  const rows = planned
    .filter(({ effect }) => effect.kind === 'new' || effect.kind === 'changed')
    .map(({ sale: { transactionId, status, amount, currency, day, match } }) => ({
      transaction_id: transactionId,
      status,
      amount,
      currency,
      day,
      ...match,
    }));
  await ask(tx).rows`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
        transaction_id text, status text, amount integer, currency text, day date, channel text,
        newsletter_id bigint, newsletter_link integer, slot_id bigint, deal_id bigint,
        coupon_id bigint, clicked_on date, merchant_id bigint, category_id bigint,
        feed_source_id bigint)
    ), before as (
      select e.* from earnings e join given g on g.transaction_id = e.transaction_id
       where e.network = ${network}
    ), written as (
      insert into earnings (network, transaction_id, status, amount, currency, day, channel,
                            newsletter_id, newsletter_link, slot_id, deal_id, coupon_id, clicked_on,
                            merchant_id, category_id, feed_source_id, import_id)
      select ${network}, g.transaction_id, g.status, g.amount, g.currency, g.day, g.channel,
             g.newsletter_id, g.newsletter_link, g.slot_id, g.deal_id, g.coupon_id, g.clicked_on,
             g.merchant_id, g.category_id, g.feed_source_id, ${importId}::bigint
        from given g
      on conflict (network, transaction_id) do update
        set status = excluded.status, amount = excluded.amount, currency = excluded.currency,
            day = excluded.day, channel = excluded.channel, newsletter_id = excluded.newsletter_id,
            newsletter_link = excluded.newsletter_link, slot_id = excluded.slot_id,
            deal_id = excluded.deal_id, coupon_id = excluded.coupon_id,
            clicked_on = excluded.clicked_on, merchant_id = excluded.merchant_id,
            category_id = excluded.category_id, feed_source_id = excluded.feed_source_id,
            import_id = excluded.import_id, updated_at = now()
      returning id
    )
    insert into earning_changes (import_id, earning_id, before)
    select ${importId}::bigint, w.id, to_jsonb(b)
      from written w left join before b on b.id = w.id
     where ${importId}::bigint is not null`;
}

/** Serializes a network's reports and postbacks. */
export async function lockNetwork(tx: Db, network: NetworkId): Promise<void> {
  await ask(tx).rows`select pg_advisory_xact_lock(hashtextextended(${`earnings ${network}`}, 0))`;
}
