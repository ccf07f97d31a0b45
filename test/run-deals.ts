import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '#test/database.ts';

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

// Every run loads the same modules: kept as compiled, they load in half the time.
const compiled = path.join(tmpdir(), 'deal-hub-compiled');
const ownRoot = fileURLToPath(new URL('..', import.meta.url));

interface Circumstances {
  /** Where its owner stands; the project's folder unless told otherwise. */
  cwd?: string;
  /** The folder of the site itself, where it is not this one. */
  root?: string;
  /** Told of the process as soon as it runs. */
  onStart?(child: ChildProcess): void;
}

/** Runs `deals …` as its owner would, with these settings on top of the machine's. */
export async function runDeals(
  words: string[],
  env: Record<string, string> = {},
  { root = ownRoot, cwd = root, onStart }: Circumstances = {},
): Promise<Said> {
  const { ORIGIN: _origin, PORT: _port, DATABASE_URL: _server, ...environment } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'server/cli.ts'), ...words], {
    cwd,
    env: {
      ...environment,
      NODE_COMPILE_CACHE: compiled,
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child);
  const said: Said = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  [said.code] = (await once(child, 'close')) as [number | null];
  return said;
}

export interface Owner {
  /** The site's data folder. */
  folder: string;
  /** The settings of the site. */
  env: Record<string, string>;
  deals(...words: string[]): Promise<Said>;
}

/** Gives a test file the owner of a site on this database, with a data folder of its own. */
export function useOwner(database: TestDatabase): Owner {
  const owner: Owner = { folder: '', env: {}, deals: (...words) => runDeals(words, owner.env) };
  beforeAll(async () => {
    owner.folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-owner-'));
    const ORIGIN = 'https://deals.test';
    owner.env = { DATABASE_URL: database.url, DATA_DIR: owner.folder, ORIGIN };
  });
  afterAll(() => rm(owner.folder, { recursive: true, force: true }));
  return owner;
}

export function jsonOf(said: Said): unknown {
  return JSON.parse(said.out);
}
