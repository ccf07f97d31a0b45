import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** alerts per batch; a batch takes 0.2 s, during which owners cannot change these alerts */
export const alertsALot = 2_000;

export const areAlertsDue = () => sql`(select true from alert_checks order by id limit 1)`;

/**
 * Evaluates queued changes of deals that have many alerts. The job can be killed at any point.
 */
export async function checkAlerts(db: Db, signal?: AbortSignal, lot = alertsALot): Promise<void> {
  const hasEnded = () => signal?.aborted === true;
  while (!hasEnded() && (await ask(db).value<number>`select check_alerts(${lot})`));
}
