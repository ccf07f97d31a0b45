import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A lot of so many takes 0.2 s. Meanwhile their owners wait to change them. */
export const alertsALot = 2_000;

export const areAlertsDue = () => sql`(select true from alert_checks order by id limit 1)`;

/** Judges the alerts of deals with many watchers against changes that wait (decision 090). Safe to kill anywhere. */
export async function checkAlerts(db: Db, signal?: AbortSignal, lot = alertsALot): Promise<void> {
  const hasEnded = () => signal?.aborted === true;
  while (!hasEnded() && (await ask(db).value<number>`select check_alerts(${lot})`));
}
