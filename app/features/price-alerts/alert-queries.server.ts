import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import type { Db } from '#database/connect.ts';
import type { AlertKind } from './alert-kind.ts';

export interface AlertView {
  id: number;
  kind: AlertKind;
  target_price: number | null;
  target_percent: number | null;
  is_active: boolean;
  fired_at: Date | null;
  fired_price: number | null;
  created_at: Date;
  deal: {
    id: number;
    slug: string;
    title: string;
    image_url: string | null;
    /** Null while the merchant's programme wants it hidden (P35d). */
    sale_price: number | null;
    is_expired: boolean;
    merchantName: string;
    allowsAlerts: boolean;
    isListed: boolean;
  };
  history: FiredEvent[];
}

export interface FiredEvent {
  id: number;
  fired_at: Date;
  old_price: number | null;
  /** Null while the price is hidden. */
  new_price: number | null;
  mail:
    | 'waiting'
    | 'sent'
    | 'kept'
    | 'failed'
    | 'cancelled'
    /** Mails that are over are kept for 90 days. */
    | 'forgotten'
    | 'digest'
    | 'same_drop'
    | 'unverified'
    | 'price_rose';
}

type Row = Omit<AlertView, 'deal' | 'history'> & {
  deal_id: number;
  slug: string;
  title: string;
  image_url: string | null;
  sale_price: number | null;
  is_expired: boolean;
  merchant_name: string;
  allow_alerts: boolean;
  is_listed: boolean;
  history: (Omit<FiredEvent, 'fired_at'> & { fired_at: string })[] | null;
};

const mostEventsShown = 10;

/** All of a user's alerts, the newest first, each with what it fired and what became of the mails. */
export async function listAlerts(db: Db, userId: string): Promise<AlertView[]> {
  const { rows } = await sql<Row>`
    select a.id, a.kind, a.target_price, a.target_percent, a.is_active, a.fired_at, a.fired_price, a.created_at,
           d.id as deal_id, d.slug, d.title, d.image_url,
           case when ${isPriceShown} then d.sale_price end as sale_price, d.is_active as is_listed,
           (d.is_expired or coalesce(d.expires_at <= now(), false)) as is_expired,
           m.name as merchant_name, m.allow_alerts, h.history
      from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
      left join lateral (
        select jsonb_agg(jsonb_build_object('id', e.id, 'fired_at', e.fired_at, 'old_price', e.old_price,
                 'new_price', e.new_price, 'mail', case when e.mail_state <> 'queued' then e.mail_state
                   when o.state = 'queued' then 'waiting' else coalesce(o.state, 'forgotten') end) order by e.id desc) as history
          from (select * from price_alert_events where alert_id = a.id order by id desc limit ${mostEventsShown}) e
          left join mail_outbox o on o.key = e.mail_key) h on true
     where a.user_id = ${userId}
     order by a.created_at desc, a.id desc`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    target_price: row.target_price,
    target_percent: row.target_percent,
    is_active: row.is_active,
    fired_at: row.fired_at,
    fired_price: row.sale_price === null ? null : row.fired_price,
    created_at: row.created_at,
    deal: {
      id: row.deal_id,
      slug: row.slug,
      title: row.title,
      image_url: row.image_url,
      sale_price: row.sale_price,
      is_expired: row.is_expired,
      merchantName: row.merchant_name,
      allowsAlerts: row.allow_alerts,
      isListed: row.is_listed,
    },
    history: (row.history ?? []).map((event) => ({
      ...event,
      ...(row.sale_price === null ? { old_price: null, new_price: null } : {}),
      fired_at: new Date(event.fired_at),
    })),
  }));
}

/** Ids of the deals a user waits for, for the bells on every page. */
export async function listAlertDealIds(db: Db, userId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('price_alerts')
    .select('deal_id')
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .execute();
  return rows.map((row) => row.deal_id);
}
