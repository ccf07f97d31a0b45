import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { findMailPictures, noPictures } from '#app/features/prices/mail-deal-pictures.server.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { alertListPath } from './watch-link.server.ts';
import {
  type FiredAlert,
  findFiredOfDay,
  findFiredTogether,
  readAlertForTest,
} from './fired-alert-queries.server.ts';

interface PausedAlerts {
  userId: string | null;
  watcherId: number | null;
  from: string;
}

async function countPausedAlerts(db: Db, { userId, watcherId, from }: PausedAlerts) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from price_alerts
     where is_active and currency = ${from} and currency <> site_currency()
       and user_id is not distinct from ${userId} and watcher_id is not distinct from ${watcherId}::bigint`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The emails of this feature. Each one is checked again just before it is sent. */
export const alertMails = {
  'price-alert': mailKind({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail: OutboxMail<{ eventId?: number }>, _site, purpose) {
      const fired = await findFiredTogether(db, mail.payload.eventId ?? 0);
      // Older versions queued one email per alert. Now the first email covers all of them.
      if (fired[0]?.mailKey !== mail.key) return null;
      const alerts = await stillMet(db, fired, purpose);
      return isSome(alerts) ? prepareOne(db, alerts, false) : null;
    },
  }),
  'price-alert-test': mailKind({
    isAboutAccount: false,
    load: () => import('./price-alert-email.tsx'),
    async prepare(db, mail: OutboxMail<{ alertId?: number }>) {
      const alert = await readAlertForTest(db, mail.payload.alertId ?? 0);
      return alert && prepareOne(db, [alert], true);
    },
  }),
  'price-alert-digest': mailKind({
    isAboutAccount: false,
    load: () => import('./price-alert-digest-email.tsx'),
    async prepare(db, mail: OutboxMail<DigestOfDay>, _site, purpose) {
      const { userId = '', watcherId = null, day = '1970-01-01' } = mail.payload;
      const owner = watcherId === null ? { userId } : { watcherId };
      const fired = await findFiredOfDay(db, owner, day);
      const alerts = await stillMet(db, fired, purpose);
      if (alerts.length === 0) return null;
      const { stopPath, unsubscribePath } = await stopMailPaths(
        db,
        watcherId === null
          ? { what: 'alerts', id: userId }
          : { what: 'watcher', id: String(watcherId) },
      );
      const listPath = await alertListPath(db, watcherId);
      const pictures = await findMailPictures(db, alerts.map(asPictured));
      const ids = alerts.map(({ dealId }) => dealId);
      const otherStores = await findOtherStores(db, ids, null);
      const shown = alerts.map((alert) => ({
        ...alert,
        ...pictures.get(alert.dealId),
        otherStores: otherStores.get(alert.dealId),
      }));
      return { props: { alerts: shown, stopPath, listPath }, unsubscribePath };
    },
  }),
  /** The email is sent only while some of the owner's alerts are paused by a currency change. */
  'price-alerts-paused': mailKind({
    isAboutAccount: false,
    load: () => import('./price-alerts-paused-email.tsx'),
    async prepare(db, mail: OutboxMail<PausedAlerts>, { currency: to }) {
      const { userId, watcherId, from } = mail.payload;
      const count = await countPausedAlerts(db, mail.payload);
      if (count === 0) return null;
      const { stopPath, unsubscribePath } = await stopMailPaths(
        db,
        watcherId === null
          ? { what: 'alerts', id: userId ?? '' }
          : { what: 'watcher', id: String(watcherId) },
      );
      const listPath = await alertListPath(db, watcherId);
      return { props: { count, from, to, stopPath, listPath }, unsubscribePath };
    },
  }),
};

const asPictured = ({ dealId, targetPrice }: FiredAlert) => ({ id: dealId, target: targetPrice });

type DigestOfDay = { userId?: string; watcherId?: number; day?: string };

type Several<T> = readonly [T, ...T[]];
const isSome = <T>(rows: readonly T[]): rows is Several<T> => rows.length > 0;

/** Returns the alerts that are still met. If the price rose again, the alert is re-armed. */
export async function stillMet(
  db: Db,
  fired: FiredAlert[],
  purpose: string,
): Promise<FiredAlert[]> {
  const alerts: FiredAlert[] = [];
  for (const alert of fired.filter((one) => !one.isEnded)) {
    if (alert.isStillMet) alerts.push(alert);
    else if (purpose === 'send') await armAgain(db, alert.alertId, alert.eventId);
  }
  return alerts;
}

/** Prepares one email about a deal that lists all fired alerts. */
async function prepareOne(db: Db, alerts: Several<FiredAlert>, isTest: boolean) {
  const [alert] = alerts;
  const id = alerts.map(({ alertId }) => alertId).join('-');
  const { stopPath, unsubscribePath } = await stopMailPaths(db, { what: 'alert', id });
  const proofs = await findPriceProofs(db, [{ id: alert.dealId, original_price: null }]);
  const { lowest90, watchedSince, usual } = proofs.get(alert.dealId) ?? noProof;
  const listPath = await alertListPath(db, alert.watcherId);
  const rules = alerts.map(({ kind, targetPrice, targetPercent, repeats }) => ({
    kind,
    target_price: targetPrice,
    target_percent: targetPercent,
    repeats,
  }));
  const target = alerts.find(({ kind }) => kind === 'target')?.targetPrice;
  const pictures = await findMailPictures(db, [{ id: alert.dealId, target: target ?? null }]);
  const shown = pictures.get(alert.dealId) ?? noPictures;
  const otherStores = await findOtherStores(db, [alert.dealId], null);
  const props = {
    ...alert,
    ...shown,
    otherStores: otherStores.get(alert.dealId),
    rules,
    lowest90,
    watchedSince,
    usual,
    stopPath,
    listPath,
    isTest,
  };
  return { props: { ...props, now: new Date() }, unsubscribePath };
}

function setMailState(db: Db, eventId: number, mail_state: 'price_rose') {
  return db
    .updateTable('price_alert_events')
    .set({ mail_state })
    .where('id', '=', eventId)
    .execute();
}

/** Re-arms the alert at the current price, since the price rose again before the email was sent. */
async function armAgain(db: Db, alertId: number, eventId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      select from deals where id = (select deal_id from price_alerts where id = ${alertId}) for share`.execute(
      tx,
    );
    await setMailState(tx, eventId, 'price_rose');
    await tx
      .updateTable('price_alerts')
      .set({
        is_active: true,
        fired_at: null,
        last_mailed_at: null,
        last_mailed_price: null,
        updated_at: sql`now()`,
      })
      .where('id', '=', alertId)
      .where((eb) => eb.or([eb('is_active', '=', false), eb('repeats', '=', true)]))
      .where('fired_at', 'is not', null)
      .execute();
  });
}
