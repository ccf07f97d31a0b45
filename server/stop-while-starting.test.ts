import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isServerOf, readPidFile } from '#database/embedded/server-process.ts';
import { freePort } from '#test/free-port.ts';

let folder = '';
let site: ChildProcess;
beforeEach(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'stop-while-starting-')));
  // Without this file mode, root without user namespaces would use another folder.
  fs.chmodSync(folder, 0o755);
  const { DATABASE_URL: _unused, ...env } = process.env;
  const more = { DATA_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: 'info' };
  site = spawn(process.execPath, ['server/cli.ts', 'start'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
});
afterEach(() => {
  site.kill('SIGKILL');
  const pid = server();
  if (pid !== null) process.kill(pid, 'SIGQUIT');
  fs.rmSync(folder, { recursive: true, force: true });
});

const cluster = () => path.join(folder, 'postgres');
const server = () => readPidFile(cluster())?.pid ?? null;

/** Resolves with the process id of the database server once its pid file contains one. */
async function untilServerStarts(): Promise<number> {
  await expect.poll(server, { interval: 2 }).not.toBeNull();
  return server() ?? 0;
}

async function untilLine(words: string): Promise<void> {
  for await (const line of createInterface({ input: site.stdout! })) {
    if (line.includes(words)) return;
  }
  throw new Error(`The site never said: ${words}`);
}

async function expectStopped(pid: number): Promise<void> {
  const said: string[] = [];
  site.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text));
  site.stdout?.resume();
  site.kill('SIGTERM');
  const [code] = await once(site, 'close');
  expect([code, said.join('')]).toEqual([0, '']);
  expect(isServerOf(cluster(), pid)).toBe(false);
}

it('R38: leaves no server running on SIGTERM during the start of the database', async () => {
  await expectStopped(await untilServerStarts());
});

it('R38: leaves no server running on SIGTERM while the demo shop is seeded', async () => {
  await untilLine('filling the empty database');
  await expectStopped(server() ?? 0);
});
