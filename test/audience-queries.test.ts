import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Tx } from '#database/connect.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  countAttention,
  listActivity,
  readAdminStats,
  readMailLag,
} from '#app/features/desk/desk-queries.server.ts';
import { readMonitored } from '#app/features/desk/monitoring-queries.server.ts';
import { countAudience } from '#app/features/newsletter/audience.server.ts';
import {
  countSubscriptionFigures,
  listSubscriptionRows,
} from '#app/features/newsletter/subscription-table-queries.server.ts';
import { subscriptionTable } from '#app/features/newsletter/subscription-table.ts';
import {
  countUserFigures,
  listUserRows,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { userTable } from '#app/features/accounts/people/user-table.ts';
import { erasePerson } from '#app/features/accounts/people/erase-account.server.ts';
import {
  countNewsletters,
  readDeliveryCounts,
} from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import {
  cancelMails,
  countOutbox,
  listOutboxPage,
} from '#app/platform/mail/outbox-queries.server.ts';
import { mostListed, outboxTable } from '#app/platform/mail/outbox-table.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';

const database = useTestDatabase();
const mails = 30_000;
const address = 'reader@mail.example';

beforeEach(async () => {
  const { db } = database;
  await insertUser(db, { id: 'reader', email: address, email_verified: true });
  await sql`alter table mail_outbox disable trigger user`.execute(db);
  await sql`
    insert into mail_outbox (key, kind, recipient, payload, state, created_at, sent_at)
    select 'm:' || n, case when n % 50 = 0 then 'price-alert' else 'newsletter-digest' end, 'r' || n || '@mail.example', '{}',
           case when n % 1000 = 0 then 'failed' when n % 1000 = 1 then 'queued' else 'sent' end, at, case when n % 1000 > 1 then at end
      from generate_series(1, ${mails}::integer) n,
           lateral (select now() - interval '90 days' * (1 - n::float8 / ${mails}::integer)) l (at)`.execute(
    db,
  );
  await sql`alter table mail_outbox enable trigger user`.execute(db);
  await sql`analyze mail_outbox`.execute(db);
});

const outbox = (search: string) => (tx: Tx) =>
  listOutboxPage(tx, parseTableQuery(outboxTable, new URLSearchParams(search)));

const asked: Record<string, (tx: Tx) => Promise<unknown>> = {
  'what waits for a person': countAttention,
  'the activity of thirty days': (tx) => listActivity(tx, new Date()),
  'how late mails are': readMailLag,
  'the figures of a monitor': readMonitored,
  'the outbox': outbox(''),
  'its failed mails': outbox('state=failed'),
  'its last page by tries': outbox('sort=tries&page=1000'),
  'its mails to an address': outbox(`q=${address}`),
  'its mails of a kind': outbox('q=alert&state=sent'),
  'the figures of a newsletter': (tx) => readDeliveryCounts(tx, [1]),
  'a kind of mail to one person that is cancelled': (tx) => cancelMails(tx, 'verify', 'reader'),
  'a person who is erased': (tx) => erasePerson(tx, { id: 'reader' }),
  'alerts of an address that become an account’s': async (tx) => {
    await sql`insert into watchers (email) values (${address})`.execute(tx);
    await sql`select adopt_alerts('reader')`.execute(tx);
  },
};

const people = (search: string) => (tx: Tx) =>
  listUserRows(tx, parseTableQuery(userTable, new URLSearchParams(search)));
const subscriptions = (search: string) => (tx: Tx) =>
  listSubscriptionRows(tx, parseTableQuery(subscriptionTable, new URLSearchParams(search)));
const listed: Record<string, (tx: Tx) => Promise<unknown>> = {
  'the figures of the dashboard': readAdminStats,
  'the figures of users': countUserFigures,
  'the list of users': people(''),
  'its last page by name': people('sort=name&page=1000000'),
  'its administrators': people('role=admin'),
  'the figures of subscriptions': countSubscriptionFigures,
  'the list of subscriptions': subscriptions(''),
  'its last page': subscriptions('page=1000000'),
  'its last page by address': subscriptions('sort=email&page=1000000'),
  'the figures of newsletters': countNewsletters,
  'who gets a newsletter to everybody': (tx) =>
    countAudience(tx, { audience_since: null, audience_confirmed: false }, new Date()),
};

test.each(Object.entries(asked))('finds %s without scanning all emails', async (_, ask) => {
  expect(await scannedBy(ask)).toBe(0);
});

test.each(Object.entries(listed))(
  'returns %s without counting all users and subscriptions',
  async (_, ask) => {
    const { db } = database;
    // With this many rows, the planner reads a page by its keys. Older planners scan a few thousand
    // rows instead.
    await sql`
    insert into users (id, email, full_name)
      select 'u' || n, 'u' || n || '@mail.example', 'U ' || n from generate_series(1, 20000) n`.execute(
      db,
    );
    await sql`
    insert into newsletter_subscriptions (email, subscribed_at)
      select email, now() - row_number() over () * interval '1 minute' from users`.execute(db);
    await sql`analyze users, newsletter_subscriptions`.execute(db);
    expect(await readBy(ask)).toBeLessThan(500);
  },
);

/** Returns the number of users and subscriptions that a task reads. */
function readBy(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const readSoFar = async (tx: Tx) => {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::integer as n
        from pg_stat_xact_user_tables where relname in ('users', 'newsletter_subscriptions')`.execute(
      tx,
    );
    return rows[0]?.n ?? 0;
  };
  return database.db.transaction().execute(async (tx) => {
    const before = await readSoFar(tx);
    await work(tx);
    return (await readSoFar(tx)) - before;
  });
}

test('counts the emails in each state only up to the length of the list', async () => {
  expect(await scannedBy(countOutbox)).toBeLessThanOrEqual(mostListed + 100);
  const { failed, queued, sent } = await countOutbox(database.db);
  expect({ failed, queued, sent }).toEqual({ failed: 30, queued: 30, sent: mostListed + 1 });
});

/** Returns the number of outbox rows that a task reads by sequential scans. */
function scannedBy(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return database.db.transaction().execute(async (tx) => {
    const before = await scansOf(tx);
    await work(tx);
    return (await scansOf(tx)) - before;
  });
}

async function scansOf(db: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(seq_tup_read), 0)::integer as n from pg_stat_xact_user_tables where relname = 'mail_outbox'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
