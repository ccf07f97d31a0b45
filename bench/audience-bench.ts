import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { withoutTriggers } from '#bench/generate-deals.ts';
import { openShop } from '#bench/open-shop.ts';
import { timeAdminScreens } from '#bench/time-admin-screens.ts';
import { fillSearches } from '#bench/searches-bench.ts';
import { watchOneDeal } from '#bench/watchers-bench.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import {
  countAttention,
  listActivity,
  readAdminStats,
  readMailLag,
} from '#app/features/desk/desk-queries.server.ts';
import { erasePerson } from '#app/features/accounts/people/erase-account.server.ts';
import {
  countUserFigures,
  listUserRows,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { userTable } from '#app/features/accounts/people/user-table.ts';
import { countOutbox, listOutboxPage } from '#app/platform/mail/outbox-queries.server.ts';
import { outboxTable } from '#app/platform/mail/outbox-table.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';

const deals = 1_000;
const rounds = 3;
/** The limit for a click in the admin, in milliseconds. */
const most = 300;
const insertedMails = 100_000;

/** The number of rows of each kind. */
interface Audience {
  mails: number;
  users: number;
  searches: number;
}

/**
 * Measures the delays for staff, and for a user who deletes their account. The shop has many
 * watched searches, and 90 days of emails to many users. All users subscribe and wait for one deal.
 */
export async function benchAudience(
  serverUrl: string,
  { mails, users, searches }: Audience,
  report: (line: string) => void,
): Promise<Measured> {
  const limits = { maxConnections: 4, statementTimeout: 0 };
  const connection = await openShop(serverUrl, deals, report, limits);
  const { db } = connection;
  try {
    await fillUsers(db, users, report);
    await fillMails(db, mails, users, report);
    const deal = await fillWatchers(db, { users, searches }, report);
    const results = [];
    for (const [what, work] of Object.entries(clicksOf(db, users))) {
      report(what);
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await durationOf(work));
      const { median } = timingOf(times);
      results.push({ what, ms: median, isMet: median <= most });
    }
    report('screens');
    const things = { deal, category: 1, merchant: 1, mail: mails / 2 };
    for (const screen of await timeAdminScreens(connection, things)) {
      results.push({ ...screen, isMet: screen.ms <= most });
    }
    const inserted = await durationOf(() =>
      rolledBack(db, (tx) => insertMails(tx, insertedMails, users)),
    );
    const text = table([
      [
        [
          `${mails.toLocaleString('en-US')} mails, ${users.toLocaleString('en-US')} users who subscribe and wait for one deal`,
          `${searches.toLocaleString('en-US')} watched searches`,
        ].join(', '),
        'ms',
        `at most ${most}`,
      ],
      ...results.map((one) => [one.what, ms(one.ms), verdictOn(one.isMet)]),
      [`${insertedMails.toLocaleString('en-US')} mails queued`, ms(inserted), ''],
    ]);
    return {
      results: [...results, { what: 'queue', ms: inserted }],
      text,
      isMet: results.every((one) => one.isMet),
    };
  } finally {
    await connection.close();
  }
}

function clicksOf(db: Db, users: number): Record<string, () => Promise<unknown>> {
  const asked = (search: string) => new URLSearchParams(search);
  const outbox = (search: string) => () =>
    listOutboxPage(db, parseTableQuery(outboxTable, asked(search)));
  const people = (search: string) => () =>
    listUserRows(db, parseTableQuery(userTable, asked(search)));
  return {
    'dashboard: figures': () => readAdminStats(db),
    'dashboard: items that need attention': () => countAttention(db),
    'dashboard: thirty days': () => listActivity(db, new Date()),
    'dashboard: delay of mails': () => readMailLag(db),
    'outbox: counts': () => countOutbox(db),
    'outbox: first page': outbox(''),
    'outbox: failed': outbox('state=failed'),
    'outbox: sent, last page': outbox('state=sent&page=1000000'),
    'outbox: one address': outbox(`q=bench-${Math.floor(users / 2)}@mail.example`),
    'outbox: by tries': outbox('sort=-tries'),
    'users: counts': () => countUserFigures(db),
    'users: by name, first page': people('sort=name'),
    'users: by name, last page': people('sort=name&page=1000000'),
    'users: by role, last page': people('sort=role&page=1000000'),
    'users: newest, last page': people('page=1000000'),
    'delete my account': () =>
      rolledBack(db, (tx) => erasePerson(tx, { id: `bench-${Math.floor(users / 3)}` })),
  };
}

const rolledBackError = new Error('rolled back');

async function rolledBack(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const undone = db.transaction().execute(async (tx) => {
    await work(tx);
    throw rolledBackError;
  });
  await undone.catch((error) => {
    if (error !== rolledBackError) throw error;
  });
}

async function fillUsers(db: Db, users: number, report: (line: string) => void): Promise<void> {
  const there = await ask(db).value<number>`select count(*) from users where id like 'bench-%'`;
  if (there === users) return;
  report(`${users} users`);
  await withoutTriggers(db, async (tx) => {
    await sql`delete from users where id like 'bench-%'`.execute(tx);
    await sql`
      insert into users (id, email, full_name, email_verified, created_at)
      select 'bench-' || n, 'bench-' || n || '@mail.example', md5(n::text), true, now() - n * interval '1 minute'
        from generate_series(0, ${users - 1}::integer) n`.execute(tx);
    await sql`truncate newsletter_subscriptions restart identity cascade`.execute(tx);
    await sql`
      insert into newsletter_subscriptions (email, subscribed_at, confirmed_at)
      select email, created_at, created_at from users where id like 'bench-%'`.execute(tx);
  });
  await sql`vacuum analyze users, newsletter_subscriptions`.execute(db);
}

/** Returns the deal that all users wait for. */
async function fillWatchers(
  db: Db,
  { users, searches }: Pick<Audience, 'users' | 'searches'>,
  report: (line: string) => void,
): Promise<number> {
  if ((await ask(db).value<number>`select count(*) from watched_searches`) !== searches) {
    report(`${searches} watched searches`);
    await fillSearches(db, searches);
  }
  if ((await ask(db).value<number>`select count(*) from price_alerts`) !== users) {
    report(`${users} users who wait for one deal`);
    await sql`truncate price_alerts cascade`.execute(db);
    await watchOneDeal(db, users);
  }
  return (await ask(db).value<number>`select deal_id from price_alerts limit 1`) ?? 0;
}

/** One email in a thousand has failed, and none is waiting. */
async function fillMails(
  db: Db,
  mails: number,
  users: number,
  report: (line: string) => void,
): Promise<void> {
  if ((await ask(db).value<number>`select count(*) from mail_outbox`) === mails) return;
  report(`${mails} mails`);
  await withoutTriggers(db, async (tx) => {
    await sql`truncate mail_outbox restart identity cascade`.execute(tx);
    const indexes = await ask(tx).rows<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'mail_outbox' and indexname not in (
         select conname from pg_constraint where conrelid = 'mail_outbox'::regclass)`;
    for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx);
    await insertMails(tx, mails, users, sql`case when n % 1000 = 0 then 'failed' else 'sent' end`);
    await sql`set local maintenance_work_mem = '1GB'`.execute(tx);
    for (const { definition } of indexes) await sql.raw(definition).execute(tx);
  });
  await sql`vacuum analyze mail_outbox`.execute(db);
}

/**
 * Inserts 90 days of emails: one in five is about an account, one in ten is a price alert, and the
 * others are digests.
 */
async function insertMails(tx: Tx, mails: number, users: number, state = sql`'queued'`) {
  await sql`
    insert into mail_outbox (key, kind, recipient, user_id, payload, is_bulk, state, created_at, sent_at)
    select 'bench:' || ${state} || ':' || lpad(n::text, 8, '0'),
           coalesce((array['verify-email', 'reset-password', 'price-alert'])[1 + n % 10], 'newsletter-digest'),
           'bench-' || n % ${users}::integer || '@mail.example', case when n % 10 < 3 then 'bench-' || n % ${users}::integer end,
           jsonb_build_object('issueId', n / ${users}::integer, 'subscriptionId', n % ${users}::integer), n % 10 > 2,
           ${state}, at, case when ${state} = 'sent' then at end
      from generate_series(0, ${mails - 1}::integer) n,
           lateral (select now() - interval '90 days' * (1 - n::float8 / ${mails}::integer)) as l (at)`.execute(
    tx,
  );
}
