import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

const eventsKeptPerAlert = 10;
/** A digest is written the day after; a mail is tried for 48 hours. */
const daysUntilMailsAreOver = 7;

/** Counts of days gone by, and what an alert fired beyond the ten that its history shows. */
export async function forgetOldAlertEvents(db: Db): Promise<void> {
  await sql`
    delete from alert_mail_days where day < (now() at time zone 'utc')::date - ${daysUntilMailsAreOver}::int`.execute(
    db,
  );
  await sql`
    delete from price_alert_events e
     where e.fired_at < now() - make_interval(days => ${daysUntilMailsAreOver})
       and e.id < (select id from price_alert_events newer where newer.alert_id = e.alert_id
                    order by id desc offset ${eventsKeptPerAlert - 1} limit 1)`.execute(db);
}
