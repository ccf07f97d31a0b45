import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { openDatabase } from '#server/open-database.ts';
import { freePort } from '#test/free-port.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = 3;
let folder = '';
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-kill-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function settings(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { DATABASE_URL: _unused, ...rest } = process.env; // This test needs the embedded server.
  return { ...rest, DATA_DIR: folder, SEED: 'none', LOG_LEVEL: 'error', ...more };
}

function startNode(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}

// Proves R07: no write lost or doubled over kill -9 (embedded-postgres.ts)
it('R07: neither loses nor duplicates confirmed rows when the writer and the database are killed', async () => {
  const confirmed: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const writer = startNode(['test/fixtures/write-until-killed.ts', String(round)], settings());
    let seen = 0;
    for await (const line of createInterface({ input: writer.stdout! })) {
      confirmed.push(line);
      if (++seen === 25 * round) {
        // Rounds alternate between killing the database first and the writer first.
        if (round % 2 === 0) process.kill(await databasePid(), 'SIGKILL');
        writer.kill('SIGKILL');
      }
    }
  }
  const database = await openDatabase(readEnv(settings()), createLog('silent'));
  const rows = await database.db.selectFrom('contact_messages').select('subject').execute();
  await database.stop();
  const stored = rows.map(({ subject }) => subject);
  expect(confirmed.length).toBeGreaterThanOrEqual(25 + 50 + 75);
  expect(confirmed.filter((subject) => !stored.includes(subject))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
});

it('R38: restarts the site after each kill -9, and stops it cleanly on SIGTERM', async () => {
  const port = await freePort();
  for (let round = 1; round <= rounds; round++) {
    const site = await startSite(port);
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
    await kill(site, 'SIGKILL');
  }
  const site = await startSite(port);
  expect(await kill(site, 'SIGTERM')).toBe(0);
  // PostgreSQL removes its pid file after a clean shutdown.
  expect(existsSync(path.join(folder, 'postgres/postmaster.pid'))).toBe(false);
});

// Proves R38: stopping (stop-on-signals.ts)
it('R38: does not fail any request while a second process takes over from the first', async () => {
  const [oldPort, newPort] = [await freePort(), await freePort()];
  const old = await startSite(oldPort);
  const next = await startSite(newPort);
  // The relay sends each request to the current process, as a proxy would.
  let port = oldPort;
  const visiting = { isOver: false };
  const statuses: number[] = [];
  const failures: unknown[] = [];
  async function visit(): Promise<void> {
    while (!visiting.isOver) {
      try {
        const headers = { host: `localhost:${port}` };
        const answer = await fetch(`http://localhost:${port}/deals?search=x`, { headers });
        await answer.text();
        statuses.push(answer.status);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  const visitors = Array.from({ length: 4 }, visit);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  port = newPort;
  expect(await kill(old, 'SIGTERM')).toBe(0);
  const soFar = statuses.length;
  await expect.poll(() => statuses.length).toBeGreaterThan(soFar + 20);
  visiting.isOver = true;
  await Promise.all(visitors);
  expect(failures).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await kill(next, 'SIGTERM')).toBe(0);
});

// Proves R38: balancers hear first (close-server.ts)
it('R38: keeps serving after SIGTERM until load balancers notice, unless the signal is repeated', async () => {
  const port = await freePort();
  const patient = { READY_FROM: '127.0.0.1', DRAIN_SECONDS: '600' };
  const site = await startSite(port, patient);
  const ready = () => fetch(`http://127.0.0.1:${port}/health/ready`);
  expect((await ready()).status).toBe(200);
  const exit = once(site, 'exit');
  site.kill('SIGTERM');
  await expect.poll(async () => (await ready()).status).toBe(503);
  expect(await (await ready()).json()).toMatchObject({ ready: true, stopping: true });
  expect((await fetch(`http://127.0.0.1:${port}/deals`)).status).toBe(200);
  // A signal directly after the first is an echo of it and is ignored.
  const impatience = setInterval(() => site.kill('SIGTERM'), 600);
  expect(await exit).toEqual([143, null]);
  clearInterval(impatience);

  // Ctrl+C stops immediately, because someone is waiting.
  expect(await kill(await startSite(port, patient), 'SIGINT')).toBe(0);
  const brief = await startSite(port, { ...patient, DRAIN_SECONDS: '1' });
  expect(await kill(brief, 'SIGTERM')).toBe(0);
});

async function startSite(port: number, more: Record<string, string> = {}): Promise<ChildProcess> {
  if (!existsSync(path.join(root, 'build/server/index.js'))) {
    throw new Error('The site is not built. Run `npm run build` first.');
  }
  // All visitors in this test share one IP address and send requests without a pause.
  const patience = { RATE_LIMITS: 'page=0,search=0,search-burst=0', OVERLOAD_DELAY_MS: '0' };
  const env = settings({ PORT: String(port), NODE_ENV: 'production', ...patience, ...more });
  const site = startNode(['server/cli.ts', 'start'], env);
  const lines = createInterface({ input: site.stdout! });
  for await (const line of lines) if (line.includes('Deal Hub is running')) break;
  site.stdout?.resume();
  return site;
}

async function databasePid(): Promise<number> {
  const file = await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
