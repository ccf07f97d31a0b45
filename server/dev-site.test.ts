import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';

// Runs `npm run dev` on a copy of the source tree, so that edits don't affect other tests. The data
// folder and Vite's cache are empty, as after a clone.

const root = fileURLToPath(new URL('..', import.meta.url));
let copy: string;
let origin: string;
let development: ChildProcess;
/** The process's output. */
let log = '';

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'deal-hub-dev-'));
  await copyTree();
  const port = await freePort();
  origin = `http://localhost:${port}`;
  start(port);
  await isRunning();
});

afterAll(async () => {
  if (development.exitCode === null) await stop();
  await rm(copy, { recursive: true, force: true });
});

async function copyTree(): Promise<void> {
  const files = ['app', 'bin', 'content', 'database', 'public', 'server', 'package.json'];
  files.push('package-lock.json', 'react-router.config.ts', 'tsconfig.json', 'vite.config.ts');
  for (const name of files) {
    await cp(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  // Links packages individually, because Vite writes its cache into node_modules.
  await mkdir(path.join(copy, 'node_modules'));
  for (const name of await readdir(path.join(root, 'node_modules'))) {
    if (/^\.(?:vite|cache)/.test(name)) continue;
    await symlink(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name));
  }
}

function start(port: number): void {
  const { DATABASE_URL: _server, ORIGIN: _origin, NODE_ENV: _mode, ...environment } = process.env;
  development = spawn(process.execPath, ['bin/bootstrap.mjs', 'dev'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      DATA_DIR: path.join(copy, 'data'),
      PORT: String(port),
      HOST: '127.0.0.1',
      SEED: 'demo',
    },
  });
  for (const stream of [development.stdout, development.stderr]) {
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }
}

/** Resolves when the site logs that it is running, and rejects with its log if it exits first. */
function isRunning(): Promise<void> {
  return new Promise((resolve, reject) => {
    development.stdout?.on('data', () => {
      if (log.includes('Deal Hub is running')) resolve();
    });
    development.once('exit', () => reject(new Error(`The site did not start: ${log}`)));
  });
}

/** Stops the process as Ctrl+C does, and returns its exit code. */
async function stop(): Promise<number | null> {
  const exited = once(development, 'exit') as Promise<[number | null]>;
  development.kill('SIGTERM');
  return (await exited)[0];
}

async function ask(address: string, init: RequestInit = {}) {
  const response = await fetch(origin + address, { redirect: 'manual', ...init });
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, text: await response.text(), headers: response.headers };
}

/** Returns the URL of the first link on this page to a page below `folder`. */
async function firstLink(address: string, folder: string): Promise<string> {
  const { text } = await ask(address);
  return new RegExp(`href="(${folder}/[a-z0-9-]+)"`).exec(text)?.[1] ?? `no link to ${folder}`;
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(path.join(copy, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(path.join(copy, file), text.replaceAll(from, to));
}

test('serves a page of each kind in development', async () => {
  const html = 'text/html';
  const kinds = [
    ['/', 200, html, '<h1'],
    ['/deals', 200, html, '<h1'],
    [await firstLink('/deals', '/deals'), 200, html, 'application/ld+json'],
    [await firstLink('/categories', '/categories'), 200, html, '<h1'],
    [await firstLink('/merchants', '/merchants'), 200, html, '<h1'],
    ['/blog', 200, html, '<h1'],
    [await firstLink('/blog', '/blog'), 200, html, '<h1'],
    ['/deals?q=laptop', 200, html, 'laptop'],
    ['/about', 200, html, 'A discount should be something you can check'],
    ['/privacy', 200, html, '<h1'],
    ['/sign-in', 200, html, 'name="password"'],
    ['/favorites', 401, html, '<h1'],
    ['/admin', 401, html, 'Authentication'],
    ['/api/v1/deals', 200, 'application/json', '"data"'],
    ['/feeds/deals.xml', 200, 'application/rss+xml', '<item>'],
    ['/sitemap.xml', 200, 'application/xml', '<loc>'],
    ['/no-such-page', 404, html, '<h1'],
  ] as const;
  for (const [address, status, type, part] of kinds) {
    const page = await ask(address);
    expect([address, page.status, page.type]).toEqual([address, status, type]);
    expect([address, page.text.includes(part)]).toEqual([address, true]);
  }
  expect(log).not.toContain('"level":"error"');
});

test('serves the scripts and styles that a page references in development', async () => {
  const { text } = await ask('/');
  const named = text.matchAll(/<(?:script[^>]*? src|link rel="stylesheet" href)="([^"]+)"/g);
  const files = [...named].map(([, address = '']) => address.replaceAll('&amp;', '&'));
  expect(files).toContain('/app/entry.client.tsx');
  expect(files).toContain('/app/ui/base.css');
  for (const address of files)
    expect([address, (await ask(address)).status]).toEqual([address, 200]);
});

test('accepts a form, and shows the admin to staff in development', async () => {
  const token = /\/setup\?token=([\w-]+)/.exec(log)?.[1] ?? '';
  const owner = { full_name: 'Owner', email: 'owner@mail.example', password: 'a long walk by sea' };
  const made = await ask('/setup', {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ token, ...owner }),
  });
  expect([made.status, made.headers.get('location')]).toEqual([303, '/admin/setup/site']);
  const cookie = made.headers.getSetCookie().map((line) => line.split(';')[0]);
  for (const address of ['/admin', '/admin/deals', '/profile', '/profile.data']) {
    const page = await ask(address, { headers: { cookie: cookie.join('; ') } });
    expect([address, page.status]).toEqual([address, 200]);
  }
});

test('shows an edited component without restarting', async () => {
  const badge = async (address: string) =>
    [...(await ask(address)).text.matchAll(/>(Discount|Reduced by) <\/span>/g)][0]?.[1];
  expect([await badge('/deals'), await badge('/')]).toEqual(['Discount', 'Discount']);
  await edit('app/features/deals/discount-badge.tsx', '>Discount </span>', '>Reduced by </span>');
  await expect.poll(() => badge('/deals')).toBe('Reduced by');
  expect(await badge('/')).toBe('Reduced by');

  const heading = async () => /<h2>(Support|Ask us)<\/h2>/.exec((await ask('/about')).text)?.[1];
  expect(await heading()).toBe('Support');
  await edit('app/storefront/chrome/site-footer.tsx', '<h2>Support</h2>', '<h2>Ask us</h2>');
  await expect.poll(heading).toBe('Ask us');
  expect(log.split('Deal Hub is running')).toHaveLength(2);
});

test('stops its database on SIGTERM', async () => {
  expect(await stop()).toBe(0);
  expect(log).toContain('"msg":"stopped"');
  expect(await readdir(path.join(copy, 'data/postgres'))).not.toContain('postmaster.pid');
});
