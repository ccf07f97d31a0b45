import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { thingsFeed } from '#test/things-feed.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { useOwner } from '#test/run-deals.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { storeFeedFile } from '#app/features/feeds/sources/feed-files.server.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';

const database = useTestDatabase();
const owner = useOwner(database);
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command in a process group, as a shell does, and interrupts the group while the command
 * writes.
 */
async function interruptGroup(words: string[]) {
  const child = spawn(process.execPath, ['bin/deals.mjs', ...words], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'warn', ...owner.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  const ended = once(child, 'close');
  await vi.waitUntil(async () => ((await lastRun())?.rows_done ?? 0) > 0, { timeout: 30_000 });
  process.kill(-(child.pid ?? 0), 'SIGINT');
  const [code] = (await ended) as [number | null];
  return { ...texts, code };
}

const lastRun = () =>
  database.db.selectFrom('import_runs').selectAll().orderBy('id', 'desc').executeTakeFirst();

describe('SIGINT to a process group', () => {
  test('ends an import after the current batch with exit code 130', async () => {
    const file = path.join(owner.folder, 'long.csv');
    await writeFile(file, thingsFeed(20_000));
    const said = await interruptGroup(['import', file, '--merchant', 'X']);
    expect(said.code).toBe(130);
    expect(said.out).toContain('Import interrupted');
    expect(said.err).not.toMatch(/^\s+at /m);
    await expectWholeBatches();
  });

  test('ends a job that reads feeds after the current batch with exit code 130', async () => {
    await insertMerchant(database.db, { name: 'Shop' });
    const input = feedSourceInput.parse({ merchant: 'Shop', name: 'Feed', kind: 'upload' });
    const sourceId = (await saveFeedSource(database.db, 'u1', input)) ?? 0;
    const stored = await storeFeedFile(
      owner.folder,
      Readable.from([Buffer.from(thingsFeed(20_000))]),
    );
    const file = { path: stored, name: 'long.csv' };
    await queueImport(database.db, { sourceId, actor: 'u1', file });
    const said = await interruptGroup(['jobs', 'run', 'run-imports']);
    expect(said.code).toBe(130);
    expect(said.err).not.toMatch(/^\s+at /m);
    await expectWholeBatches();
  });
});

async function expectWholeBatches() {
  const run = await lastRun();
  expect(run).toMatchObject({ state: 'interrupted', finished_at: expect.any(Date) });
  expect((run?.rows_new ?? 1) % 500).toBe(0);
  const deals = await database.db.selectFrom('deals').select('id').execute();
  expect(deals).toHaveLength(run?.rows_new ?? 0);
}
