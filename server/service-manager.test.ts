import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { serviceManager } from '#server/service-manager.ts';
import { useTestDatabase } from '#test/database.ts';
import { freePort } from '#test/free-port.ts';
import { useOwner } from '#test/run-deals.ts';

const owner = useOwner(useTestDatabase());
const root = fileURLToPath(new URL('..', import.meta.url));

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

beforeAll(() => {
  try {
    execFileSync('systemd-notify', ['--version']);
  } catch {
    throw new Error('This test needs systemd-notify (Debian and Ubuntu: apt-get install systemd).');
  }
});

// Written in Perl, which is part of Debian, because Node can neither receive datagrams nor hold a
// socket without serving it.
const hear = `
  use Socket; $| = 1; my $s;
  socket($s, PF_UNIX, SOCK_DGRAM, 0) and bind($s, pack_sockaddr_un($ARGV[0])) or die $!;
  print "listening\\n";
  while (defined recv($s, my $news, 8192, 0)) { print map { "$_\\n" } split /\\n/, $news }`;
/** Holds a socket, and starts the command again each time it exits with 0. */
const hold = `
  use Socket; $| = 1; $^F = 3;
  my ($port, $sockets, @program) = @ARGV; my $s;
  socket($s, PF_INET, SOCK_STREAM, 0) and fileno($s) == 3 or die 'not at 3';
  bind($s, pack_sockaddr_in($port, INADDR_LOOPBACK)) and listen($s, 4096) or die $!;
  my $child;
  $SIG{TERM} = sub { kill 'KILL', $child; exit 1 };
  do {
    if (!($child = fork)) {
      @ENV{'LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'} = ($$, $sockets, 'site');
      exec @program or die $!;
    }
    print "pid $child\\n";
    waitpid $child, 0;
  } while ($? == 0);
  exit 1;`;

function startPerl(program: string, words: string[], env: Record<string, string> = {}) {
  const child = spawn('perl', ['-e', program, ...words], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closings.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  return { child, ...linesOf(child) };
}

/** Returns a process's output. `until` waits for new lines. */
function linesOf(child: ChildProcess) {
  const lines: string[] = [];
  let hasEnded = false;
  let wake = () => {};
  for (const input of [child.stdout!, child.stderr!]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      wake();
    });
  }
  child.on('close', () => {
    hasEnded = true;
    wake();
  });
  let asked = 0;
  return {
    lines,
    async until(part: string): Promise<string> {
      for (;;) {
        while (asked < lines.length) {
          const line = lines[asked++];
          if (line?.includes(part)) return line;
        }
        if (hasEnded) throw new Error(`It never said ${part}:\n${lines.join('\n')}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

async function startManager() {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-manager-'));
  closings.push(() => rm(folder, { recursive: true }));
  const NOTIFY_SOCKET = path.join(folder, 'notify');
  const told = startPerl(hear, [NOTIFY_SOCKET]);
  await told.until('listening');
  return { ...told, NOTIFY_SOCKET };
}

const program = (...words: string[]) => [process.execPath, 'server/cli.ts', 'start', ...words];

function siteEnv(port: number) {
  const quiet = { NODE_ENV: 'test', SEED: 'none', OVERLOAD_DELAY_MS: '0' };
  return { ...owner.env, ORIGIN: `http://localhost:${port}`, ...quiet };
}

/** Sends a request over a new connection. */
async function ask(port: number): Promise<number | undefined> {
  const request = get({ port, path: '/deals', headers: { host: 'localhost' }, agent: false });
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.resume();
  return response?.statusCode;
}

it('notifies the service manager that the site is ready, alive or stopping', async () => {
  const manager = await startManager();
  const port = await freePort();
  const { NOTIFY_SOCKET } = manager;
  const [node = '', ...words] = program('--port', String(port));
  const site = spawn(node, words, {
    cwd: root,
    env: { ...process.env, ...siteEnv(port), NOTIFY_SOCKET, WATCHDOG_USEC: '1000000' },
    stdio: 'ignore',
  });
  closings.push(() => site.kill('SIGKILL'));
  await manager.until('READY=1');
  expect(await ask(port)).toBe(200);
  expect(await manager.until('STATUS=')).toBe(`STATUS=http://localhost:${port} answers`);
  await manager.until('WATCHDOG=1');
  await manager.until('WATCHDOG=1');
  site.kill('SIGTERM');
  await manager.until('STOPPING=1');
  // The timeout is twice SHUTDOWN_SECONDS plus five.
  expect(await manager.until('EXTEND_TIMEOUT_USEC=')).toBe('EXTEND_TIMEOUT_USEC=25000000');
  expect(await once(site, 'exit')).toEqual([0, null]);
});

it('does not notify the watchdog while the site is unhealthy, and hides its variables from child processes', async () => {
  const { NOTIFY_SOCKET, ...heard } = await startManager();
  const env = { PATH: process.env.PATH, NOTIFY_SOCKET, WATCHDOG_USEC: '40000', WATCHDOG_PID: '' };
  env.WATCHDOG_PID = String(process.pid);
  const manager = serviceManager(createLog('silent'), env);
  expect(Object.keys(env)).toEqual(['PATH']);
  const answers = [false, false, false, true, false, false, true];
  const asked = Promise.withResolvers<void>();
  await manager.ready('sound', () => {
    if (answers.length === 0) asked.resolve();
    return answers.shift() ?? false;
  });
  await asked.promise;
  manager.stopping(1000);
  await heard.until('STOPPING=1');
  expect(heard.lines.filter((line) => line === 'WATCHDOG=1')).toHaveLength(2);
});

it('loses no request when a held socket passes from one process to the next', async () => {
  const port = await freePort();
  const env = { ...siteEnv(port), PORT: '4711' };
  const held = startPerl(hold, [String(port), '1', ...program()], env);
  const [first] = [await held.until('pid ')];
  await held.until('Deal Hub is running');
  const statuses: (number | undefined)[] = [];
  const over = new AbortController();
  const visitor = async () => {
    while (!over.signal.aborted || statuses.length < 200) statuses.push(await ask(port));
  };
  const visitors = Promise.all(Array.from({ length: 5 }, visitor));
  process.kill(Number(first.slice('pid '.length)), 'SIGTERM');
  const second = await held.until('pid ');
  await held.until('Deal Hub is running');
  over.abort();
  await visitors;
  expect(second).not.toBe(first);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThanOrEqual(200);
  expect(held.lines.join('\n')).toContain(`holds the socket of port ${port}`);
});

it('rejects unusable sockets with an explanation', async () => {
  const port = await freePort();
  const several = startPerl(hold, [String(port), '2', ...program()], siteEnv(port));
  await several.until('holds 2 sockets, but the site listens on one');
  const holdFolder = hold.replace(/socket\(.*|bind\(.*/g, `open($s, '<', '.');`);
  const folder = startPerl(holdFolder, [String(port), '1', ...program()], siteEnv(port));
  await folder.until('not a listening TCP socket');
});
