import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { matchOnce, spreadOnce } from './match-searches.server.ts';
import { notifyOfSearches } from './notify-of-searches-job.server.ts';

const database = useTestDatabase();
const processes = useMailWorkers(database, 'notify-of-searches-until-killed.ts');

beforeEach(async () => {
  await sql`delete from watch_marks`.execute(database.db);
  await matchOnce(database.db); // ignores all earlier deals
});

/** Creates watched searches for lamps up to $50, each by another user. */
async function watch(count: number): Promise<void> {
  await sql`
    insert into users (id, email, email_verified)
      select 'watcher-' || n, 'watcher-' || n || '@mail.example', true from generate_series(1, ${count}::int) n
    on conflict do nothing`.execute(database.db);
  await sql`
    insert into watched_searches (user_id, address, name, words, key_word, max_price, cadence)
      select 'watcher-' || n, '/deals?search=lamp&max=50', 'Lamps', 'lamp'::tsquery, 'lamp', 5000, 'daily'
        from generate_series(1, ${count}::int) n
    on conflict do nothing`.execute(database.db);
}
const newLamp = (sale_price = 4_000) =>
  insertDeal(database.db, { title: 'Brass lamp', sale_price });
const countHits = () => ask(database.db).value<number>`select count(*) from watched_filter_hits`;
const countFinds = () =>
  ask(database.db).value<number>`select sum(waiting)::integer from watched_searches`;
async function matchAll(step = () => matchOnce(database.db)): Promise<void> {
  await expect.poll(step, { interval: 5, timeout: 20_000 }).toBe(0);
}
async function spreadAll(): Promise<void> {
  while (await spreadOnce(database.db));
}
const spread = (searches: number) =>
  ask(database.db).value<number>`select spread_finds(${searches})`;
/** Returns the finds of each search. */
const found = async () => {
  const rows = await ask(database.db).rows<{ ids: number[]; waiting: number; unseen: number }>`
    select waiting, unseen, array(select unnest(waiting_deals) order by 1)::integer[] as ids
      from watched_searches order by id`;
  for (const { ids, waiting, unseen } of rows) {
    expect([waiting, unseen]).toEqual([ids.length, ids.length]);
  }
  return rows.map(({ ids }) => ids);
};

describe('searches with the same conditions', () => {
  test('shares one filter and one query among searches with the same conditions', async () => {
    await watch(40);
    await newLamp();
    await newLamp();
    await matchAll();
    expect([await countHits(), await countFinds()]).toEqual([1, 0]);
    await spreadAll();
    expect([await countHits(), await countFinds()]).toEqual([0, 80]);
  });

  test('deletes a filter a day after its last search is deleted', async () => {
    await watch(2);
    const forget = async () => {
      await sql`update watched_filters set used_at = used_at - interval '2 days'`.execute(
        database.db,
      );
      await forgetOldRows(database.db, 'forget-old-mails');
      return database.db.selectFrom('watched_filters').select('id').execute();
    };
    expect(await forget()).toHaveLength(1);
    await database.db.deleteFrom('watched_searches').execute();
    expect(await forget()).toEqual([]);
  });

  test('moves searches whose conditions change to another filter', async () => {
    await watch(2);
    await sql`update watched_searches set max_price = 3000 where user_id = 'watcher-1'`.execute(
      database.db,
    );
    const lamp = await newLamp();
    await matchAll();
    await spreadAll();
    expect(await found()).toEqual([[], [lamp.id]]);
  });
});

describe('a batch of searches', () => {
  test('notifies one batch of searches at a time, before later finds', async () => {
    await watch(5);
    const first = await newLamp();
    await matchAll();
    await spread(2);
    expect(await found()).toEqual([[first.id], [first.id], [], [], []]);
    const second = await newLamp();
    await matchAll();
    expect(await countHits()).toBe(2);
    await spread(2);
    await spreadAll();
    expect(await found()).toEqual(Array.from({ length: 5 }, () => [first.id, second.id]));
  });

  test('stores the thirty latest finds of a search, and no more until its email is sent', async () => {
    await watch(2);
    const lamps: number[] = [];
    for (let n = 0; n < 31; n += 1) lamps.push((await newLamp()).id);
    await matchAll();
    await spreadAll();
    expect(await found()).toEqual([lamps.slice(1), lamps.slice(1)]);
    await newLamp();
    await matchAll();
    await spreadAll();
    expect(await countFinds()).toBe(60);
  });

  test('does not notify searches that were stopped, or were saved after the change', async () => {
    await watch(2);
    const lamp = await newLamp();
    await matchAll();
    await watch(3);
    await sql`update watched_searches set is_active = false where user_id = 'watcher-1'`.execute(
      database.db,
    );
    await spreadAll();
    expect(await found()).toEqual([[], [lamp.id], []]);
  });

  test('omits a deal deleted meanwhile from the email of a search', async () => {
    await watch(2);
    const gone = await newLamp();
    const lamp = await newLamp();
    await matchAll();
    await database.db.deleteFrom('deals').where('id', '=', gone.id).execute();
    await notifyOfSearches(testServices(database));
    const told = await ask(database.db).column<number>`
      select deal_id from watched_search_finds order by search_id, deal_id`;
    expect(told).toEqual([lamp.id, lamp.id]);
  });
});

test('halves a slow query’s batch, and skips a single slow row with a warning', async () => {
  await watch(2);
  const lamps: number[] = [];
  for (let n = 0; n < 6; n += 1) lamps.push((await newLamp()).id);
  const slow = lamps[3] ?? 0;
  await sql`
    create function sleep_at_slow() returns trigger language plpgsql as $$
    begin
      if ${sql.lit(slow)} = any(new.deal_ids) then perform pg_sleep(600); end if;
      return new;
    end $$`.execute(database.db);
  await sql`
    create trigger sleep_at_slow before insert on watched_filter_hits
      for each row execute function sleep_at_slow()`.execute(database.db);
  try {
    const warnings: unknown[] = [];
    const log = { warn: (about: unknown) => void warnings.push(about) };
    await sql`update watch_marks set lot = 4`.execute(database.db);
    await matchAll(() => matchOnce(database.db, log, 2_000));
    await spreadAll();
    const others = lamps.filter((id) => id !== slow);
    expect(await found()).toEqual([others, others]);
    expect(warnings).toHaveLength(1);
  } finally {
    await sql`drop function sleep_at_slow cascade`.execute(database.db);
  }
});

test('neither loses nor duplicates a find when processes are killed within and between batches', async () => {
  await watch(60);
  const lamps: number[] = [];
  const children = [await processes.start(1), await processes.start(1)];
  for (let n = 0; n < 20; n += 1) {
    lamps.push((await newLamp()).id);
    await sleep(Math.random() * 300);
    const victim = children.shift();
    if (victim) await processes.kill(victim);
    children.push(await processes.start(1));
  }
  await processes.killAll();
  await matchAll();
  await spreadAll();
  expect(await found()).toEqual(Array.from({ length: 60 }, () => lamps));
});
