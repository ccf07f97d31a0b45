import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const CRASHES = 20;
const WRITERS = 3;
const ROWS_BEFORE_A_CRASH = 60;

// Proves R07: no write lost or doubled over kill -9
it(`R07: neither loses nor duplicates an acknowledged row when killed ${CRASHES} times with kill -9`, async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-crash-'));
  // Without this file mode, root without user namespaces would use another folder.
  fs.chmodSync(dataDir, 0o755);
  const acknowledged = new Set<number>();
  let nextId = 1;
  let server = await startEmbeddedPostgres({ dataDir });
  try {
    // The table has no key, so that a row written twice can be detected.
    await run(server, 'create table written (id int not null)');
    for (let crash = 1; crash <= CRASHES; crash++) {
      const crashed = server;
      const before = acknowledged.size;
      const acknowledge = (id: number) => {
        acknowledged.add(id);
        if (acknowledged.size === before + ROWS_BEFORE_A_CRASH)
          process.kill(crashed.pid, 'SIGKILL');
      };
      const writers = Array.from({ length: WRITERS }, () =>
        writeUntilCut(crashed, () => nextId++, acknowledge),
      );
      await Promise.all(writers);
      server = await startEmbeddedPostgres({ dataDir });
      await crashed.stop();
      expect(server.started).toBe(true);
      const rows = await run(server, 'select id from written');
      const kept = rows.map((row) => Number(row['id']));
      expect([...acknowledged].filter((id) => !kept.includes(id))).toEqual([]);
      expect(new Set(kept).size).toBe(kept.length);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(CRASHES * ROWS_BEFORE_A_CRASH);
  } finally {
    await server.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
});

async function writeUntilCut(
  server: EmbeddedPostgres,
  takeId: () => number,
  acknowledge: (id: number) => void,
): Promise<void> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect(); // The crash may come before this writer's first row.
    for (;;) {
      const id = takeId();
      await client.query('insert into written values ($1)', [id]);
      acknowledge(id);
    }
  } catch {
    // The kill is the crash under test.
  } finally {
    await client.end().catch(() => {});
  }
}

async function run(server: EmbeddedPostgres, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}
