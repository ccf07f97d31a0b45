import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = '/usr/sbin/varnishd';
const asOwnersHaveIt = fileURLToPath(new URL('../docs/varnish.vcl', import.meta.url));

export interface Varnish {
  origin: string;
  stop(): Promise<void>;
}

/**
 * Runs Varnish with the unchanged docs/varnish.vcl on loopback, in front of a site at the local
 * `backendPort`.
 */
export async function startVarnish(port: number, backendPort: number): Promise<Varnish> {
  installVarnish();
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-varnish-'));
  await chmod(folder, 0o755); // varnishd's child process runs as another user
  const text = await readFile(asOwnersHaveIt, 'utf8');
  if (!text.includes('.port = "3000";')) throw new Error('docs/varnish.vcl contains no port 3000.');
  const configuration = path.join(folder, 'site.vcl');
  await writeFile(configuration, text.replace('.port = "3000";', `.port = "${backendPort}";`));
  const options = ['-a', `127.0.0.1:${port}`, '-s', 'malloc,64m', '-p', 'http_gzip_support=off'];
  const where = ['-n', path.join(folder, 'work'), '-T', 'none', '-f', configuration];
  const child = spawn(program, ['-F', ...where, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  const exited = once(child, 'exit');
  const origin = `http://localhost:${port}`;
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  for (let tries = 0; !(await answers()); tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error(`varnishd did not start:\n${said}`);
    await wait(100);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Installs Varnish from Debian if this process runs as root, but does not leave it running. */
function installVarnish(): void {
  const isInstalled = (name: string) =>
    spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name]).stdout?.toString() ===
    'installed';
  const packages = ['varnish', 'varnish-modules'];
  if (packages.every(isInstalled)) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`Varnish is missing. Install it: sudo apt-get install ${packages.join(' ')}`);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) =>
    execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...words], { env });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
  if (existsSync('/run/systemd/system')) {
    spawnSync('systemctl', ['disable', '--now', 'varnish', 'varnishncsa']);
  }
}
