import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { startRoundRobin } from '#test/round-robin.ts';
import { makeSecondBuild } from '#test/second-build.ts';
import { signIn } from '#test/staff.ts';
import { startWebProcess } from '#test/web-processes.ts';

// Tests two builds of the site behind one load balancer, as during an update.

const root = fileURLToPath(new URL('..', import.meta.url));
const origin = 'http://localhost:3000';
let database: TestDatabase;
/** A client folder with different scripts and stylesheets. */
let otherRoot: string;

beforeAll(async () => {
  database = await createTestDatabase();
  otherRoot = await makeSecondBuild();
});

afterAll(async () => {
  await database.close();
  await rm(otherRoot, { recursive: true, force: true });
});

const assetsOf = async (folder: string) =>
  new Set(await readdir(path.join(folder, 'build/client/assets')));

interface File {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends a request over a new connection, which the load balancer passes to the next process.
 * `fetch` throws outside its promise if a connection closes after half a megabyte.
 */
async function ask(port: number, address: string, cookie = ''): Promise<File> {
  const headers = { host: 'localhost', accept: '*/*', 'user-agent': 'test', cookie };
  const sent = request({ host: '127.0.0.1', port, path: address, headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { date: _now, ...kept } = answer.headers;
  return { status: answer.statusCode ?? 0, headers: kept, text: await readAll(answer) };
}

/**
 * Returns every file that this text references, and the files they reference, including those
 * loaded on interaction.
 */
async function filesOf(port: number, text: string): Promise<Map<string, File>> {
  const found = new Map<string, File>();
  const follow = async (named: string): Promise<void> => {
    for (const [, name = ''] of named.matchAll(
      /(?:assets\/|\.\/)([\w.-]+\.(?:js|css|woff2|svg))/g,
    )) {
      const address = `/assets/${name}`;
      if (found.has(address)) continue;
      const file = await ask(port, address);
      found.set(address, file);
      if (/\.(?:js|css)$/.test(name)) await follow(file.text);
    }
  };
  await follow(text);
  return found;
}

it('serves only pages whose files every process has, and keeps serving an old build’s files', async () => {
  const { slug } = await insertDeal(database.db);
  const { cookie } = await signIn(database, { role: 'super_admin' }, origin);
  const env = { DATABASE_URL: database.url, ORIGIN: origin, LOG_LEVEL: 'warn' };
  const old = await startWebProcess(env);
  const next = await startWebProcess(env, otherRoot);
  const balancer = await startRoundRobin([old.port, next.port]);
  try {
    const [oldFiles, nextFiles] = [await assetsOf(root), await assetsOf(otherRoot)];
    const own = {
      old: [...oldFiles.difference(nextFiles)],
      next: [...nextFiles.difference(oldFiles)],
    };
    // If there were no files, the test would prove nothing.
    expect(own.old.length).toBeGreaterThan(20);
    expect(own.next.length).toBeGreaterThan(20);
    expect(own.old.some((name) => name.startsWith('auth-dialog-'))).toBe(true);

    const pages = ['/', '/deals', `/deals/${slug}`, '/contact', '/admin', '/profile'];
    for (const [maker, other, only] of [
      [old, next, own.old],
      [next, old, own.next],
    ] as const) {
      let texts = '';
      for (const page of pages) {
        const { status, text } = await ask(maker.port, page, cookie);
        expect([page, status]).toEqual([page, 200]);
        texts += text;
      }
      const atNeighbour = await filesOf(other.port, texts);
      for (const [address, file] of atNeighbour) {
        expect([address, file.status]).toEqual([address, 200]);
        expect([address, file]).toEqual([address, await ask(maker.port, address)]);
        expect([address, (await ask(balancer.port, address)).status]).toEqual([address, 200]);
      }
      expect(only.filter((name) => atNeighbour.has(`/assets/${name}`)).length).toBeGreaterThan(20);
    }

    const openPage = (await ask(old.port, '/')).text;
    await old.stop();
    balancer.targets = [next.port];
    const later = await filesOf(balancer.port, openPage);
    expect([...later.values()].map(({ status }) => status)).toEqual([...later].map(() => 200));
    expect([...later.keys()].some((address) => address.includes('/auth-dialog-'))).toBe(true);

    const unknown = await ask(balancer.port, '/assets/no-such-AbCdEf12.js');
    expect([unknown.status, unknown.headers['cache-control']]).toEqual([404, 'private, no-store']);
    await next.stop();
  } finally {
    await balancer.close();
  }
});
