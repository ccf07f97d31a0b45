import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import type { AlertKind } from './alert-kind.ts';
import { type AlertOwner, isOwnedBy } from './alert-owner.server.ts';

export interface FiredAlert {
  alertId: number;
  /** `null` if the alert belongs to a user. */
  watcherId: number | null;
  eventId: number;
  kind: AlertKind;
  title: string;
  dealId: number;
  slug: string;
  merchantName: string;
  oldPrice: number | null;
  newPrice: number;
  targetPrice: number | null;
  targetPercent: number | null;
  repeats: boolean;
  goesTo: GoesTo;
  /** The key of the email about the alert, or `null` if there is none. */
  mailKey: string | null;
  /**
   * Whether the email is no longer needed: the alert was stopped, re-armed or fired again, or the
   * deal is gone.
   */
  isEnded: boolean;
  /** Whether the deal is still available at the price that fired. */
  isStillMet: boolean;
}

/**
 * Returns the alerts of the same owner and deal that fired together with this event, in their
 * current state.
 */
export async function findFiredTogether(db: Db, eventId: number): Promise<FiredAlert[]> {
  const alert = await ask(db).row<{ id: number; isUsers: boolean }>`
    select a.id, a.user_id is not null as "isUsers"
      from price_alert_events e join price_alerts a on a.id = e.alert_id where e.id = ${eventId}`;
  if (!alert) return [];
  const owner = (table: string) => sql.ref(`${table}.${alert.isUsers ? 'user_id' : 'watcher_id'}`);
  return readFired(
    db,
    sql`(${owner('a')}, a.deal_id) = (
          select ${owner('mine')}, mine.deal_id from price_alerts mine where mine.id = ${alert.id})
      and e.fired_at = (select fired_at from price_alert_events where id = ${eventId})
      and e.mail_state = 'queued'`,
  );
}

/** Returns an owner's alerts that fired on a day (UTC) after the first ten emails. */
export function findFiredOfDay(db: Db, owner: AlertOwner, day: string): Promise<FiredAlert[]> {
  return readFired(
    db,
    sql`e.mail_state = 'digest' and ${isOwnedBy(owner, 'e')} and e.digest_day = ${day}`,
  );
}

async function readFired(db: Db, condition: ReturnType<typeof sql>): Promise<FiredAlert[]> {
  return ask(db).rows<FiredAlert>`
    select a.id as "alertId", a.watcher_id as "watcherId", e.id as "eventId", a.kind, d.title, d.id as "dealId", d.slug, m.name as "merchantName",
           e.old_price as "oldPrice", d.sale_price as "newPrice", a.target_price as "targetPrice",
           a.target_percent as "targetPercent", a.repeats, a.goes_to as "goesTo", e.mail_key as "mailKey",
           a.is_active <> a.repeats or a.fired_at is distinct from e.fired_at or not coalesce(u.email_verified, true) or not d.is_active or d.is_expired
             or coalesce(d.expires_at <= now(), false) or not m.allow_alerts or a.currency <> d.currency
             or not ${isPriceShown} as "isEnded",
           d.availability <> 'out_of_stock' and (a.kind = 'back_in_stock'
             or d.sale_price <= case when a.kind = 'target' then a.target_price else e.new_price end) as "isStillMet"
      from price_alert_events e join price_alerts a on a.id = e.alert_id left join users u on u.id = a.user_id
      join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     where ${condition} order by e.id`;
}

export async function readAlertForTest(db: Db, alertId: number): Promise<FiredAlert | null> {
  return ask(db).row<FiredAlert>`
    select a.id as "alertId", a.watcher_id as "watcherId", 0 as "eventId", a.kind, d.title, d.id as "dealId", d.slug, m.name as "merchantName",
           null::int as "oldPrice", d.sale_price as "newPrice", a.target_price as "targetPrice",
           a.target_percent as "targetPercent", a.repeats, a.goes_to as "goesTo", null as "mailKey",
           false as "isEnded", true as "isStillMet"
      from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     where a.id = ${alertId} and d.is_active and ${isPriceShown}`;
}
