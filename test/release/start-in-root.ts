// Starts the site in a folder as if that were the whole system, and visits it. `enter-root.ts` runs
// this with a `RootPlan` as JSON, in separate namespaces: no other processes, no network except
// loopback, and temporary mounts.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RootPlan, RootVisit } from './enter-root.ts';

/** A generous limit, because the server may be busy. The measured duration is assessed by hand. */
const mostSeconds = 240;
/** An absolute path, because the PATH used inside the root may lack this program's folder. */
const chroot = '/usr/sbin/chroot';
const devices = ['null', 'random', 'urandom', 'zero'];

const plan: RootPlan = JSON.parse(process.argv[2] ?? '');
prepare(plan);
process.stdout.write(JSON.stringify(await visit(plan)));

/**
 * Creates a root where only `/data` and `/tmp` are writable, with a `/dev` like that of a
 * container.
 */
function prepare({ root }: RootPlan): void {
  const at = (...parts: string[]) => path.join(root, ...parts);
  const mount = (...words: string[]) => execFileSync('mount', words, { stdio: 'inherit' });
  execFileSync('ip', ['link', 'set', 'lo', 'up'], { stdio: 'inherit' });
  mount('--bind', root, root);
  mount('--bind', at('data'), at('data'));
  mount('-t', 'tmpfs', 'tmpfs', at('tmp'));
  mount('-t', 'proc', 'proc', at('proc'));
  mount('-t', 'tmpfs', 'tmpfs', at('dev'));
  for (const device of devices) {
    fs.writeFileSync(at('dev', device), '');
    mount('--bind', path.join('/dev', device), at('dev', device));
  }
  fs.mkdirSync(at('dev/shm'), { mode: 0o1777 });
  mount('-t', 'tmpfs', 'tmpfs', at('dev/shm'));
  mount('-o', 'remount,bind,ro', root);
}

async function visit({ root, command, env, cwd, account }: RootPlan): Promise<RootVisit> {
  const asAccount = [`--userspec=${account}`, '--groups=', root, '/bin/sh', '-c'];
  const inside = (words: string) => [...asAccount, `cd "${cwd}" && exec ${words}`];
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  const site = spawn(chroot, inside([...command, 'start'].join(' ')), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  site.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  const ended = once(site, 'exit');
  const page = await firstPage(() => site.exitCode ?? site.signalCode, seconds);
  const toFirstPage = seconds();
  if (page === null) throw new Error(`No page in ${mostSeconds} s. The site said:\n${told}`);
  const status = fs.readFileSync(path.join(root, 'proc', String(site.pid), 'status'), 'utf8');
  const user = /^Uid:\t(.*)$/m.exec(status)?.[1]?.replaceAll('\t', ' ') ?? '';
  const admins = spawnSync(chroot, inside(`${command.join(' ')} admin list`), {
    env,
    encoding: 'utf8',
  });
  site.kill('SIGTERM');
  const [code] = await ended;
  return { toFirstPage, page, user, commandOutput: admins.stdout + admins.stderr, code, told };
}

/**
 * Returns the page as soon as the site serves one. Returns null if the site has exited, or after a
 * timeout.
 */
async function firstPage(hasEnded: () => unknown, seconds: () => number): Promise<string | null> {
  while (hasEnded() === null && seconds() < mostSeconds) {
    try {
      const answer = await fetch('http://127.0.0.1:3000/');
      if (answer.ok) return await answer.text();
    } catch {
      // The site is not listening yet.
    }
    await sleep(50);
  }
  return null;
}
