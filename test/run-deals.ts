import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '#test/database.ts';
import type { CommandLine } from '#test/fixtures/run-command-lines.ts';

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

// Every run loads the same modules. A compile cache halves the time.
const compiled = path.join(tmpdir(), 'deal-hub-compiled');
const ownRoot = fileURLToPath(new URL('..', import.meta.url));

interface Circumstances {
  /** The working folder; by default, the project folder. */
  cwd?: string;
  /** The site's folder, if not this one. */
  root?: string;
  /** Called with the process once it is running. */
  onStart?(child: ChildProcess): void;
}

function environmentOf(env: Record<string, string>): NodeJS.ProcessEnv {
  const { ORIGIN: _origin, PORT: _port, DATABASE_URL: _server, ...environment } = process.env;
  const own = { NODE_COMPILE_CACHE: compiled, NODE_ENV: 'test', LOG_LEVEL: 'warn' };
  return { ...environment, ...own, ...env };
}

/** Runs `deals …` as the owner would, with these settings added to the environment. */
export async function runDeals(
  words: string[],
  env: Record<string, string> = {},
  { root = ownRoot, cwd = root, onStart }: Circumstances = {},
): Promise<Said> {
  const child = spawn(process.execPath, [path.join(root, 'server/cli.ts'), ...words], {
    cwd,
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child);
  const said: Said = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  [said.code] = (await once(child, 'close')) as [number | null];
  return said;
}

/** Runs several command lines in one process, which loads the modules of each command once. */
class CommandProcess {
  #child: ChildProcess;
  #texts = { out: '', err: '' };
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, ['test/fixtures/run-command-lines.ts'], {
      cwd: ownRoot,
      env: environmentOf(env),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text) => (this.#texts.out += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => (this.#texts.err += text));
  }

  run(words: string[]): Promise<Said> {
    const said = this.#last.then(() => this.#runNext(words));
    this.#last = said.catch(() => {});
    return said;
  }

  async #runNext(words: string[]): Promise<Said> {
    const child = this.#child;
    const mark = `\u0000${++this.#count}\u0000`;
    this.#texts = { out: '', err: '' };
    const ending = new AbortController();
    const { signal } = ending;
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error(`\`deals ${words.join(' ')}\` ended its process: ${this.#texts.err}`);
    });
    const answered = Promise.all([
      once(child, 'message', { signal }),
      this.#until('out', mark, signal),
      this.#until('err', mark, signal),
    ]);
    child.send({ words, mark } satisfies CommandLine);
    try {
      const [[code], out, err] = await Promise.race([answered, ended]);
      return { code, out, err };
    } finally {
      ended.catch(() => {});
      answered.catch(() => {});
      ending.abort();
    }
  }

  async #until(channel: 'out' | 'err', mark: string, signal: AbortSignal): Promise<string> {
    const stream = channel === 'out' ? this.#child.stdout : this.#child.stderr;
    while (!this.#texts[channel].endsWith(mark)) await once(stream!, 'data', { signal });
    return this.#texts[channel].slice(0, -mark.length);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    // Waits for `exit` instead of `close`, which a process never emits once we have closed its
    // channel.
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}

export interface Owner {
  /** The site's data folder. */
  folder: string;
  /** The site's settings. */
  env: Record<string, string>;
  /**
   * Runs a command. The first use of each command in a file runs in its own process, as for an
   * owner. Later uses share one process.
   */
  deals(...words: string[]): Promise<Said>;
}

/** Gives a test file the commands of a site with this database and its own data folder. */
export function useOwner(database: TestDatabase): Owner {
  const seen = new Set<string>();
  let shared: CommandProcess | undefined;
  const deals = (...words: string[]) => {
    const [name = ''] = words;
    if (seen.has(name)) return (shared ??= new CommandProcess(owner.env)).run(words);
    seen.add(name);
    return runDeals(words, owner.env);
  };
  const owner: Owner = { folder: '', env: {}, deals };
  beforeAll(async () => {
    owner.folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-owner-'));
    const ORIGIN = 'https://deals.test';
    owner.env = { DATABASE_URL: database.url, DATA_DIR: owner.folder, ORIGIN };
  });
  afterAll(async () => {
    await shared?.stop();
    await rm(owner.folder, { recursive: true, force: true });
  });
  return owner;
}

export function jsonOf(said: Said): unknown {
  return JSON.parse(said.out);
}
