import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { thingsFeed } from '#test/things-feed.ts';
import { importFeed } from './import-feed.server.ts';

const database = useTestDatabase();
const cli = fileURLToPath(new URL('../../../../server/cli.ts', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'killed-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const products = 4_000;

test('R30: leaves complete batches with correct counts after SIGKILL, and lets the next import continue', async () => {
  const file = path.join(folder, 'feed.csv');
  await writeFile(file, thingsFeed(products));

  const child = spawn(process.execPath, [cli, 'import', file, '--merchant', 'Example Shop'], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: folder },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await expect.poll(async () => (await lastRun())?.rows_done ?? 0).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await ended;

  const dead = await lastRun();
  expect(dead).toMatchObject({ state: 'running', rows_new: dead?.rows_done });
  const left = await deals();
  expect(left).toBe(dead?.rows_new);
  expect(left).toBeLessThan(products);
  const changes = await database.db.selectFrom('import_changes').select('deal_id').execute();
  expect(changes).toHaveLength(left);

  // The database releases the lock once it notices the closed connection.
  await expect
    .poll(async () => (await importFeed(database.db, { file }, { merchant: 'Example Shop' })).state)
    .toBe('done');
  expect(await deals()).toBe(products);
  expect(await lastRun()).toMatchObject({ rows_new: products - left, rows_unchanged: left });
  const first = await database.db
    .selectFrom('import_runs')
    .selectAll()
    .orderBy('id')
    .executeTakeFirst();
  expect(first).toMatchObject({ state: 'interrupted', finished_at: expect.any(Date) });
  const log = await database.db.selectFrom('price_log').select('id').execute();
  expect(log).toHaveLength(products);
});

function lastRun() {
  return database.db.selectFrom('import_runs').selectAll().orderBy('id', 'desc').executeTakeFirst();
}

async function deals(): Promise<number> {
  const rows = await database.db.selectFrom('deals').select('id').execute();
  return rows.length;
}
