import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';

const docs = fileURLToPath(new URL('../docs/proxies', import.meta.url));
const read = (name: string) => readFile(path.join(docs, name), 'utf8');
const isThere = (name: string) => spawnSync(name, ['-v']).error === undefined;

let folder = '';
const cleanups: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-proxy-'));
  await chmod(folder, 0o755); // nginx's workers run as another user
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  await rm(folder, { recursive: true, force: true });
});

/** A stub of the site: returns the headers and body size that the proxy forwarded. */
async function startSite(): Promise<string> {
  const server = createServer((visited, response) => {
    let size = 0;
    visited.on('data', (chunk: Buffer) => (size += chunk.length));
    visited.on('end', () => response.end(JSON.stringify({ headers: visited.headers, size })));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  return `127.0.0.1:${address.port}`;
}

function start(program: string, words: string[]): void {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, words, { stdio: 'ignore', env });
  const ended = once(child, 'exit');
  cleanups.push(() => {
    child.kill();
    return ended;
  });
}

interface Seen {
  headers: IncomingHttpHeaders;
  size: number;
}

/**
 * Posts through the proxy as a visitor who forges an IP address. Returns what the site received, or
 * the status of a rejection.
 */
async function visit(port: number, bytes: number): Promise<Seen | number> {
  await expect.poll(() => listens(port), { timeout: 30_000 }).toBe(true);
  const headers = {
    host: 'deals.example',
    'x-forwarded-for': '9.9.9.9',
    'content-length': bytes,
  };
  const visitor = request({ host: '127.0.0.1', port, method: 'POST', headers });
  visitor.end(Buffer.alloc(bytes, 'a'));
  const [response]: IncomingMessage[] = await once(visitor, 'response');
  if (response?.statusCode === 200) return (await json(response)) as Seen;
  visitor.destroy();
  return response?.statusCode ?? 0;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const megabyte = 1024 * 1024;

async function expectGoodProxy(port: number): Promise<void> {
  const seen = await visit(port, 20 * megabyte);
  expect(seen).toMatchObject({
    headers: { host: 'deals.example', 'x-forwarded-for': '127.0.0.1' },
    size: 20 * megabyte,
  });
}

describe('docs/proxies', () => {
  test.runIf(isThere('nginx') && isThere('openssl'))(
    'passes nginx’s check of its configuration',
    async () => {
      const [certificate, key] = ['certificate', 'key'].map((name) => path.join(folder, name));
      const made = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=deals.example'.split(' ');
      spawnSync('openssl', [...made, '-out', `${certificate}`, '-keyout', `${key}`]);
      const text = (await read('nginx.conf'))
        .replace('/etc/letsencrypt/live/deals.example/fullchain.pem', `${certificate}`)
        .replace('/etc/letsencrypt/live/deals.example/privkey.pem', `${key}`);
      const checked = await checkNginx(text);
      expect([checked.status, checked.stderr]).toEqual([
        0,
        expect.stringContaining('is successful'),
      ]);
    },
  );

  test.runIf(isThere('nginx'))(
    'forwards host names, IP addresses and large feeds through nginx',
    async () => {
      const port = await freePort();
      const text = (await read('nginx.conf'))
        .replace(/^server \{\n {2}listen 80;.*?^\}\n/ms, '')
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replaceAll(/^ *ssl_.*\n/gm, '')
        .replace('127.0.0.1:3000', await startSite());
      const file = await layNginx(text);
      start('nginx', ['-c', file, '-p', folder, '-g', 'daemon off;', '-e', 'stderr']);
      await expectGoodProxy(port);
      expect(await visit(port, 22 * megabyte)).toBe(413);
    },
  );

  test.runIf(isThere('caddy'))('passes Caddy’s check of its configuration', () => {
    const words = ['validate', '--adapter', 'caddyfile', '--config', path.join(docs, 'Caddyfile')];
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const checked = spawnSync('caddy', words, { encoding: 'utf8', env });
    expect([checked.status, checked.stdout]).toEqual([0, 'Valid configuration\n']);
  });

  test.runIf(isThere('caddy'))(
    'forwards host names, IP addresses and large feeds through Caddy',
    async () => {
      const port = await freePort();
      const text = (await read('Caddyfile'))
        .replace('deals.example {', `http://deals.example:${port} {\n\tbind 127.0.0.1`)
        .replace('127.0.0.1:3000', await startSite());
      const file = path.join(folder, 'Caddyfile');
      await writeFile(file, `{\n\tadmin off\n}\n${text}`);
      start('caddy', ['run', '--adapter', 'caddyfile', '--config', file]);
      await expectGoodProxy(port);
    },
  );

  // Traefik is not packaged in Debian, so only its files are checked.
  test('defines everything that Traefik’s files refer to', async () => {
    const traefik = parse(await read('traefik/traefik.yml'));
    const { http } = parse(await read('traefik/deals.yml'));
    expect(path.basename(traefik.providers.file.filename)).toBe('deals.yml');
    const { deals: router, ...otherRouters } = http.routers;
    expect(otherRouters).toEqual({});
    expect(Object.keys(traefik.entryPoints)).toContain(router.entryPoints[0]);
    expect(Object.keys(traefik.certificatesResolvers)).toContain(router.tls.certResolver);
    expect(Object.keys(http.services)).toEqual([router.service]);
    expect(http.services.deals.loadBalancer.servers).toEqual([{ url: 'http://127.0.0.1:3000' }]);
  });
});

async function layNginx(text: string): Promise<string> {
  await writeFile(path.join(folder, 'deals.conf'), text);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const main = path.join(folder, 'nginx.conf');
  await writeFile(
    main,
    `pid ${folder}/pid; events {} http { access_log off; ${folders} include ${folder}/deals.conf; }\n`,
  );
  return main;
}

async function checkNginx(text: string): Promise<{ status: number | null; stderr: string }> {
  const file = await layNginx(text);
  return spawnSync('nginx', ['-t', '-c', file, '-p', folder, '-e', 'stderr'], { encoding: 'utf8' });
}
