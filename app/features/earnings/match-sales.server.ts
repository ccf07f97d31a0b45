import type { Selectable } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { Sale } from './read-report.server.ts';
import { decodeSubId, type NamedClick } from './sub-id.server.ts';

/** The deal, source and scopes of a sale, as columns of `earnings`. */
export type SaleMatch = Pick<
  Selectable<Database['earnings']>,
  | 'channel'
  | 'newsletter_id'
  | 'newsletter_link'
  | 'slot_id'
  | 'deal_id'
  | 'coupon_id'
  | 'clicked_on'
  | 'merchant_id'
  | 'category_id'
  | 'feed_source_id'
>;

/** The reason why a sale was or was not matched to a deal. */
export type MatchResult =
  | 'matched'
  /** The deal or coupon was deleted, so the store is unknown. */
  | 'deleted'
  /** The link of a newsletter or ad had no deal. */
  | 'link'
  | 'no sub-id'
  /** The sub-id was not created by this site. */
  | 'foreign';

export interface MatchedSale extends Sale {
  match: SaleMatch;
  result: MatchResult;
}

const unmatched: SaleMatch = {
  channel: null,
  newsletter_id: null,
  newsletter_link: null,
  slot_id: null,
  deal_id: null,
  coupon_id: null,
  clicked_on: null,
  merchant_id: null,
  category_id: null,
  feed_source_id: null,
};

interface Places {
  id: number;
  merchant_id: number;
  category_id: number | null;
  feed_source_id: number | null;
}

/** Finds the deal and source of each sale from its signed sub-id. */
export async function matchSales(db: Db, sales: readonly Sale[]): Promise<MatchedSale[]> {
  const clicks = new Map<string, NamedClick | null>();
  for (const { subId } of sales)
    if (subId !== '' && !clicks.has(subId)) clicks.set(subId, await decodeSubId(db, subId));
  const idsOf = (kind: 'deal' | 'coupon') =>
    [...clicks.values()].flatMap((click) => (click?.target.kind === kind ? click.target.id : []));
  const deals = await ask(db).rows<Places>`
    select id, merchant_id, category_id, coalesce(feed_source_id, 0) as feed_source_id
      from deals where id = any(${idsOf('deal')}::bigint[])`;
  const coupons = await ask(db).rows<Places>`
    select id, merchant_id, null::bigint as category_id, null::bigint as feed_source_id
      from coupons where id = any(${idsOf('coupon')}::bigint[])`;
  const places = {
    deal: new Map(deals.map((row) => [row.id, row])),
    coupon: new Map(coupons.map((row) => [row.id, row])),
  };
  return sales.map((sale) => {
    const click = clicks.get(sale.subId);
    if (!click) {
      return { ...sale, match: unmatched, result: sale.subId === '' ? 'no sub-id' : 'foreign' };
    }
    const { target, source, day } = click;
    const found = target.kind === 'link' ? undefined : places[target.kind].get(target.id);
    const match: SaleMatch = {
      channel: source.channel,
      newsletter_id: source.newsletterId,
      newsletter_link: source.channel === 'newsletter' ? (source.link ?? null) : null,
      slot_id: source.channel === 'site' ? (source.slotId ?? null) : null,
      deal_id: target.kind === 'deal' ? target.id : null,
      coupon_id: target.kind === 'coupon' ? target.id : null,
      clicked_on: day,
      merchant_id: found?.merchant_id ?? null,
      category_id: found?.category_id ?? null,
      feed_source_id: found?.feed_source_id ?? null,
    };
    const result = target.kind === 'link' ? 'link' : found ? 'matched' : 'deleted';
    return { ...sale, match, result };
  });
}

/** Returns the titles of deals by id. */
export async function nameDeals(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await ask(db).rows<{ id: number; title: string }>`
    select id, title from deals where id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, title }) => [id, title]));
}
