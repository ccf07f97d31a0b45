import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { withoutTriggers } from '#bench/generate-deals.ts';
import { openShop } from '#bench/open-shop.ts';
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
/** ms; a click in the back office. */
const most = 300;
const insertedMails = 100_000;

/** What the back office and a person who leaves wait for, with the mails of 90 days to so many users. */
export async function benchAudience(
  serverUrl: string,
  { mails, users }: { mails: number; users: number },
  report: (line: string) => void,
): Promise<Measured> {
  const oneLine = { maxConnections: 1, statementTimeout: 0 };
  const connection = await openShop(serverUrl, deals, report, oneLine);
  const { db } = connection;
  try {
    await fillUsers(db, users, report);
    await fillMails(db, mails, users, report);
    const results = [];
    for (const [what, work] of Object.entries(clicksOf(db, users))) {
      report(what);
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await durationOf(work));
      const { median } = timingOf(times);
      results.push({ what, ms: median, isMet: median <= most });
    }
    const inserted = await durationOf(() =>
      rolledBack(db, (tx) => insertMails(tx, insertedMails, users)),
    );
    const text = table([
      [
        `${mails.toLocaleString('en-US')} mails, ${users.toLocaleString('en-US')} users`,
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
    'dashboard: what waits for a person': () => countAttention(db),
    'dashboard: thirty days': () => listActivity(db, new Date()),
    'dashboard: how late mails are': () => readMailLag(db),
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
  });
  await sql`vacuum analyze users`.execute(db);
}

/** One mail in a thousand failed; none waits. */
async function fillMails(
  db: Db,
  mails: number,
  users: number,
  report: (line: string) => void,
): Promise<void> {
  if ((await ask(db).value<number>`select count(*) from mail_outbox`) === mails) return;
  report(`${mails} mails`);
  await withoutTriggers(db, async (tx) => {
    await sql`truncate mail_outbox restart identity`.execute(tx);
    await insertMails(tx, mails, users, sql`case when n % 1000 = 0 then 'failed' else 'sent' end`);
  });
  await sql`vacuum analyze mail_outbox`.execute(db);
}

/** Over 90 days: one in five is about an account, one in ten a price alert's, the others are the digest's. */
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
