import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { ask } from '#database/ask.ts';
import { durationOf, type Measured } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const deals = 100_000;
const users = 10_000;
/**
 * Limits in seconds, for the whole statement and for its alerts. Batches run later and are not
 * included.
 */
const most = { seconds: 20, secondsForAlerts: 10 };

/**
 * Drops a hundred thousand prices in one statement while this many alerts wait, a tenth of which
 * are met. Alerts that are left for batches then fire. Everything is rolled back.
 */
export async function benchAlerts(
  serverUrl: string,
  counts: number[],
  report: (line: string) => void,
): Promise<Measured> {
  const oneLine = { maxConnections: 1, statementTimeout: 0 };
  const connection = await openShop(serverUrl, deals, report, oneLine);
  const results = [];
  try {
    for (const alerts of counts) {
      report(`${alerts} alerts`);
      await fillAlerts(connection.db, alerts);
      const fall = await fallAndRollBack(connection.db);
      const { seconds, secondsForAlerts } = fall;
      const isMet = seconds <= most.seconds && secondsForAlerts <= most.secondsForAlerts;
      results.push({ alerts, ...fall, isMet });
    }
    await sql`truncate price_alerts cascade`.execute(connection.db);
  } finally {
    await connection.close();
  }
  const lines = results.map(
    ({ alerts, seconds, secondsForAlerts, secondsOfLots, fired, mails }) =>
      `${alerts.toLocaleString('en-US')} active alerts, ${deals.toLocaleString('en-US')} price changes: ` +
      `${secondsForAlerts.toFixed(2)} s for the alerts of ${seconds.toFixed(2)} s in all, then ${secondsOfLots.toFixed(2)} s of batches, ` +
      `${fired} fired, ${mails} mails queued`,
  );
  return { results, text: lines.join('\n'), isMet: results.every((one) => one.isMet) };
}

async function fillAlerts(db: Db, count: number): Promise<void> {
  await sql`truncate price_alerts cascade`.execute(db);
  await sql`insert into users (id, email, email_verified)
    select 'bench-' || n, 'bench-' || n || '@mail.example', true from generate_series(0, ${users - 1}::int) n
    on conflict do nothing`.execute(db);
  await sql`alter table price_alerts disable trigger user`.execute(db);
  // All deals have equally many alerts, with targets from 51% to 99% of the price.
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

interface Plan {
  'Execution Time': number;
  Triggers: { 'Trigger Name': string; Time: number }[];
}

/**
 * Returns the seconds of the whole statement, including price log and indexes, and of the trigger
 * that evaluates alerts. The database server reports both for a single run, because two runs would
 * differ by more than the alerts cost.
 */
async function fallAndRollBack(db: Db) {
  const tx = await db.startTransaction().execute();
  try {
    const { rows: plans } = await sql<{ 'QUERY PLAN': [Plan] }>`
      explain (analyze, format json)
      update deals set sale_price = greatest(1, sale_price * 95 / 100), price_source = 'feed'`.execute(
      tx,
    );
    const plan = plans[0]?.['QUERY PLAN'][0];
    const trigger = plan?.Triggers.find((one) => one['Trigger Name'] === 'deals_fire_alerts');
    const lots = await durationOf(async () => {
      while (await ask(tx).value<number>`select check_alerts(2000)`);
    });
    const { rows } = await sql<{ fired: number; mails: number }>`
      select (select count(*) from price_alert_events) as fired,
             (select count(*) from mail_outbox) as mails`.execute(tx);
    return {
      seconds: (plan?.['Execution Time'] ?? 0) / 1000,
      secondsForAlerts: (trigger?.Time ?? Number.NaN) / 1000,
      secondsOfLots: lots / 1000,
      fired: rows[0]?.fired ?? 0,
      mails: rows[0]?.mails ?? 0,
    };
  } finally {
    await tx.rollback().execute();
  }
}
