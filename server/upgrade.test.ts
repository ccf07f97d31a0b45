import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { restoreBackup } from '#database/backups/backup.ts';
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

it('checks and performs an upgrade from 1.0.0, serves the pages, and leaves a backup that can be restored', async () => {
  const [before, schema] = [await heldRows(shop.pool), await describeSchema(shop.pool)];
  const ofSite = await describeSchema(shop.pool, { madeAnew: false });
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

  const checked = await deals('upgrade', '--check');
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toMatch(new RegExp(`^From 1\\.0\\.0 to ${version}: \\d+ migrations\n`));
  expect(checked.out).toContain(`  0073_evidence_of_watched_searches
      Lets people watch lists of real lows and recent price drops.\n`);
  expect(checked.out).not.toMatch(/\b(?:any|some|no)body\b/i);
  expect(checked.out).toContain(await newestMigration());
  expect(checked.out).toMatch(
    /\nok {4}room: up to \d+ MB for the tables that change; the free space on/,
  );
  expect(checked.out).toContain('\nnote  backup: no backup was ever made\n');
  expect(checked.out).toContain('\nok    processes: no process of this site is running\n');
  expect(checked.out).toContain(
    '\nok    way back: restore the backup that `deals upgrade` makes, with 1.0.0 installed again;',
  );
  expect(checked.out).toMatch(/\nReady: run `deals upgrade` or `deals start`\.\n$/);
  expect(await describeSchema(shop.pool)).toBe(schema);
  expect(await heldRows(shop.pool)).toEqual(before);

  const done = await deals('upgrade');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(/before-.*\.backup: a backup, written and verified\.\nFrom 1\.0\.0 to /);
  expect(done.out).toMatch(/ migrations ran\. All [\d,]+ rows of \d+ tables are there\.\n/);
  const file = (await readdir(path.join(shop.folder, 'backups')))[0] ?? '';
  expect(file).toMatch(/^before-.*\.backup$/);
  const backup = path.join(shop.folder, 'backups', file);
  const database = new URL(shop.url).pathname.slice(1);
  expect(done.out).toContain(
    `\nTo go back to 1.0.0: stop the site, install that version, then \`deals restore ${backup} --replace ${database}\`. Everything`,
  );
  expect((await deals('upgrade', '--check')).out).toMatch(
    new RegExp(`^Nothing to do: the database has version ${version}\\.\\nok `),
  );
  const again = jsonOf(await deals('upgrade', '--check', '--json'));
  expect(again).toMatchObject({ isReady: true, from: version, to: version, migrations: [] });
  expect(JSON.stringify(again)).toContain(`${file} is complete and readable`);

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
  await stopSite(site);

  // Restores as 1.0.0 would, without a table of stored pictures.
  const restored = await restoreBackup(shop.pool, { file: backup, media: null, replace: true });
  expect(restored).toMatchObject({ ok: true });
  await shop.pool.query('drop table stored_pictures');
  expect(await describeSchema(shop.pool, { madeAnew: false })).toBe(ofSite);
  expect(await heldRows(shop.pool)).toEqual(before);
});

describe('an impossible upgrade', () => {
  it('refuses an upgrade while an older process is running', async () => {
    await shop.pool.query('update site_processes set seen_at = now()');
    for (const words of [['upgrade', '--check'], ['upgrade']]) {
      const said = await deals(...words);
      expect(said.code).toBe(1);
      expect(said.out).toContain(
        '\nFAIL  processes: one.example:3000 runs 1.0.0, two.example:3000 runs 1.0.0\n        → Stop all of them first',
      );
      expect(said.out).toMatch(/\nNot ready: see FAIL above\.\n$/);
    }
    expect(await describeSchema(shop.pool)).not.toContain('stored_pictures');
  });

  it('refuses to upgrade if the database is newer or missing, or if the backup is damaged', async () => {
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
      err: `There is no database in ${env.DATA_DIR} yet: \`deals start\` creates one.\n`,
    });
  });
});

describe('an upgrade that is killed halfway', () => {
  /**
   * Runs the command until it waits for a lock on this table that another connection holds, then
   * kills it.
   */
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
      holder.release(true); // Releasing the lock lets the upgrade continue.
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

  it('leaves the data unchanged when killed halfway, and succeeds when run again', async () => {
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
});
