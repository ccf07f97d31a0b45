// Tests the Debian package in a fresh Debian with systemd, which systemd-nspawn boots without a
// network. Installs, upgrades, removes, reinstalls and purges the package there.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** the exposure level out of 10; above 2, systemd considers a service insufficiently isolated */
const mostExposure = 2;
/** A generous limit, because the server may be busy. The measured duration is assessed by hand. */
const mostSeconds = 240;
const data = '/var/lib/deal-hub';
const settings = '/etc/deal-hub/env';

export interface PackageTrial {
  /** The time from the start of the installation to the first page, in seconds. */
  toFirstPage: number;
  /** The number of responses while the service was upgraded. */
  answered: number;
  longestSeconds: number;
}

type Expect = (promise: string, holds: boolean) => void;

/** `file` is the absolute path of the package; temporary files are created in the folder `work`. */
export async function tryPackage(
  file: string,
  work: string,
  expect: Expect,
): Promise<PackageTrial> {
  fs.mkdirSync(work);
  expect('lintian finds nothing', succeeds('lintian', '--fail-on=error,warning', file));
  const root = path.join(work, 'system');
  const packages = 'systemd,systemd-sysv,dbus,adduser';
  run('debootstrap', '--variant=minbase', `--include=${packages}`, 'bookworm', root);
  fs.copyFileSync(file, path.join(root, 'root/site.deb'));
  const next = makeNext(file, work);
  fs.renameSync(next.file, path.join(root, 'root/next.deb'));
  const machine = await boot(root);
  try {
    return await tryInside(machine, next.version, expect);
  } finally {
    await machine.stop();
  }
}

async function tryInside(
  machine: Machine,
  nextVersion: string,
  expect: Expect,
): Promise<PackageTrial> {
  const { inside, say, ask } = machine;
  const from = performance.now();
  inside('dpkg', '--install', '/root/site.deb');
  await untilAnswers(ask);
  const toFirstPage = (performance.now() - from) / 1000;
  examineUnits(machine, expect);

  const mark = `${data}/left-by-a-test`;
  inside('touch', mark);
  inside('sh', '-c', `echo '# changed by its owner' >> ${settings}`);
  const [answered, longestSeconds] = await upgrade(machine, expect);
  expect('the next version runs', say('dpkg-query', '-W', 'deal-hub').includes(nextVersion));
  expect('an upgrade keeps settings', say('cat', settings).includes('changed by its owner'));

  inside('dpkg', '--remove', 'deal-hub');
  expect('a removed site is gone', (await ask()) === 0);
  expect('a removed site leaves its data', say('ls', '-A', data).includes('left-by-a-test'));
  inside('dpkg', '--install', '/root/site.deb');
  await untilAnswers(ask);
  expect('its data are found again', say('ls', '-A', data).includes('left-by-a-test'));
  await separate(machine, expect);

  inside('dpkg', '--purge', 'deal-hub');
  const left = say('sh', '-c', 'ls -d /var/lib/deal-hub* /etc/deal-hub* /usr/lib/deal-hub || true');
  expect(`a purge leaves nothing: ${left}`, left === '');
  const accounts = say('getent', 'passwd');
  expect('a purge removes the users', !accounts.includes('deal-hub'));
  inside('dpkg', '--purge', 'deal-hub');
  return { toFirstPage, answered, longestSeconds };
}

function examineUnits({ say }: Machine, expect: Expect): void {
  expect('the journal has the link for the owner', journalOf(say).includes('/setup?token='));
  const user = say('sh', '-c', 'stat --format=%U /proc/$(systemctl show -P MainPID deal-hub)');
  expect(`the site runs as its own user, not ${user}`, user.trim() === 'deal-hub');
  expect('commands run as that user', say('deals', 'admin', 'list').includes('no administrator'));
  for (const unit of ['deal-hub', 'deal-hub-database']) {
    const told = say('systemd-analyze', 'security', '--no-pager', `${unit}.service`);
    const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(told)?.[1] ?? 10);
    expect(`${unit} is exposed by ${exposure} of 10`, exposure <= mostExposure);
  }
}

/** Upgrades while visitors load pages. */
async function upgrade({ start, ask }: Machine, expect: Expect): Promise<[number, number]> {
  const upgrading = once(start('dpkg', '--install', '/root/next.deb'), 'exit');
  const done = new AbortController();
  const over = upgrading.then(([code]) => {
    done.abort();
    return code === 0;
  });
  const statuses: number[] = [];
  let longest = 0;
  const visitor = async () => {
    while (!done.signal.aborted || statuses.length < 200) {
      const from = performance.now();
      statuses.push(await ask());
      longest = Math.max(longest, performance.now() - from);
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: 4 }, visitor));
  expect('the upgrade ends with 0', await over);
  const failed = statuses.filter((status) => status !== 200);
  expect(`an upgrade loses no request, but lost ${failed.join(' ')}`, failed.length === 0);
  return [statuses.length, longest / 1000];
}

/** Runs the private database as a separate user, as docs/operations.md describes. */
async function separate(machine: Machine, expect: Expect): Promise<void> {
  const { inside, say, ask, reaches } = machine;
  inside('systemctl', 'enable', '--now', 'deal-hub-database');
  const address = 'postgres://deal_hub@%2Frun%2Fdeal-hub-database/deal_hub';
  inside('sh', '-c', `echo 'DATABASE_URL=${address}' >> ${settings}`);
  inside('systemctl', 'restart', 'deal-hub');
  await untilAnswers(ask);
  const owners = say(
    'sh',
    '-c',
    'for one in /proc/[0-9]*; do grep -sqx postgres $one/comm && stat --format=%U $one; done | sort -u',
  ).trim();
  expect(`PostgreSQL runs as its own user: ${owners}`, owners === 'deal-hub-database');
  const as = (user: string) => (line: string) =>
    reaches('setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', 'sh', '-c', line);
  const [site, base] = [as('deal-hub'), as('deal-hub-database')];
  const script = `const {Client} = require('pg'); const c = new Client('${address}');
    c.connect().then(() => c.query(process.argv[1])).then(() => 'done', ({ code }) => code)
      .then((code) => process.exit(code === process.argv[2] ? 0 : 1))`;
  const query = (words: string, code = 'done') =>
    `cd /usr/lib/deal-hub && node/bin/node -e "${script}" "${words}" ${code}`;
  const notAllowed = '42501';
  expect('the site can connect', site(query('select 1')));
  expect('another user cannot', as('daemon')(query('select 1', '28000')));
  expect(
    'the site runs no program there',
    site(query(`copy (select 1) to program 'true'`, notAllowed)),
  );
  expect(
    'the site reads no file there',
    site(query(`select pg_read_file('postgresql.conf')`, notAllowed)),
  );
  expect('the site does not reach its files', !site('ls /var/lib/deal-hub-database'));
  expect('the database does not reach settings', !base(`cat ${settings}`));
  expect('the database does not reach data of the site', !base(`ls ${data}`));
  inside('systemctl', 'restart', 'deal-hub-database');
  await untilAnswers(ask);
}

function journalOf(say: Machine['say']): string {
  return say('journalctl', '--unit=deal-hub', '--output=cat', '--no-pager');
}

async function untilAnswers(ask: Machine['ask']): Promise<void> {
  const from = performance.now();
  while ((await ask()) !== 200) {
    if (performance.now() - from > mostSeconds * 1000) throw new Error('There is no page.');
    await sleep(100);
  }
}

/** Copies the package with a higher version number. */
function makeNext(file: string, work: string): { file: string; version: string } {
  const folder = path.join(work, 'next');
  run('dpkg-deb', '--raw-extract', file, folder);
  const control = path.join(folder, 'DEBIAN/control');
  const text = fs.readFileSync(control, 'utf8');
  const version = `${/^Version: (.*)$/m.exec(text)?.[1]}+next`;
  fs.writeFileSync(control, text.replace(/^Version: .*$/m, `Version: ${version}`));
  const made = path.join(work, 'next.deb');
  run('dpkg-deb', '--build', '--root-owner-group', '-Znone', folder, made);
  fs.rmSync(folder, { recursive: true });
  return { file: made, version };
}

interface Machine {
  /** Runs a program to completion. Throws if it fails. */
  inside(...words: string[]): void;
  /** The program's output. */
  say(...words: string[]): string;
  /** Returns whether the command exits with code 0. */
  reaches(...words: string[]): boolean;
  start(...words: string[]): ReturnType<typeof spawn>;
  /** Visits the site and returns the status, or 0 if there is no response. */
  ask(): Promise<number>;
  stop(): Promise<void>;
}

/** Boots the folder as a server without a network. */
async function boot(root: string): Promise<Machine> {
  const words = ['--boot', '--private-network', '--register=no', '--keep-unit', '--console=pipe'];
  const container = spawn('systemd-nspawn', [`--directory=${root}`, ...words], { stdio: 'ignore' });
  const ended = once(container, 'exit');
  const children = `/proc/${container.pid}/task/${container.pid}/children`;
  const from = performance.now();
  for (;;) {
    const leader = fs.readFileSync(children, 'utf8').trim().split(' ')[0];
    const machine = leader ? enter(leader, () => ended) : null;
    // Accepts "degraded" as well, because not every Debian service works in a container.
    if (
      machine?.reaches(
        'sh',
        '-c',
        '! systemctl is-system-running | grep -qE "offline|starting|init"',
      )
    )
      return machine;
    if (performance.now() - from > mostSeconds * 1000) throw new Error('systemd does not boot.');
    await sleep(200);
  }
}

function enter(leader: string, ended: () => Promise<unknown>): Machine {
  const within = (words: string[]) => [`--target=${leader}`, '--all', ...words];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };
  const more = { encoding: 'utf8', env } as const;
  return {
    inside(...words) {
      execFileSync('nsenter', within(words), { ...more, stdio: ['ignore', 'ignore', 'inherit'] });
    },
    say: (...words) => execFileSync('nsenter', within(words), more),
    reaches: (...words) => spawnSync('nsenter', within(words), more).status === 0,
    start: (...words) => spawn('nsenter', within(words), { env, stdio: 'ignore' }),
    async ask() {
      const page = ['curl', '-s', '-o', '/dev/null', '-m', '120', '-w', '%{http_code}'];
      const net = [`--target=${leader}`, '--net', ...page, 'http://localhost:3000/deals'];
      const asked = spawn('nsenter', net, { stdio: ['ignore', 'pipe', 'ignore'] });
      let said = '';
      asked.stdout.on('data', (chunk) => (said += chunk));
      await once(asked, 'close');
      return Number(said);
    },
    async stop() {
      spawnSync('nsenter', within(['systemctl', 'poweroff']), more);
      await ended();
    },
  };
}

function run(program: string, ...words: string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function succeeds(program: string, ...words: string[]): boolean {
  return spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
