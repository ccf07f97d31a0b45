import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { describeSchema } from '#database/describe-schema.ts';
import { findWayBack, goBack } from '#database/go-back.ts';
import { migrate, readMigrationTexts, readMigrations } from '#database/migrate.ts';
import { releases, waysBack } from '#database/releases.ts';
import { readSqlFiles } from '#database/sql-files.ts';
import { noteVersion } from '#database/site-versions.ts';
import { heldRows, openEmptyShop, openOlderShop, type OlderShop } from '#test/older-shop.ts';

let shops: OlderShop[] = [];
const kept = async (opening: Promise<OlderShop>) => {
  const shop = await opening;
  shops.push(shop);
  return shop;
};
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.remove();
});

/** What the release's migrations make. */
async function schemaOf(lastMigration: string): Promise<string> {
  const shop = await kept(openEmptyShop());
  await migrate(shop.db, lastMigration);
  return describeSchema(shop.pool);
}

describe.each(releases)('the data of version $version', ({ version, lastMigration }) => {
  // Proves R39: older data survive (migrate.ts)
  it('R39: keep every row through the upgrade', async () => {
    const shop = await kept(openOlderShop(version));
    const before = await heldRows(shop.pool);
    // `pictures` are copies of what lies elsewhere: no backup has them.
    expect(before.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual(['pictures']);
    await migrate(shop.db);
    expect(await heldRows(shop.pool, before)).toEqual(before);
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));
    const { rows } = await shop.pool.query(
      'select conname from pg_constraint where not convalidated union select indexrelid::regclass::text from pg_index where not indisvalid',
    );
    expect(rows).toEqual([]);
  });

  it('go back to the schema and the rows that they had, and come again', async () => {
    const shop = await kept(openOlderShop(version));
    const [before, schema] = [await heldRows(shop.pool), await describeSchema(shop.pool)];
    const { pending } = await readMigrations(shop.db);
    await migrate(shop.db);
    expect(await findWayBack(shop.db)).toEqual({
      version,
      migrations: pending.toReversed(),
      obstacles: [],
    });
    await goBack(shop.db);
    expect(await describeSchema(shop.pool)).toBe(schema);
    expect(schema).toBe(await schemaOf(lastMigration));
    expect(await heldRows(shop.pool)).toEqual(before);
    expect(await migrate(shop.db)).toEqual(pending);
    expect(await heldRows(shop.pool, before)).toEqual(before);
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));
  });

  it('keep what was written since, where the older version has a place for it', async () => {
    const shop = await kept(openOlderShop(version));
    await migrate(shop.db);
    await noteVersion(shop.db, 'newer');
    await shop.pool.query(`
      update deals set sale_price = 3500 where slug = 'akkuschrauber';
      insert into users (id, email) values ('late', 'late@mail.example')`);
    await goBack(shop.db);
    const { rows } = await shop.pool.query(`
      select (select count(*) from users where id = 'late') as users, array_agg(l.sale_price order by l.id) as prices
        from price_log l join deals d on d.id = l.deal_id where d.slug = 'akkuschrauber'`);
    expect(rows).toEqual([{ users: 1, prices: [5000, 4500, 3900, 3500] }]);
  });

  it('go back to the functions that were there, whoever made them', async () => {
    const shop = await kept(openOlderShop(version));
    await shop.pool.query(`
      create function own_words() returns text language sql return 'of the owner';
      comment on function own_words is 'It''s mine'`);
    const schema = await describeSchema(shop.pool);
    await migrate(shop.db);
    await shop.pool.query('create function later() returns int language sql return 1');
    await goBack(shop.db);
    expect(await describeSchema(shop.pool)).toBe(schema);
    const { rows } = await shop.pool.query(
      `select own_words(), obj_description('own_words'::regproc, 'pg_proc') as comment`,
    );
    expect(rows).toEqual([{ own_words: 'of the owner', comment: `It's mine` }]);
  });
});

function withoutTriggers(statements: string): string {
  return `set local session_replication_role = replica; ${statements}`;
}

const written: Record<string, string> = {
  'watched searches for real lows or falls': `update watched_searches set evidence = 'low' where id = 1`,
  'messages to browsers about watched searches, not sent yet': `
    insert into push_outbox (key, kind, subscription_id, search_id, search_mail)
      select 'new', 'search-news', (select min(id) from push_subscriptions), 1, 1`,
  'addresses that were entered to watch a search': `
    insert into watch_requests (email, search_address, search_name, cadence) values ('a@mail.example', '/deals', 'All', 'daily')`,
  'pictures in the database': `insert into stored_pictures (name, content) values ('shop/a-1.webp', '')`,
  'watched searches by brand, condition or discount': `update watched_searches set off = 50 where id = 1`,
  'price alerts for each time': `update price_alerts set repeats = true where id = (select min(id) from price_alerts)`,
  'addresses that were entered for a price alert for each time': `
    insert into watch_requests (email, deal_id, kind, repeats)
      select 'a@mail.example', min(id), 'any_drop', true from deals`,
  'weekly digest whose mails are not all queued': `update newsletter_issues set queued_up_to = 1 where id = (select min(id) from newsletter_issues)`,
  'addresses that get no newsletters and alerts after complaints and bounces': `
    insert into mail_suspensions (recipient, reason, source, diagnostic, since)
      values ('a@mail.example', 'complaint', 'ses', '', now())`,
  'changes of deals whose alerts wait to be judged': `
    insert into alert_checks (deal_id) select min(id) from deals`,
  'deals of which watched searches wait to be told': `
    insert into watched_filter_hits (filter_id, deal_ids, changed_at) values (gen_random_uuid(), '{1}', array[now()])`,
  'logged prices in another currency': withoutTriggers(
    `update price_log set currency = 'XOF' where id = (select min(id) from price_log)`,
  ),
  'deals in another currency': withoutTriggers(
    `update deals set currency = 'XOF' where id = (select min(id) from deals)`,
  ),
  'price alerts in another currency': withoutTriggers(
    `update price_alerts set currency = 'XOF' where id = (select min(id) from price_alerts)`,
  ),
};
const whats = Object.values(waysBack).flatMap((way) =>
  typeof way === 'string' ? [] : way.newRows.map(({ what }) => what),
);

describe('what only the newer version has a place for', () => {
  it('stops the way back, all of it named at once, until it is gone', async () => {
    const shop = await kept(openOlderShop('1.0.0'));
    await migrate(shop.db);
    const expected: string[] = [];
    for (const what of whats) {
      await shop.pool.query(written[what] ?? 'no example');
      expected.push(expect.stringContaining(`it has no place for 1 ${what} (table `));
      const obstacles = (await findWayBack(shop.db))?.obstacles;
      expect(obstacles?.toSorted()).toEqual(expect.arrayContaining(expected));
      expect(obstacles).toHaveLength(expected.length);
    }
    const before = await heldRows(shop.pool);
    await expect(goBack(shop.db)).rejects.toThrow(
      /^This database cannot go back to 1\.0\.0 now: it has no place for 1 .*; it has .*\. Nothing was changed\.$/,
    );
    expect(await heldRows(shop.pool)).toEqual(before);
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));

    // Copies of stores' pictures and messages that were sent are none of it.
    await shop.pool.query(`
      update watched_searches set evidence = null, off = null;
      update push_outbox set state = 'sent';
      delete from watch_requests where search_name is not null or repeats;
      update price_alerts set repeats = false;
      update newsletter_issues set queued_up_to = null;
      delete from alert_checks;
      update mail_suspensions set lifted_at = now();
      delete from watched_filter_hits;
      update stored_pictures set name = 'pictures-0/1-a.webp'`);
    await shop.pool.query(
      withoutTriggers(
        ['price_log', 'deals', 'price_alerts']
          .map((table) => `update ${table} set currency = site_currency()`)
          .join(';'),
      ),
    );
    expect((await findWayBack(shop.db))?.obstacles).toEqual([]);
    await goBack(shop.db);
  });

  it('is declared, column by column', async () => {
    const { lastMigration } = releases.at(-1)!;
    const before = new Set((await schemaOf(lastMigration)).split('\n'));
    const now = inject('templateSchema').split('\n');
    const isTable = (line: string) => /^relation \w+ r /.test(line);
    const tables = new Set(now.filter(isTable).map((line) => line.split(' ')[1]));
    const tablesBefore = new Set([...before].filter(isTable).map((line) => line.split(' ')[1]));
    const added = now
      .filter((line) => line.startsWith('column ') && !before.has(line))
      .map((line) => line.split(' ').slice(1, 3) as [string, string])
      .filter(([table]) => tables.has(table));
    const told = Object.values(waysBack).flatMap((way) => (typeof way === 'string' ? [] : [way]));
    const isTold = ([table, column]: [string, string]) =>
      told.some(
        ({ newRows, madeAgain }) =>
          madeAgain.includes(table) ||
          madeAgain.includes(`${table}.${column}`) ||
          newRows.some(
            (one) =>
              one.table === table &&
              (new RegExp(`\\b${column}\\b`).test(one.where) || !tablesBefore.has(table)),
          ),
      );
    expect(added.length).toBeGreaterThan(5);
    expect(added.filter((one) => !isTold(one)).map((one) => one.join('.'))).toEqual([]);
  });
});

it('a database that began with this version has nothing to go back to', async () => {
  const shop = await kept(openEmptyShop());
  await migrate(shop.db);
  expect(await findWayBack(shop.db)).toBeNull();
  await expect(goBack(shop.db)).rejects.toThrow(
    'This database was not upgraded from 1.0.0: there is no version to go back to.',
  );
});

it('one that stood between two releases has not, either', async () => {
  const shop = await kept(openOlderShop('1.0.0'));
  await migrate(shop.db, '0073_evidence_of_watched_searches');
  await migrate(shop.db);
  expect(await findWayBack(shop.db)).toBeNull();
});

it('every migration since the last release says how to go back, or why it cannot', async () => {
  const { lastMigration } = releases.at(-1)!;
  const since = [...(await readMigrationTexts()).keys()].filter((name) => name > lastMigration);
  const undo = await readSqlFiles('undo');
  const silent = since.filter((name) => {
    const way = waysBack[name];
    return way === undefined || (typeof way !== 'string' && !undo.has(name));
  });
  expect(
    silent,
    'migrations for waysBack in database/releases.ts, with database/undo/NAME.sql',
  ).toEqual([]);
});

it('every release is a migration that there is, in order, and has a fixture', async () => {
  const known = [...(await readMigrationTexts()).keys()];
  const places = releases.map(({ lastMigration }) => known.indexOf(lastMigration));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const fixtures = await readdir(path.join(import.meta.dirname, '../test/fixtures/releases'));
  for (const { version } of releases) {
    expect(fixtures).toEqual(
      expect.arrayContaining([`${version}.backup`, `rows-of-${version}.sql`]),
    );
  }
});
