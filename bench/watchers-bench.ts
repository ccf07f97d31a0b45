import { sql } from 'kysely';
import { alertsALot } from '#app/features/price-alerts/check-alerts-job.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { durationOf, type Measured, ms } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { clockOfBackend } from '#bench/search-cost.ts';

const deals = 10_000;
/**
 * Limits in milliseconds. The limit for all batches is in CPU time, which does not depend on other
 * load.
 */
const most = { statement: 1_000, lots: 60_000 };

/**
 * Lowers the price of a deal that this many users wait for, then runs the batches until all users
 * are notified.
 */
export async function benchWatchers(
  serverUrl: string,
  watchers: number,
  report: (line: string) => void,
): Promise<Measured> {
  const oneLine = { maxConnections: 1, statementTimeout: 0 };
  const { db, close } = await openShop(serverUrl, deals, report, oneLine);
  try {
    report(`${watchers} users who wait for one deal`);
    const dealId = await fillAudience(db, watchers);
    const statement = await durationOf(() =>
      sql`update deals set sale_price = sale_price / 2, price_source = 'admin' where id = ${dealId}`.execute(
        db,
      ),
    );
    const clock = await clockOfBackend(db);
    const before = await clock();
    const lots = await timeLots(db);
    const processor = (await clock()) - before;
    const longest = Math.max(...lots);
    const mails = await ask(db).value<number>`select count(*) from mail_outbox`;
    await empty(db);
    const isMet = statement <= most.statement && processor <= most.lots && mails === watchers;
    const text =
      `${watchers.toLocaleString('en-US')} watchers: the price ${ms(statement)}; ${lots.length} batches, ` +
      `${ms(processor)} of CPU time, the longest took ${ms(longest)}; ${mails} mails queued`;
    return { results: { watchers, statement, processor, longest, mails }, text, isMet };
  } finally {
    await close();
  }
}

/** The last batch finds no more users. */
async function timeLots(db: Db): Promise<number[]> {
  const lots: number[] = [];
  for (;;) {
    const began = performance.now();
    const checked = await ask(db).value<number>`select check_alerts(${alertsALot})`;
    lots.push(performance.now() - began);
    if (!checked) return lots;
  }
}

async function empty(db: Db): Promise<void> {
  await sql`truncate price_alerts, mail_outbox, alert_mail_days, alert_checks cascade`.execute(db);
}

async function fillAudience(db: Db, watchers: number): Promise<number | null> {
  await empty(db);
  return watchOneDeal(db, watchers);
}

/** Makes this many users wait for any drop of one deal, and returns the deal's id. */
export async function watchOneDeal(db: Db, watchers: number): Promise<number | null> {
  await sql`insert into users (id, email, email_verified)
    select 'bench-' || n, 'bench-' || n || '@mail.example', true from generate_series(0, ${watchers - 1}::int) n
    on conflict do nothing`.execute(db);
  const dealId = await ask(db).value<number>`
    select d.id from deals d join merchants m on m.id = d.merchant_id
     where d.is_active and not d.is_expired and d.expires_at is null and d.availability = 'in_stock'
       and m.allow_alerts and d.sale_price > 100 order by d.id limit 1`;
  await sql`alter table price_alerts disable trigger user`.execute(db);
  await sql`
    insert into price_alerts (user_id, deal_id, kind, base_price)
      select 'bench-' || n, d.id, 'any_drop', d.sale_price
        from generate_series(0, ${watchers - 1}::int) n join deals d on d.id = ${dealId}`.execute(
    db,
  );
  await sql`alter table price_alerts enable trigger user`.execute(db);
  await sql`vacuum analyze users, price_alerts`.execute(db);
  return dealId;
}
