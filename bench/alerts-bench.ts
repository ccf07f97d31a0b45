import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Measured } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const deals = 100_000;
const users = 10_000;
const mostSeconds = 10;

interface AlertsResult {
  alerts: number;
  fired: number;
  mails: number;
  /** Of the whole statement, price log and indexes included. */
  seconds: number;
  /** Of the trigger that judges the alerts and queues their mails. */
  secondsForAlerts: number;
  isMet: boolean;
}

/**
 * A hundred thousand prices fall in one statement while so many alerts wait, a tenth of which is met. Everything is
 * rolled back.
 */
export async function benchAlerts(
  serverUrl: string,
  counts: number[],
  report: (line: string) => void,
): Promise<Measured> {
  const oneLine = { maxConnections: 1, statementTimeout: 0 };
  const connection = await openShop(serverUrl, deals, report, oneLine);
  const results: AlertsResult[] = [];
  try {
    for (const alerts of counts) {
      report(`${alerts} alerts`);
      await fillAlerts(connection.db, alerts);
      const result = await fallAndRollBack(connection.db);
      results.push({ alerts, ...result, isMet: result.secondsForAlerts <= mostSeconds });
    }
    await sql`truncate price_alerts cascade`.execute(connection.db);
  } finally {
    await connection.close();
  }
  return { results, text: describe(results), isMet: results.every((one) => one.isMet) };
}

function describe(results: AlertsResult[]): string {
  const lines = results.map((one) => {
    return [
      `${one.alerts.toLocaleString('en-US')} active alerts, ${deals.toLocaleString('en-US')} price changes:`,
      `${one.secondsForAlerts.toFixed(2)} s for the alerts of ${one.seconds.toFixed(2)} s in all,`,
      `${one.fired} fired, ${one.mails} mails queued`,
    ].join(' ');
  });
  return lines.join('\n');
}

async function fillAlerts(db: Db, count: number): Promise<void> {
  await sql`truncate price_alerts cascade`.execute(db);
  await sql`insert into users (id, email, email_verified)
    select 'bench-' || n, 'bench-' || n || '@mail.example', true from generate_series(0, ${users - 1}::int) n
    on conflict do nothing`.execute(db);
  await sql`alter table price_alerts disable trigger user`.execute(db);
  // Each deal has as many alerts as any other; targets lie from 51 to 99 % of the price.
  await sql`
    insert into price_alerts (user_id, deal_id, target_price, base_price)
      select 'bench-' || (n * 7 + n / ${deals}::int) % ${users}::int, d.id,
             greatest(1, d.sale_price::bigint * (51 + n * 31 % 49) / 100), d.sale_price
        from generate_series(0, ${count - 1}::int) n
        join (select id, sale_price, row_number() over (order by id) - 1 as place from deals) d
          on d.place = n % ${deals}::int
      on conflict do nothing`.execute(db);
  await sql`alter table price_alerts enable trigger user`.execute(db);
  await sql`vacuum analyze price_alerts`.execute(db);
}

class RolledBack extends Error {}

interface Plan {
  'Execution Time': number;
  Triggers: { 'Trigger Name': string; Time: number }[];
}

/** The server itself says what each trigger took: two runs would differ by more than the alerts cost. */
async function fallAndRollBack(db: Db) {
  let result = { seconds: 0, secondsForAlerts: 0, fired: 0, mails: 0 };
  try {
    await db.transaction().execute(async (tx) => {
      const { rows: plans } = await sql<{ 'QUERY PLAN': [Plan] }>`
        explain (analyze, format json)
        update deals set sale_price = greatest(1, sale_price * 95 / 100), price_source = 'feed'`.execute(
        tx,
      );
      const plan = plans[0]?.['QUERY PLAN'][0];
      const trigger = plan?.Triggers.find((one) => one['Trigger Name'] === 'deals_fire_alerts');
      const { rows } = await sql<{ fired: number; mails: number }>`
        select (select count(*) from price_alert_events) as fired,
               (select count(*) from mail_outbox) as mails`.execute(tx);
      result = {
        seconds: (plan?.['Execution Time'] ?? 0) / 1000,
        secondsForAlerts: (trigger?.Time ?? Number.NaN) / 1000,
        fired: rows[0]?.fired ?? 0,
        mails: rows[0]?.mails ?? 0,
      };
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result;
}
