import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import { insertDeal } from '#database/factories/insert.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';

type Line = 'up' | 'refusing' | 'silent';

let line: Line = 'up';
const sockets = new Set<Socket>();
let database: TestDatabase;
let throughLine: Connection;
let site: HttpSite;

/** The line to the database: it passes bytes, hangs up on everybody, or says nothing at all. */
const relay = createServer((near) => {
  near.on('error', () => {});
  if (line === 'refusing') return near.destroy();
  sockets.add(near);
  if (line === 'silent') return;
  const { hostname, port } = new URL(database.url);
  const far = connectSocket(Number(port || 5432), hostname);
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
  near.on('close', () => far.destroy());
});

function setLine(next: Line): void {
  line = next;
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await insertDeal(database.db, { slug: 'drill' });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((relay.address() as AddressInfo).port);
  throughLine = connect(url.href, { maxConnections: 4 });
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test' });
  const services = { db: throughLine.db, env, log: createLog('silent'), now: () => new Date() };
  const { app, files } = await loadBuiltSite(services);
  site = await startHttpSite(app, { db: throughLine.db, files });
});
afterAll(async () => {
  await site?.close();
  await throughLine?.close();
  setLine('refusing');
  relay.close();
  await database?.close();
});

// With a session, so that no shared page stands in.
const headers = { cookie: '__Host-session=abc' };
const pages = ['/', '/deals', '/deals/drill', '/deals?search=drill', '/feeds/deals.xml', '/out/1'];

async function statuses(): Promise<Set<number>> {
  const answers = await Promise.all(pages.map((page) => site.send(page, { headers })));
  return new Set(answers.map(({ status }) => status));
}

it.each<Line>(['refusing', 'silent'])(
  'R35: while the database is %s pages say 503 and when to come back, and recover by themselves',
  async (trouble) => {
    expect(await statuses()).toEqual(new Set([200, 302]));
    expect((await site.send('/deals')).status).toBe(200);
    setLine(trouble);
    const answers = await Promise.all(pages.map((page) => site.send(page, { headers })));
    for (const [n, answer] of answers.entries()) {
      const seen = [pages[n], answer.status, answer.headers['retry-after']];
      expect(seen).toEqual([pages[n], 503, '5']);
      expect(answer.text).not.toMatch(/ECONN|timeout exceeded|Connection terminated/);
    }
    // A page for all that was shown before goes on being shown.
    expect((await site.send('/deals')).status).toBe(200);
    expect((await site.send('/health/live')).status).toBe(200);
    expect((await site.send('/health/ready', { headers: { host: 'localhost' } })).status).toBe(503);
    setLine('up');
    expect(await statuses()).toEqual(new Set([200, 302]));
  },
);
