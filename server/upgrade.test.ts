import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { describeSchema } from '#database/describe-schema.ts';
import { newestMigration } from '#database/migrate.ts';
import { freePort } from '#test/free-port.ts';
import { heldRows, openOlderShop, type OlderShop } from '#test/older-shop.ts';
import { jsonOf, runDeals, type Said } from '#test/run-deals.ts';

const root = path.resolve(import.meta.dirname, '..');
const patience = { timeout: 60_000 };
let shop: OlderShop;
let port: number;
const children = new Set<ChildProcess>();

const settings = () => ({
  DATABASE_URL: shop.url,
  DATA_DIR: shop.folder,
  SEED: 'none',
  OVERLOAD_DELAY_MS: '0',
  PORT: String(port),
  LINK_CHECKS: 'off',
  PICTURES_MB: '0',
  LOG_LEVEL: 'error',
});
const deals = (...words: string[]): Promise<Said> => runDeals(words, settings());

beforeEach(async () => {
  shop = await openOlderShop('1.0.0');
  port = await freePort();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await shop.remove();
});

async function startSite(): Promise<ChildProcess> {
  const site = spawn(process.execPath, ['server/cli.ts', 'start'], {
    cwd: root,
    env: { ...process.env, ...settings(), NODE_ENV: 'production', ROLE: 'web' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(site);
  const ready = () =>
    fetch(`http://localhost:${port}/health/ready`).then((answer) => answer.status);
  await expect.poll(() => ready().catch(() => 0), patience).toBe(200);
  return site;
}

async function stopSite(site: ChildProcess): Promise<void> {
  const exit = once(site, 'exit');
  site.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  children.delete(site);
}

it('says what an upgrade of 1.0.0 would do, does it, serves its pages and takes it back', async () => {
  const [before, schema] = [await heldRows(shop.pool), await describeSchema(shop.pool)];
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

  const checked = await deals('upgrade', '--check');
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toMatch(new RegExp(`^From 1\\.0\\.0 to ${version}: \\d+ migrations\n`));
  expect(checked.out).toContain(`  0073_evidence_of_watched_searches
      A list that is narrowed to real lows, or to prices that fell this week, can be watched.\n`);
  expect(checked.out).toContain(await newestMigration());
  expect(checked.out).toMatch(
    /\nok {4}room: up to \d+ MB for the tables that change; the server of/,
  );
  expect(checked.out).toContain('\nnote  backup: none was ever made\n');
  expect(checked.out).toContain('\nok    processes: none of this site is running\n');
  expect(checked.out).toContain(
    '\nok    way back: to 1.0.0, while nothing is written that it has no',
  );
  expect(checked.out).toMatch(/\nIt can go: `deals upgrade`, or `deals start`\.\n$/);
  expect(await describeSchema(shop.pool)).toBe(schema);
  expect(await heldRows(shop.pool)).toEqual(before);

  const done = await deals('upgrade');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(
    /before-.*\.backup: a backup, written and read back\.\nFrom 1\.0\.0 to /,
  );
  expect(done.out).toMatch(/ migrations ran\. All [\d,]+ rows of \d+ tables are there\.\n$/);
  const file = (await readdir(path.join(shop.folder, 'backups')))[0] ?? '';
  expect(file).toMatch(/^before-.*\.backup$/);
  expect((await deals('upgrade', '--check')).out).toMatch(
    new RegExp(`^Nothing to do: the database is that of ${version}\\.\\nok `),
  );
  const again = jsonOf(await deals('upgrade', '--check', '--json'));
  expect(again).toMatchObject({ isReady: true, from: version, to: version, migrations: [] });
  expect(JSON.stringify(again)).toContain(`${file} is whole and can be read`);
  expect(JSON.stringify(again)).toContain('to 1.0.0: `deals upgrade --back`');

  const site = await startSite();
  const pages = [
    '/',
    '/deals',
    '/deals/akkuschrauber',
    '/deals?search=наушники',
    '/merchants',
    '/blog',
  ];
  for (const page of [...pages, '/media/demo/dice-f6fdfa0814-640.webp']) {
    expect([page, (await fetch(`http://localhost:${port}${page}`)).status]).toEqual([page, 200]);
  }
  const refused = await deals('upgrade', '--back');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(` runs ${version}. Stop all of them first`);
  await stopSite(site);

  const back = await deals('upgrade', '--back');
  expect(back).toMatchObject({ code: 0, err: '' });
  expect(back.out).toContain('The database is that of 1.0.0 again: ');
  expect(await describeSchema(shop.pool)).toBe(schema);
  const machinery = new Set(['audit_log', 'site_secrets', 'site_processes', 'rate_limits']);
  const others = <One extends { table: string }>(held: One[]) =>
    held.filter(({ table }) => !machinery.has(table));
  expect(others(await heldRows(shop.pool))).toEqual(others(before));
});

describe('what stands in the way', () => {
  it('is an older process that runs', async () => {
    await shop.pool.query('update site_processes set seen_at = now()');
    for (const words of [['upgrade', '--check'], ['upgrade']]) {
      const said = await deals(...words);
      expect(said.code).toBe(1);
      expect(said.out).toContain(
        '\nFAIL  processes: one.example:3000 runs 1.0.0, two.example:3000 runs 1.0.0\n        → Stop all of them first',
      );
      expect(said.out).toMatch(/\nNot yet: see FAIL above\.\n$/);
    }
    expect(await describeSchema(shop.pool)).not.toContain('stored_pictures');
  });

  it('is a database of a newer version, a damaged backup, or none at all', async () => {
    const backups = path.join(shop.folder, 'backups');
    await deals('upgrade');
    const [file = ''] = await readdir(backups);
    await writeFile(path.join(backups, file), 'torn');
    const damaged = await deals('upgrade', '--check');
    expect(damaged.code).toBe(1);
    expect(damaged.out).toContain(`; ${file} cannot be read: The backup is damaged`);

    await shop.pool.query(`insert into kysely_migration values ('9999_later', 'now')`);
    const newer = await deals('upgrade', '--check');
    expect(newer.code).toBe(1);
    expect(newer.out).toContain('FAIL  version: This database was migrated by a newer version');

    const env = { ...settings(), DATABASE_URL: '', DATA_DIR: path.join(shop.folder, 'none') };
    expect(await runDeals(['upgrade', '--check'], env)).toMatchObject({
      code: 1,
      err: `There is no database in ${env.DATA_DIR} yet: \`deals start\` makes one.\n`,
    });
  });

  it('is, on the way back, what the older version has no place for', async () => {
    await deals('upgrade');
    await shop.pool.query('update watched_searches set off = 30');
    const bucket = {
      PICTURE_STORE: 's3',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'pictures',
      S3_ACCESS_KEY_ID: 'made-up',
      S3_SECRET_ACCESS_KEY: 'made-up',
    };
    const inBucket = await runDeals(['upgrade', '--back'], { ...settings(), ...bucket });
    expect(inBucket).toMatchObject({ code: 1, out: '' });
    expect(inBucket.err).toContain('searches); it knows no bucket: `deals move-pictures` with');
    const said = await deals('upgrade', '--back');
    expect(said).toEqual({
      code: 1,
      out: '',
      err: 'This database cannot go back to 1.0.0 now: it has no place for 2 watched searches by brand, condition or discount (table watched_searches). Nothing was changed.\n',
    });
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));
  });
});

describe('killed while it waits in its middle', () => {
  /** Runs it until it waits for a lock of this table, which another connection holds, and kills it there. */
  async function killAt(table: string, ...words: string[]): Promise<void> {
    const holder = await shop.pool.connect();
    try {
      await holder.query(`begin; lock table ${table} in access share mode`);
      let child: ChildProcess | undefined;
      let said: Said | undefined;
      const run = runDeals(words, settings(), { onStart: (started) => (child = started) });
      void run.then((all) => (said = all));
      const state = async () => {
        const { rows } = await shop.pool.query(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return said ?? (rows.length > 0 ? 'waits' : 'works');
      };
      await expect.poll(state, { ...patience, interval: 20 }).toBe('waits');
      child?.kill('SIGKILL');
      expect((await run).code).toBeNull();
    } finally {
      holder.release(true); // with its lock
    }
    const others = async () =>
      (
        await shop.pool.query(
          `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        )
      ).rows.length;
    await expect.poll(others, patience).toBe(0);
  }

  const settled = (held: Awaited<ReturnType<typeof heldRows>>) =>
    held.filter(({ table }) => table !== 'audit_log');

  it('an upgrade leaves what was there before, and goes when it is run again', async () => {
    const [before, schema] = [await heldRows(shop.pool), await describeSchema(shop.pool)];
    for (const table of ['price_alerts', 'watch_requests', 'deal_texts']) {
      await killAt(table, 'upgrade');
      expect(await describeSchema(shop.pool)).toBe(schema);
      expect(settled(await heldRows(shop.pool))).toEqual(settled(before));
    }
    expect((await deals('upgrade')).code).toBe(0);
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));
    expect(settled(await heldRows(shop.pool, before))).toEqual(settled(before));
  });

  it('a way back leaves the newer version, and goes when it is run again', async () => {
    const schema = await describeSchema(shop.pool);
    await deals('upgrade');
    const [before, newer] = [await heldRows(shop.pool), await describeSchema(shop.pool)];
    for (const table of ['stored_pictures', 'price_proofs', 'price_alerts']) {
      await killAt(table, 'upgrade', '--back');
      expect(await describeSchema(shop.pool)).toBe(newer);
      expect(settled(await heldRows(shop.pool))).toEqual(settled(before));
    }
    expect((await deals('upgrade', '--back')).code).toBe(0);
    expect(await describeSchema(shop.pool)).toBe(schema);
  });
});
