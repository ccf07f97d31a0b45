import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '#test/free-port.ts';
import { siteFlags } from '../bin/site-flags.mjs';

export interface Running {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the built site in a separate process, from the checkout `folder` if given. Resolves once
 * `address` responds with 200.
 */
export async function startSite(
  address: string,
  settings: Record<string, string>,
  { memoryMb, folder }: { memoryMb?: number; folder?: string | undefined } = {},
): Promise<Running> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...siteFlags(memoryMb), 'server/cli.ts', 'start'], {
    cwd: folder ?? new URL('..', import.meta.url).pathname,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      ORIGIN: origin,
      SEED: 'none',
      RATE_LIMITS: 'page=0,search=0,search-burst=0', // all visitors have one IP address
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return answering(child, origin, address);
}

export async function answering(
  child: ChildProcess,
  origin: string,
  address: string,
): Promise<Running> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const isUp = await fetch(origin + address).then(
      (response) => response.status === 200,
      () => false,
    );
    if (isUp) return { origin, pid: child.pid ?? 0, stop: () => stop(child) };
    await wait(100);
  }
  await stop(child);
  throw new Error(`${origin}${address} never answered 200`);
}

/** The kind of response. Stored responses declare their length, but rendered ones do not. */
export type AnswerKind = 'stored' | 'rendered';

/** Requests one URL repeatedly from a separate process (`load.ts`). */
export async function load(
  url: string,
  connections: number,
  seconds: number,
  kind: AnswerKind,
  core?: number,
): Promise<{ requests: number; seconds: number; failures: number }> {
  const program = new URL('load.ts', import.meta.url).pathname;
  const args = [program, url, String(connections), String(seconds), kind];
  const asking = promisify(execFile)(process.execPath, args);
  if (core !== undefined) pin(asking.child.pid ?? 0, core);
  return JSON.parse((await asking).stdout);
}

/** Pins a process and its threads to one core, if there are several and the system supports it. */
export function pin(pid: number, core: number): void {
  if (os.availableParallelism() < 2) return;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
}

/**
 * Returns the fields of a process's `stat` on Linux, beginning with its state. Returns null if
 * there is no such process, or no /proc.
 */
export async function statOf(pid: number): Promise<string[] | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
