import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Tx } from '#database/connect.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  countAttention,
  listActivity,
  readMailLag,
} from '#app/features/desk/desk-queries.server.ts';
import { readMonitored } from '#app/features/desk/monitoring-queries.server.ts';
import { erasePerson } from '#app/features/accounts/people/erase-account.server.ts';
import { readLetterFigures } from '#app/features/newsletter/letter-queries.server.ts';
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
  'the figures of a newsletter': (tx) => readLetterFigures(tx, [1]),
  'a kind of mail to one person that is cancelled': (tx) => cancelMails(tx, 'verify', 'reader'),
  'a person who is erased': (tx) => erasePerson(tx, { id: 'reader' }),
  'alerts of an address that become an account’s': async (tx) => {
    await sql`insert into watchers (email) values (${address})`.execute(tx);
    await sql`select adopt_alerts('reader')`.execute(tx);
  },
};

test.each(Object.entries(asked))('finds %s without reading all mails', async (_, ask) => {
  expect(await scannedBy(ask)).toBe(0);
});

test('counts no more mails of a state than its list has', async () => {
  expect(await scannedBy(countOutbox)).toBeLessThanOrEqual(mostListed + 100);
  const { failed, queued, sent } = await countOutbox(database.db);
  expect({ failed, queued, sent }).toEqual({ failed: 30, queued: 30, sent: mostListed + 1 });
});

/** How many rows of the outbox were read in their order on the disk. */
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
