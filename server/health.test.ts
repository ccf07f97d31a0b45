import { afterEach, expect, it } from 'vitest';
import { connect } from '#database/connect.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { useTestDatabase } from '#test/database.ts';
import type { SiteApp } from '#server/site-app.ts';

const database = useTestDatabase();
let site: HttpSite | undefined;
afterEach(() => site?.close());

const router: SiteApp = async () => ({ response: new Response('page'), policy: null, error: null });
const local = { host: 'localhost' };

it('responds with only "ok" to liveness probes from any client', async () => {
  site = await startHttpSite(router, { db: database.db });
  const answer = await site.send('/health/live', { headers: { host: '10.0.0.7:3000' } });
  expect([answer.status, answer.text]).toEqual([200, 'ok\n']);
});

// Proves Storefront 7: Health check
it('responds to readiness probes from this server only', async () => {
  site = await startHttpSite(router, { db: database.db });
  const answer = await site.send('/health/ready', { headers: local });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({
    ready: true,
    database: 'ok',
    migrations: 'current',
    stopping: false,
  });
  expect((await site.send('/health/ready')).status).toBe(404);
  const passedOn = { ...local, 'x-forwarded-for': '203.0.113.9' };
  expect((await site.send('/health/ready', { headers: passedOn })).status).toBe(404);
});

// Proves R38: health/ready for balancers (request-origin.ts)
it('responds to readiness probes from a listed load balancer, but not from clients behind it', async () => {
  const env = { READY_FROM: '192.0.2.0/24, 127.0.0.1' };
  site = await startHttpSite(router, { db: database.db, env });
  const statusOf = async (headers: Record<string, string>) =>
    (await site!.send('/health/ready', { headers })).status;
  expect(await statusOf({ host: '10.0.0.7:3000' })).toBe(200);
  expect(await statusOf({ host: 'web-2.internal' })).toBe(200);
  expect(await site.sendRaw('GET /health/ready HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect(await statusOf({ host: 'deals.test' })).toBe(404);
  expect(await statusOf({ host: '10.0.0.7', 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  expect(await statusOf({ host: '10.0.0.7', forwarded: 'for=203.0.113.9' })).toBe(404);
});

it('does not respond to readiness probes from other servers', async () => {
  site = await startHttpSite(router, { db: database.db, env: { READY_FROM: '192.0.2.0/24' } });
  const answer = await site.send('/health/ready', { headers: { host: '10.0.0.7:3000' } });
  expect(answer.status).toBe(404);
});

// Proves R35: database loss
it('R35: reports live but not ready while the database is unreachable', async () => {
  const away = connect('postgres://nobody@127.0.0.1:1/none');
  site = await startHttpSite(router, { db: away.db });
  const answer = await site.send('/health/ready', { headers: local });
  expect([answer.status, JSON.parse(answer.text).database]).toEqual([503, 'unreachable']);
  expect((await site.send('/health/live')).status).toBe(200);
  await away.close();
});
