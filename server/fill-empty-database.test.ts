import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { fillEmptyDatabase } from '#server/fill-empty-database.ts';

const database = useTestDatabase();
const log = createLog('silent');
let dataDir = '';
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'deal-hub-fill-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function countDeals(): Promise<number> {
  const { rows } = await database.pool.query('select count(*) as n from deals');
  return rows[0].n;
}

it('fills an empty site once, and not again after the owner removed the demo shop', async () => {
  const env = readEnv({ DATA_DIR: dataDir });
  await Promise.all([
    fillEmptyDatabase(database.db, env, log),
    fillEmptyDatabase(database.db, env, log),
  ]);
  const filled = await countDeals();
  expect(filled).toBeGreaterThan(100);
  await fillEmptyDatabase(database.db, env, log);
  expect(await countDeals()).toBe(filled);
  await removeDemo(database.db);
  await fillEmptyDatabase(database.db, env, log);
  expect(await countDeals()).toBe(0);
});
