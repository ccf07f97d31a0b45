import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const bridge = 'machines';
/** A MAC address that no machine has: packets to it are lost silently. */
const nowhere = '02:00:00:00:00:01';

/**
 * The IP address of this process, which simulates the internet, so that nothing leaves this server.
 */
export const ownAddress = '10.0.0.1';
/** Another IP address of this process, for clients that may contact only public addresses. */
export const publicAddress = '11.0.0.1';

export interface Program {
  /** Returns true if the process still existed. */
  signal(signal: NodeJS.Signals): boolean;
  exit: Promise<number | null>;
}

export interface RunOptions {
  user?: string;
  env?: NodeJS.ProcessEnv;
  /** The name of the log file that output is appended to. */
  log: string;
}

/**
 * Sets up a virtual switch without a route to the outside. The process needs its own network
 * namespace (`unshare --net`).
 */
export function layNetwork(): void {
  ip('link set lo up');
  ip(`link add ${bridge} type bridge`);
  ip(`addr add ${ownAddress}/24 dev ${bridge}`);
  ip(`addr add ${publicAddress}/32 dev ${bridge}`);
  ip(`link set ${bridge} up`);
}

/** Waits for a condition. A check that throws is treated as false. Throws after `seconds`. */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  seconds = 120,
): Promise<void> {
  const patience = AbortSignal.timeout(seconds * 1000);
  const asked = async () => isSo();
  while (!(await asked().catch(() => false))) {
    if (patience.aborted) throw new Error(`${what} did not happen: see build/cluster`);
    await sleep(100);
  }
}

/**
 * A machine that looks real to its programs, with a name, an IP address, processes and some
 * folders. The machine consists of namespaces (namespaces(7)), which disappear with this process.
 */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #logs: string;
  readonly #mounts: readonly (readonly [from: string, to: string])[];
  #holder: ChildProcess | null = null;

  /** `mounts` maps files and folders of this server to paths in the machine. */
  constructor(
    name: string,
    address: string,
    { logs, mounts = [] }: { logs: string; mounts?: readonly (readonly [string, string])[] },
  ) {
    this.name = name;
    this.address = address;
    this.#logs = logs;
    this.#mounts = mounts;
  }

  get isOn(): boolean {
    return this.#holder !== null;
  }

  async powerOn(): Promise<void> {
    const binds = this.#mounts.map(([from, to]) => `mount --bind '${from}' '${to}'`);
    const name = `echo ${this.name} > /proc/sys/kernel/hostname`;
    // The shell reaps zombies, which would otherwise seem alive to their supervisor.
    const script = ['set -e', ...binds, name, 'sleep infinity &', 'wait'].join('\n');
    const own = '--net --uts --mount --pid --fork --mount-proc --kill-child'.split(' ');
    const args = ['--pdeathsig=KILL', 'unshare', ...own, 'sh', '-c', script];
    const holder = spawn('setpriv', args, { stdio: 'ignore' });
    this.#holder = holder;
    const said = () => readFileSync(`/proc/${firstChildOf(this.#first())}/cmdline`, 'utf8');
    await until(`the machine ${this.name}`, () => said().startsWith('sleep'));
    const first = this.#first();
    ip(`link add ${this.name} type veth peer name eth0 netns ${first}`);
    ip(`link set ${this.name} master ${bridge} up`);
    this.#ip('link set lo up');
    this.#ip(`addr add ${this.address}/24 dev eth0`);
    this.#ip('link set eth0 up');
    this.#ip(`route add default via ${ownAddress}`);
  }

  /** Switches the machine off immediately, without notifying the others. */
  async powerOff(): Promise<void> {
    const holder = this.#holder;
    if (!holder) return;
    this.#holder = null;
    const exit = once(holder, 'exit');
    ip(`link del ${this.name}`);
    process.kill(firstChildOf(holder.pid), 'SIGKILL');
    await exit;
  }

  /**
   * Starts dropping all packets between this machine and the given ones, without closing
   * connections. Other machines can still reach both.
   */
  cutFrom(others: readonly Machine[]): void {
    for (const other of others) {
      this.#ip(`neigh replace ${other.address} lladdr ${nowhere} dev eth0 nud permanent`);
      other.#ip(`neigh replace ${this.address} lladdr ${nowhere} dev eth0 nud permanent`);
    }
  }

  joinTo(others: readonly Machine[]): void {
    for (const other of others) {
      this.#ip(`neigh del ${other.address} dev eth0`);
      other.#ip(`neigh del ${this.address} dev eth0`);
    }
  }

  /** Starts a program on this machine, as root unless a user is named. */
  async start(command: readonly string[], { user, env, log }: RunOptions): Promise<Program> {
    const output = openSync(path.join(this.#logs, `${log}.log`), 'a');
    const child = spawn('nsenter', this.#inside(command, user), {
      stdio: ['ignore', output, output],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/var/lib/postgresql', ...env },
    });
    const exit = once(child, 'exit').then(([code]) => Number(code ?? -1));
    const pid = await programOf(child);
    return { exit, signal: (signal) => pid !== null && sendSignal(pid, signal) };
  }

  /** Runs a program, waits for its end and returns its output. Throws if it fails. */
  run(command: readonly string[], { user, env }: Omit<RunOptions, 'log'> = {}): string {
    return execFileSync('nsenter', this.#inside(command, user), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/var/lib/postgresql', ...env },
    });
  }

  #inside(command: readonly string[], user: string | undefined): string[] {
    const as = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
    const folder = user ? '/' : process.cwd(); // other users may not enter this folder
    const spaces = ['--net', '--uts', '--mount', '--pid', `--wd=${folder}`];
    return [`--target=${this.#first()}`, ...spaces, '--', ...as, ...command];
  }

  #ip(words: string): void {
    execFileSync('nsenter', [`--target=${this.#first()}`, '--net', 'ip', ...words.split(' ')]);
  }

  /** The process whose end terminates all others on the machine. */
  #first(): number {
    if (!this.#holder) throw new Error(`${this.name} is switched off`);
    return firstChildOf(this.#holder.pid);
  }
}

function ip(words: string): void {
  execFileSync('ip', words.split(' '));
}

function firstChildOf(pid = 0): number {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ', 1);
  if (!first) throw new Error(`process ${pid} has no child`);
  return Number(first);
}

/** The process that `nsenter` started; null if it has ended. */
async function programOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'spawn');
  while (child.exitCode === null && child.signalCode === null) {
    try {
      return firstChildOf(child.pid);
    } catch {
      await sleep(5);
    }
  }
  return null;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Creates a folder that a user of this server can write to. */
export function makeFolder(user: string, ...parts: string[]): string {
  const folder = path.join(...parts);
  mkdirSync(folder, { recursive: true });
  execFileSync('chown', [`${user}:`, folder]);
  return folder;
}
