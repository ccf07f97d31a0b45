import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { TestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';

type Answer = (path: string) => Promise<{ status: number; body: string }>;

/** Serves JSON on 127.0.0.1 until `stop`. */
export async function serveJson(answer: Answer) {
  const server = createServer((request, response) => {
    void (async () => {
      const { status, body } = await answer(request.url ?? '/');
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { origin, stop };
}

/** The services of a site at this URL, which may fetch from 127.0.0.1. */
export function servicesAt(database: TestDatabase, origin: string, daysAhead = 0): AppServices {
  const env = readEnv({
    NODE_ENV: 'test',
    ORIGIN: origin,
    FEED_PRIVATE_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
  const now = () => new Date(Date.now() + daysAhead * 86_400_000);
  return { db: database.db, env, log: createLog('silent'), now };
}

/** Serves the API of a site with this database. */
export async function serveSite(database: TestDatabase) {
  const served = await serveJson(async (path) => {
    const site = testSite(database, servicesAt(database, served.origin));
    const response = await site.request(path);
    return { status: response.status, body: await response.text() };
  });
  return served;
}
