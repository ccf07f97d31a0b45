import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import type { AlertKind, AlertRule } from './alert-kind.ts';
import { type AlertLine, drawAlertLine } from './alert-line.ts';
import { type AlertOwner, isOwnedBy } from './alert-owner.server.ts';
import { sentByChannel } from './goes-to.ts';

export interface AlertView {
  id: number;
  kind: AlertKind;
  target_price: number | null;
  /** The target's currency. An alert in a currency other than the site's is paused. */
  currency: string;
  target_percent: number | null;
  repeats: boolean;
  goes_to: GoesTo;
  /**
   * The price that must be exceeded before a fired alert can fire again. `null` if there is none,
   * or while that price is hidden.
   */
  risesAbove: number | null;
  is_active: boolean;
  fired_at: Date | null;
  fired_price: number | null;
  created_at: Date;
  deal: {
    id: number;
    slug: string;
    title: string;
    picture: string | null;
    /** `null` while the merchant's program requires hiding it. */
    sale_price: number | null;
    currency: string;
    waitsForPrice: boolean;
    is_expired: boolean;
    merchantName: string;
    allowsAlerts: boolean;
    isListed: boolean;
  };
  history: FiredEvent[];
  /**
   * The deal's prices with the target. `null` while the price is hidden, or if there is no history.
   */
  line: AlertLine | null;
}

export interface FiredEvent {
  id: number;
  fired_at: Date;
  currency: string;
  old_price: number | null;
  /** `null` while the price is hidden. */
  new_price: number | null;
  mail:
    | 'waiting'
    | 'sent'
    /** The message was sent to the person's own channel instead of by email. */
    | 'channel'
    | 'kept'
    | 'failed'
    | 'cancelled'
    /** The alert fired again before the email was sent. */
    | 'newer'
    /** The email was deleted from the outbox, which keeps finished emails for 90 days. */
    | 'forgotten'
    | 'digest'
    | 'same_drop'
    | 'unverified'
    | 'price_rose';
}

const mostEventsShown = 10;

/** Returns all alerts of an owner, newest first, with their firings and the state of the emails. */
export async function listAlerts(db: Db, owner: AlertOwner) {
  const alerts = await ask(db).rows<Omit<AlertView, 'line'>>`
    select a.id, a.kind, a.currency, a.target_price, a.target_percent, a.repeats, a.goes_to, a.is_active,
           case when a.repeats and a.is_active and a.fired_at is not null and a.kind <> 'back_in_stock' and shown.price
             then a.last_mailed_price end as "risesAbove", a.fired_at, a.created_at,
           case when shown.price then a.fired_price end as fired_price,
           jsonb_build_object('id', d.id, 'slug', d.slug, 'title', d.title, 'picture', shown_picture(d.image_url, m.keeps_pictures),
             'sale_price', case when shown.price then d.sale_price end, 'currency', d.currency, 'waitsForPrice', d.waits_for_price,
             'is_expired', d.is_expired or coalesce(d.expires_at <= now(), false),
             'merchantName', m.name, 'allowsAlerts', m.allow_alerts, 'isListed', d.is_active) as deal,
           coalesce(h.history, '[]') as history
      from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     cross join lateral (select ${isPriceShown} as price) shown
      left join lateral (
        select jsonb_agg(jsonb_build_object('id', e.id, 'fired_at', e.fired_at, 'currency', e.currency,
                 'old_price', case when shown.price then e.old_price end,
                 'new_price', case when shown.price then e.new_price end,
                 'mail', case when e.mail_state <> 'queued' then e.mail_state
                   when o.state = 'queued' then 'waiting'
                   when o.last_error = ${sentByChannel} then 'channel'
                   when o.state = 'cancelled' and a.repeats and e.fired_at < a.fired_at then 'newer' else coalesce(o.state, 'forgotten') end) order by e.id desc) as history
          from (select * from price_alert_events where alert_id = a.id order by id desc limit ${mostEventsShown}) e
          left join mail_outbox o on o.key = e.mail_key) h on true
     where ${isOwnedBy(owner, 'a')}
     order by a.created_at desc, a.id desc`;
  // Times are text in JSON, so they are converted to dates.
  const dated = (event: FiredEvent) => ({ ...event, fired_at: new Date(event.fired_at) });
  const deals = alerts.map(({ deal: { id } }) => ({ id, original_price: null }));
  const proofs = await findPriceProofs(db, deals);
  return alerts.map((alert): AlertView => {
    const { deal, currency, target_price: target } = alert;
    const points = deal.sale_price === null ? [] : (proofs.get(deal.id)?.points ?? []);
    const line = drawAlertLine(points, currency === deal.currency ? target : null, new Date());
    return { ...alert, line, history: alert.history.map(dated) };
  });
}

/** Returns a user's alerts for one deal. */
export function listRulesOfDeal(db: Db, userId: string, dealId: number): Promise<AlertRule[]> {
  return db
    .selectFrom('price_alerts')
    .select(['kind', 'target_price', 'target_percent', 'repeats'])
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .where('deal_id', '=', dealId)
    .orderBy('id')
    .execute();
}
