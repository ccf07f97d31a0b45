import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { tableRules } from '#database/table-registry.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { jobs } from '#app/jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();

async function run(name: string): Promise<void> {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run(testServices(database), new AbortController().signal);
}

const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.ref(table)}`.execute(database.db))
    .rows[0]?.n;

test('deletes counters of attempts when they expire, not before', async () => {
  const { db } = database;
  const user = await insertUser(db);
  for (const at of [sql`now() - interval '2 days'`, sql`now() + interval '2 days'`]) {
    await sql`insert into captcha_spent values (gen_random_uuid()::text, ${at})`.execute(db);
    await sql`insert into rate_limits values (gen_random_uuid()::text, 1, extract(epoch from ${at}) * 1000)`.execute(
      db,
    );
    await sql`insert into form_operations (actor, op, body_hash, created_at)
      values ('a', gen_random_uuid()::text, 'h', ${at})`.execute(db);
    await sql`insert into sessions (id, token, user_id, expires_at)
      values (gen_random_uuid()::text, gen_random_uuid()::text, ${user.id}, ${at})`.execute(db);
    await sql`insert into verifications (id, identifier, value, expires_at)
      values (gen_random_uuid()::text, 'x', 'y', ${at})`.execute(db);
  }
  await run('forget-spent-attempts');
  const tables = ['captcha_spent', 'rate_limits', 'form_operations', 'sessions', 'verifications'];
  expect(await Promise.all(tables.map(count))).toEqual([1, 1, 1, 1, 1]);
});

test('deletes old emails, email counts and the oldest alert history at night', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db);
  await sql`insert into alert_mail_days values
    (${user.id}, current_date - 30, 3), (${user.id}, current_date, 3)`.execute(db);
  await sql`insert into price_alerts (user_id, deal_id, target_price, is_active)
    values (${user.id}, ${deal.id}, 5, false)`.execute(db);
  await sql`insert into price_alert_events (alert_id, new_price, fired_at)
    select (select id from price_alerts), n, now() - make_interval(days => 40 - n) from generate_series(1, 14) n`.execute(
    db,
  );
  await sql`insert into mail_outbox (key, kind, recipient, payload, state, created_at) values
    ('a', 'test', 'a@mail.example', '{}', 'sent', now() - interval '91 days'),
    ('b', 'test', 'a@mail.example', '{}', 'queued', now() - interval '91 days'),
    ('c', 'test', 'a@mail.example', '{}', 'sent', now())`.execute(db);
  await run('forget-old-mails');
  expect(await count('alert_mail_days')).toBe(1);
  expect(await count('mail_outbox')).toBe(2);
  const kept = await db
    .selectFrom('price_alert_events')
    .select('new_price')
    .orderBy('id')
    .execute();
  expect(kept.map((event) => event.new_price)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
});

describe('in batches', () => {
  const lot = { rows: 2, pages: 1 };
  const stopped = () => {
    // Deleting clicks on deals takes two statements, and clicks on coupons one.
    const looks = [false, false, true];
    return {
      get aborted() {
        return looks.shift() ?? true;
      },
    } as AbortSignal;
  };

  test('continues deleting in the next run when batches of an indexed table are interrupted', async () => {
    const { db } = database;
    const deal = await insertDeal(db);
    await sql`insert into clicks (deal_id, day, count)
      select ${deal.id}, current_date - case when n <= 5 then 402 else 0 end - n, 1 from generate_series(1, 8) n`.execute(
      db,
    );
    await forgetOldRows(db, 'forget-old-clicks', stopped(), lot);
    expect(await count('clicks')).toBe(6);
    await forgetOldRows(db, 'forget-old-clicks', undefined, lot);
    expect(await count('clicks')).toBe(3);
  });

  test('deletes all old rows of a table that has no index for them', async () => {
    const { db } = database;
    await sql`insert into mail_outbox (key, kind, recipient, payload, state, created_at)
      select n, 'test', 'a@mail.example', jsonb_build_object('filler', repeat(n::text, 300)), 'sent',
             now() - case when n % 3 > 0 then 91 else 1 end * interval '1 day' from generate_series(1, 300) n`.execute(
      db,
    );
    await forgetOldRows(db, 'forget-old-mails', undefined, lot);
    expect(await count('mail_outbox')).toBe(100);
  });

  test('requires an index that begins with the condition’s column for each indexed table', async () => {
    for (const [table, { old }] of Object.entries(tableRules)) {
      if (typeof old === 'string' || !old.hasIndex) continue;
      const first = /^\w+/.exec(old.where)?.[0];
      const { rows } = await sql<{ name: string }>`
        select attname::text as name from pg_index
          join pg_attribute on attrelid = indrelid and attnum = indkey[0]
         where indrelid = ${table}::regclass and indpred is null`.execute(database.db);
      expect([table, rows.map(({ name }) => name)]).toEqual([
        table,
        expect.arrayContaining([first]),
      ]);
    }
  });
});
