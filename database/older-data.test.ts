import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connect, type Connection } from '#database/connect.ts';
import { restoreBackup, writeBackup } from '#database/backups/backup.ts';
import { openDatabaseMedia } from '#database/database-media.ts';
import { askBy, openFolderMedia } from '#database/media-store.ts';
import { describeSchema } from '#database/describe-schema.ts';
import { migrate, newestMigration, readMigrationTexts } from '#database/migrate.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';

// `old` has the schema and rows of an earlier version. A backup of it is restored into `fresh`.
let names: string[] = [];
let old: Connection;
let fresh: Connection;

beforeEach(async () => {
  const hex = randomBytes(6).toString('hex');
  names = [`old_${hex}`, `fresh_${hex}`];
  for (const name of names) await onServer(inject('serverUrl'), `create database ${name}`);
  const open = (name: string) =>
    connect(databaseUrl(inject('serverUrl'), name), { statementTimeout: 0 });
  [old, fresh] = names.map(open) as [Connection, Connection];
});
afterEach(async () => {
  await old.close();
  await fresh.close();
  for (const name of names)
    await onServer(inject('serverUrl'), `drop database ${name} with (force)`);
});

const rowsOfTheirTime = `
insert into categories (name, slug) values ('Tools', 'tools');
insert into merchants (name, slug) values ('Shop', 'shop');
insert into deals (slug, title, sale_price, original_price, deal_url, category_id, merchant_id)
  select 'drill', 'Cordless drill', 5000, 9000, 'https://shop.example/drill', c.id, m.id from categories c, merchants m;
update deals set sale_price = 4000;
insert into users (id, email, role) values ('u1', 'maria@shop.example', 'super_admin');
insert into sessions (id, token, user_id, expires_at) values ('s1', 'hash', 'u1', now() + interval '1 day');
insert into accounts (id, account_id, provider_id, user_id, password) values ('a1', 'u1', 'credential', 'u1', 'hash');
insert into user_favorites (user_id, deal_id) select 'u1', id from deals;
insert into price_alerts (user_id, deal_id, target_price, base_price) select 'u1', id, 3000, 4000 from deals;
insert into newsletter_subscriptions (email) values ('maria@shop.example');
insert into blog_posts (title, slug, content, is_published, published_at) values ('Guide', 'guide', '<p>a</p>', true, now());
insert into contact_messages (name, email, subject, message) values ('Maria', 'maria@shop.example', 'Hello', 'A question');
`;

/** Queries for data that an owner would miss, which work in every version. */
const kept = `
select (select count(*) from deals where slug = 'drill' and sale_price = 4000)::int as deals,
       (select array_agg(sale_price order by id) from price_log) as prices,
       (select deal_count from categories where slug = 'tools') as counted,
       (select count(*) from users where email = 'maria@shop.example' and role = 'super_admin')::int as users,
       (select count(*) from sessions)::int as sessions,
       (select count(*) from user_favorites)::int as favorites,
       (select count(*) from price_alerts where is_active)::int as alerts,
       (select count(*) from newsletter_subscriptions where is_active)::int as subscribers,
       (select count(*) from blog_posts where is_published)::int as posts,
       (select count(*) from contact_messages where subject = 'Hello' and not is_read)::int as messages`;

const whole = {
  deals: 1,
  prices: [5000, 4000],
  counted: 1,
  users: 1,
  sessions: 1,
  favorites: 1,
  alerts: 1,
  subscribers: 1,
  posts: 1,
  messages: 1,
};

async function makeOld(version: string): Promise<void> {
  await migrate(old.db, version);
  await old.pool.query(rowsOfTheirTime);
}

/**
 * Checks that the current rules apply to the old rows: the price is logged, the alert fires and its
 * email is queued.
 */
async function expectWorking({ pool }: Connection): Promise<void> {
  await pool.query('update deals set sale_price = 2500');
  const { rows } = await pool.query(`
    select (select count(*) from price_log)::int as prices,
           (select count(*) from price_alert_events)::int as fired,
           (select count(*) from search_words where word = 'cordless')::int as words`);
  expect(rows).toEqual([{ prices: 3, fired: 1, words: 1 }]);
}

describe.each(['0001_initial', '0003_search_vocabulary', '0007_price_alerts'])(
  'a database made at %s',
  (version) => {
    // Proves R39: older data survive (migrate.ts)
    it('R39: keeps every row of any older database through all later migrations, and applies the current rules', async () => {
      await makeOld(version);
      const done = await migrate(old.db);
      expect(done.at(-1)).toBe(await newestMigration());
      expect(done).not.toContain(version);
      expect((await old.pool.query(kept)).rows).toEqual([whole]);
      expect(await describeSchema(old.pool)).toBe(inject('templateSchema'));
      await expectWorking(old);
    });

    // Proves R40: numbers go on, pictures before the commit, older backups
    it('R40: restores a backup of any older version', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-older-'));
      try {
        await makeOld(version);
        const file = path.join(folder, 'old.backup');
        const media = openFolderMedia(path.join(folder, 'media'));
        await media.write('shop/a-1.webp', Buffer.from('picture'));
        const toMedia = openDatabaseMedia(askBy(fresh.pool), async () => Infinity);
        await writeBackup(old.pool, { file, media, now: new Date('2026-05-01T00:00:00Z') });
        const restored = await restoreBackup(fresh.pool, { file, media: toMedia, replace: false });
        expect(restored).toMatchObject({ ok: true });
        expect((await migrate(fresh.db)).at(-1)).toBe(await newestMigration());
        expect(await toMedia.list()).toEqual(['shop/a-1.webp']);
        expect((await fresh.pool.query(kept)).rows).toEqual([whole]);
        expect(await describeSchema(fresh.pool)).toBe(inject('templateSchema'));
        await expectWorking(fresh);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);

// Proves P2: an upgrade keeps the currency of every logged price (database/migrations/0092_currencies.sql)
it('R39: assigns the site’s currency to every amount', async () => {
  await makeOld('0021_link_checks');
  await migrate(old.db, '0089_reference_prices');
  await old.pool.query(`
    insert into site_settings (name, value, updated_by) values ('currency', '"EUR"', 'u1');
    insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
      select 'saw', 'Saw', 700, deal_url, category_id, merchant_id from deals;
    insert into reduction_checks (deal_id, began_at, merchant_id, sale_price, struck_price, announced, is_standing, logged_days, verdict, left_out)
      select id, now(), merchant_id, 700, 1400, 50, false, 40, 'none', 'price' from deals where slug = 'saw';
    select delete_deals(array(select id from deals where slug = 'drill'), gen_random_uuid(), 'u1')`);
  await migrate(old.db);
  await old.pool.query(`
    update site_settings set value = '"USD"' where name = 'currency';
    select restore_deal(snapshot || jsonb_build_object('currency', currency), 'back') from deleted_deals`);
  const { rows } = await old.pool.query(`
    select (select array_agg(slug || ' ' || currency order by slug) from deals) as deals,
           (select array_agg(sale_price || ' ' || currency order by sale_price) from price_log) as lines,
           (select array_agg(target_price || ' ' || currency) from price_alerts) as alerts,
           (select array_agg(left_out || ' ' || currency) from reduction_checks) as checks`);
  expect(rows).toEqual([
    {
      deals: ['back EUR', 'saw EUR'],
      lines: ['700 EUR', '4000 EUR', '5000 EUR'],
      alerts: ['3000 EUR'],
      checks: ['price EUR'],
    },
  ]);
});

it('R39: dates a held price that an older version stored without a time, and rejects undated ones', async () => {
  await makeOld('0021_link_checks');
  await old.pool.query('update deals set held_price = 300, held_at = null');
  await migrate(old.db);
  const { rows } = await old.pool.query('select held_at = updated_at as is_dated from deals');
  expect(rows).toEqual([{ is_dated: true }]);
  await expect(old.pool.query('update deals set held_at = null')).rejects.toThrow(
    'deals_held_check',
  );
});

it('R60: removes links in old emails from the outbox', async () => {
  await makeOld('0031_staff_second_factor');
  const insert = (kind: string, payload: string) =>
    old.pool.query(
      'insert into mail_outbox (key, kind, recipient, payload) values ($1, $1, $2, $3)',
      [kind, 'maria@shop.example', payload],
    );
  await insert('verify-email', '{"path": "/verify-email?token=abc"}');
  await insert('reset-password', '{"path": "/reset-password?token=abc"}');
  await insert('test', '{"askedAt": "noon"}');
  await migrate(old.db);
  const { rows } = await old.pool.query(
    `select kind, payload from mail_outbox where kind not like 'price%' order by id`,
  );
  expect(rows).toEqual([
    { kind: 'verify-email', payload: {} },
    { kind: 'reset-password', payload: {} },
    { kind: 'test', payload: { askedAt: 'noon' } },
  ]);
});

it('R18: changes http addresses of pictures, which pages never showed, to https', async () => {
  await makeOld('0031_staff_second_factor');
  await old.pool.query(`update deals set image_url = 'http://img.example/a.png'`);
  await old.pool.query(`update merchants set logo_url = 'http://img.example:8080/a.png'`);
  await old.pool.query(`update blog_posts set featured_image_url = 'http://img.example/b.png'`);
  await migrate(old.db);
  const { rows } = await old.pool.query(`
    select image_url, logo_url, featured_image_url from deals, merchants, blog_posts`);
  expect(rows).toEqual([
    {
      image_url: 'https://img.example/a.png',
      logo_url: 'http://img.example:8080/a.png',
      featured_image_url: 'https://img.example/b.png',
    },
  ]);
});

// Proves R59: the first proof ends what was there
it('R59: removes what unverified accounts may not have, and keeps the owner of every site', async () => {
  await migrate(old.db, '0031_staff_second_factor');
  await old.pool.query(`
    insert into users (id, email, role, email_verified, two_factor_enabled) values
      ('owner', 'owner@shop.example', 'super_admin', true, false),
      ('by-machine', 'machine@shop.example', 'admin', false, true),
      ('by-page', 'page@shop.example', 'admin', false, true),
      ('planted', 'planted@mail.example', 'user', false, true),
      ('proved', 'proved@mail.example', 'user', true, true);
    insert into audit_log (actor, action, entity, entity_id) values
      ('cli', 'user.role', 'user', 'by-machine'), ('owner', 'user.role', 'user', 'by-page');
    insert into two_factors (user_id, sealed_key) select id, 'k' from users;
    insert into backup_codes (user_id, code_hash) select id, 'h' from users;
    insert into passkeys (id, user_id, name, public_key, algorithm) select repeat(id, 16), id, 'Key', 'k', -7 from users;
    insert into push_subscriptions (user_id, endpoint, p256dh, auth) select id, 'https://push.example/' || id, 'a', 'b' from users;
    insert into api_keys (name, prefix, key_hash, created_by) select id, 'p', id, id from users;
    insert into accounts (id, account_id, provider_id, user_id, password, created_at)
      select id || p, id || p, split_part(p, '-', 1), id, p, now() + n * interval '1 minute'
        from users, unnest(array['credential', 'google-first', 'google-second']) with ordinality as t (p, n)`);
  await migrate(old.db);
  const { rows } = await old.pool.query(`
    select id, role, email_verified as proved, two_factor_enabled as step,
           (select count(*)::int from two_factors where user_id = u.id) + (select count(*)::int from backup_codes where user_id = u.id)
             + (select count(*)::int from passkeys where user_id = u.id)
             + (select count(*)::int from push_subscriptions where user_id = u.id)
             + (select count(*)::int from api_keys where created_by = u.id and revoked_at is null) as held,
           (select array_agg(password order by created_at) from accounts where user_id = u.id) as ways
      from users u order by id`);
  const all = { held: 5, ways: ['credential', 'google-first'] };
  const none = { proved: false, step: false, held: 0, ways: ['credential'] };
  expect(rows).toEqual([
    { id: 'by-machine', role: 'admin', proved: true, step: true, ...all },
    { id: 'by-page', role: 'user', ...none },
    { id: 'owner', role: 'super_admin', proved: true, step: false, ...all },
    { id: 'planted', role: 'user', ...none },
    { id: 'proved', role: 'user', proved: true, step: true, ...all },
  ]);
  const { rows: told } = await old.pool.query(
    `select actor, entity_id, before, after from audit_log where actor = 'system'`,
  );
  expect(told).toEqual([
    { actor: 'system', entity_id: 'by-page', before: { role: 'admin' }, after: { role: 'user' } },
  ]);
});

it('R39: marks only merchants whose name begins with Amazon as Amazon', async () => {
  await makeOld('0021_link_checks');
  await migrate(old.db, '0101_counts_of_people');
  await old.pool.query(`insert into merchants (name, slug) values
    ('AMAZON', 'a'), ('Amazon.com', 'b'), ('Amazonia Plants', 'c'), ('Not Amazon', 'd')`);
  await migrate(old.db);
  const { rows } = await old.pool.query(
    `select array_agg(name order by name collate "C") as names from merchants where seller_type = 'amazon'`,
  );
  expect(rows).toEqual([{ names: ['AMAZON', 'Amazon.com'] }]);
});

it('R39: uses each migration number once, and starts with the seven published migrations', async () => {
  const all = [...(await readMigrationTexts()).keys()];
  const numbers = all.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.slice(0, 7)).toEqual(['0001', '0002', '0003', '0004', '0005', '0006', '0007']);
});

it('counts old clicks in lists and charts by the current category of their deals', async () => {
  await makeOld('0031_staff_second_factor');
  await old.pool.query(`
    insert into clicks (deal_id, day, count)
      select id, (now() at time zone 'UTC')::date - ago, 3 from deals, (values (0), (29), (30), (300)) days (ago)`);
  await migrate(old.db);
  const { rows } = await old.pool.query(`
    select (select count from recent_clicks) as recent,
           (select sum(count) from clicks)::int as clicks,
           (select sum(count) from click_days where kind = 'site' and place_id = 0)::int as site,
           (select sum(count) from click_days join merchants m on m.id = place_id where kind = 'merchant')::int as stores,
           (select sum(count) from click_days join categories c on c.id = place_id where kind = 'category')::int as categories,
           (select sum(count) from click_days where kind = 'feed' and place_id = 0)::int as "withoutFeed"`);
  expect(rows).toEqual([
    { recent: 6, clicks: 12, site: 12, stores: 12, categories: 12, withoutFeed: 12 },
  ]);
});

it('R39: keeps prices voided when restoring an older backup', async () => {
  await makeOld('0031_staff_second_factor');
  await migrate(old.db, '0088_voided_prices');
  for (const price of [3000, 4500]) await old.pool.query(`update deals set sale_price = ${price}`);
  await old.pool.query(`
    insert into price_voids (line_id, deal_id, actor, reason)
      select id, deal_id, 'u1', 'A typo' from price_log where sale_price = 3000`);
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-voids-'));
  try {
    const file = path.join(folder, 'old.backup');
    const media = openFolderMedia(path.join(folder, 'media'));
    await writeBackup(old.pool, { file, media, now: new Date('2026-05-01T00:00:00Z') });
    const restored = await restoreBackup(fresh.pool, { file, media, replace: false });
    expect(restored).toMatchObject({ ok: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const { db, pool } of [old, fresh]) {
    await migrate(db);
    await pool.query('update deals set sale_price = 2500');
    const { rows } = await pool.query(`
      select low_30_before, (select array_agg(sale_price order by id) from valid_prices) as counted,
             (select array_agg(actor || ': ' || reason) from price_voids) as why
        from deals`);
    expect(rows).toEqual([
      { low_30_before: 4000, counted: [5000, 4000, 4500, 2500], why: ['u1: A typo'] },
    ]);
    await expect(pool.query('delete from price_voids')).rejects.toThrow('append-only');
  }
});

it('R39: normalizes the GTINs of older deals without running triggers', async () => {
  await makeOld('0021_link_checks');
  await migrate(old.db, '0104_sellers_of_merchants');
  await old.pool.query(`
    insert into deals (slug, title, sale_price, deal_url, gtin, category_id, merchant_id)
      select 'd' || n, 'Deal', 700, deal_url, code, category_id, merchant_id
        from deals, unnest(array['4006381333931', '04006381333931', '0036000291452', '36000291452', '96385074',
          '00000096385074', '4006381333932', '2000000010007', '0306406152', '00000000']) with ordinality c (code, n);
    insert into import_runs (source_name, format, state) values ('a', 'csv', 'done');
    insert into import_changes (import_run_id, deal_id, kind, before, version_before, version_after)
      select r.id, d.id, 'changed', jsonb_build_object('title', d.title, 'gtin', d.gtin), 1, 2 from import_runs r, deals d;
    insert into product_questions (deal_id, import_run_id, title, deal_url, gtin, sale_price, currency)
      select d.id, r.id, d.title, d.deal_url, d.gtin, 700, 'USD' from import_runs r, deals d`);
  const lines = 'select count(*)::int as n, max(updated_at) as at from price_log, deals';
  const before = (await old.pool.query(lines)).rows;
  await migrate(old.db);
  const { rows } = await old.pool.query(`
    select d.gtin, c.before, q.gtin as asked from deals d
      join import_changes c on c.deal_id = d.id join product_questions q on q.deal_id = d.id
     where d.slug ~ '^d\\d' order by d.id`);
  expect(rows.map(({ gtin }) => gtin)).toEqual([
    '4006381333931',
    '4006381333931',
    '036000291452',
    '036000291452',
    '96385074',
    '96385074',
    null,
    null,
    null,
    null,
  ]);
  for (const { gtin, before: stored, asked } of rows) {
    expect([stored, asked]).toEqual([{ title: 'Deal', gtin }, gtin]);
  }
  expect((await old.pool.query(lines)).rows).toEqual(before);
  expect(await describeSchema(old.pool)).toBe(inject('templateSchema'));
});
