import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import {
  type FiredAlert,
  findFiredAlert,
  findFiredOfDay,
  readAlertForTest,
} from './fired-alert-queries.server.ts';
import type { PriceAlertProps } from './price-alert-email.tsx';
import type { AlertDigestProps } from './price-alert-digest-email.tsx';

/** The mails of this feature. Each is looked at once more when it is about to leave (R09). */
export const alertMails = {
  'price-alert': mailKind<PriceAlertProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail: OutboxMail<{ eventId?: number }>, _site, purpose) {
      const { eventId } = mail.payload;
      const alert = await findFiredAlert(db, eventId ?? 0);
      if (!alert || alert.isEnded) return null;
      if (!alert.isStillMet) {
        if (purpose === 'send') await armAgain(db, alert.alertId, alert.eventId);
        return null;
      }
      return prepareOne(db, alert, false);
    },
  }),
  'price-alert-test': mailKind<PriceAlertProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail: OutboxMail<{ alertId?: number }>) {
      const { alertId } = mail.payload;
      const alert = await readAlertForTest(db, alertId ?? 0);
      return alert && prepareOne(db, alert, true);
    },
  }),
  'price-alert-digest': mailKind<AlertDigestProps>({
    isAboutAccount: false,
    load: () => import('./price-alert-digest-email.tsx'),
    async prepare(db, mail: OutboxMail<{ userId?: string; day?: string }>, _site, purpose) {
      const { userId, day } = mail.payload;
      const fired = await findFiredOfDay(db, userId ?? '', day ?? '1970-01-01');
      const alerts: AlertDigestProps['alerts'] = [];
      for (const alert of fired.filter((one) => !one.isEnded)) {
        if (alert.isStillMet) alerts.push(alert);
        else if (purpose === 'send') await armAgain(db, alert.alertId, alert.eventId);
      }
      if (alerts.length === 0) return null;
      const what = { what: 'alerts', id: userId ?? '' } as const;
      const { stopPath, unsubscribePath } = await stopMailPaths(db, what);
      return { props: { alerts, stopPath }, unsubscribePath };
    },
  }),
};

async function prepareOne(db: Db, alert: FiredAlert, isTest: boolean) {
  const what = { what: 'alert', id: String(alert.alertId) } as const;
  const { stopPath, unsubscribePath } = await stopMailPaths(db, what);
  return { props: { ...alert, stopPath, isTest }, unsubscribePath };
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
