import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { mailKind } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import type { AlertKind } from './alert-kind.ts';
import type { PriceAlertProps } from './price-alert-email.tsx';
import type { AlertDigestProps } from './price-alert-digest-email.tsx';

/** The mails of this feature. Each is looked at once more when it is about to leave (R09). */
export const alertMails = {
  'price-alert': mailKind<PriceAlertProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail) {
      const { eventId } = mail.payload as { eventId?: number };
      const fired = await readFired(db, sql`e.id = ${eventId ?? 0}`);
      const alert = fired[0];
      if (!alert || alert.isEnded) return null;
      if (!alert.isStillMet) {
        await armAgain(db, alert.alertId, alert.eventId);
        return null;
      }
      const paths = await stopMailPaths(db, { what: 'alert', id: String(alert.alertId) });
      return {
        props: { ...alert, stopPath: paths.stopPath, isTest: false },
        unsubscribePath: paths.unsubscribePath,
      };
    },
  }),
  'price-alert-test': mailKind<PriceAlertProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail) {
      const { alertId } = mail.payload as { alertId?: number };
      const alert = await readForTest(db, alertId ?? 0);
      if (!alert) return null;
      const paths = await stopMailPaths(db, { what: 'alert', id: String(alert.alertId) });
      return {
        props: { ...alert, stopPath: paths.stopPath, isTest: true },
        unsubscribePath: paths.unsubscribePath,
      };
    },
  }),
  'price-alert-digest': mailKind<AlertDigestProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-digest-email.tsx'),
    async prepare(db, mail) {
      const { userId, day } = mail.payload as { userId?: string; day?: string };
      const fired = await readFired(
        db,
        sql`e.mail_state = 'digest' and e.user_id = ${userId ?? ''} and e.digest_day = ${day ?? '1970-01-01'}`,
      );
      const alerts: AlertDigestProps['alerts'] = [];
      for (const alert of fired.filter((one) => !one.isEnded)) {
        if (alert.isStillMet) alerts.push(alert);
        else await armAgain(db, alert.alertId, alert.eventId);
      }
      if (alerts.length === 0) return null;
      const paths = await stopMailPaths(db, { what: 'alerts', id: userId ?? '' });
      return {
        props: { alerts, stopPath: paths.stopPath },
        unsubscribePath: paths.unsubscribePath,
      };
    },
  }),
};

export interface FiredAlert {
  alertId: number;
  eventId: number;
  kind: AlertKind;
  title: string;
  dealId: number;
  slug: string;
  merchantName: string;
  oldPrice: number | null;
  newPrice: number;
  targetPrice: number | null;
  lowest90: number | null;
  /** The user stopped or armed it meanwhile, or the deal is gone: no mail has a reason any more. */
  isEnded: boolean;
  /** The deal can still be had at the price that fired. */
  isStillMet: boolean;
}

async function readFired(db: Db, condition: ReturnType<typeof sql>): Promise<FiredAlert[]> {
  const { rows } = await sql<FiredAlert>`
    select a.id as "alertId", e.id as "eventId", a.kind, d.title, d.id as "dealId", d.slug, m.name as "merchantName",
           e.old_price as "oldPrice", d.sale_price as "newPrice", a.target_price as "targetPrice",
           lowest_price_within(d.id, 90, now()) as "lowest90",
           a.is_active or a.fired_at is null or not u.email_verified or not d.is_active or d.is_expired
             or coalesce(d.expires_at <= now(), false) or not m.allow_alerts as "isEnded",
           d.availability <> 'out_of_stock' and (a.kind = 'back_in_stock'
             or d.sale_price <= case when a.kind = 'target' then a.target_price else e.new_price end) as "isStillMet"
      from price_alert_events e join price_alerts a on a.id = e.alert_id join users u on u.id = a.user_id
      join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     where ${condition} order by e.id`.execute(db);
  return rows;
}

async function readForTest(db: Db, alertId: number): Promise<FiredAlert | null> {
  const { rows } = await sql<FiredAlert>`
    select a.id as "alertId", 0 as "eventId", a.kind, d.title, d.id as "dealId", d.slug, m.name as "merchantName",
           null::int as "oldPrice", d.sale_price as "newPrice", a.target_price as "targetPrice",
           lowest_price_within(d.id, 90, now()) as "lowest90", false as "isEnded", true as "isStillMet"
      from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     where a.id = ${alertId} and d.is_active`.execute(db);
  return rows[0] ?? null;
}

/**
 * The price rose again before the mail could leave: nothing was told, so the alert goes back to waiting. From
 * the price of this moment, as whenever it is armed.
 */
async function armAgain(db: Db, alertId: number, eventId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('price_alert_events')
      .set({ mail_state: 'price_rose' })
      .where('id', '=', eventId)
      .execute();
    await tx
      .updateTable('price_alerts')
      .set({
        is_active: true,
        last_mailed_at: null,
        last_mailed_price: null,
        updated_at: sql`now()`,
      })
      .where('id', '=', alertId)
      .where('is_active', '=', false)
      .where('fired_at', 'is not', null)
      .execute();
  });
}
