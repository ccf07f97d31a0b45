import { expect, test } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { startHttpSite } from '#test/http-site.ts';
import { useTestDatabase } from '#test/database.ts';
import type { MediaStore } from '#database/media-store.ts';
import { testServices } from '#test/services.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { VisitorLimits } from './visitor-limits.ts';

const database = useTestDatabase();
useStoppedClock();

// Proves R12: any page 600 a minute, 50 at once
test('limits pages per IP address to 600 per minute, across all processes', async () => {
  const services = testServices(database);
  const processes = [new VisitorLimits(services, () => 0), new VisitorLimits(services, () => 0)];
  let admitted = 0;
  for (let n = 0; n < 700; n++) {
    const one = await processes[n % 2]!.admit('192.0.2.1', '/deals', '');
    if (one.ok) {
      admitted += 1;
      one.leave();
    }
  }
  // Each process may count up to 20 pages before it reports them to the others.
  expect(admitted).toBeGreaterThanOrEqual(598);
  expect(admitted).toBeLessThanOrEqual(640);
  expect((await processes[0]!.admit('192.0.2.2', '/deals', '')).ok).toBe(true);
});

test('limits simultaneous pages per IP address to fifty, and frees a slot when a visitor leaves', async () => {
  const limits = new VisitorLimits(testServices(database), () => 0);
  const open = [];
  for (let n = 0; n < 50; n++) open.push(await limits.admit('192.0.2.3', '/', ''));
  expect(await limits.admit('192.0.2.3', '/', '')).toMatchObject({ ok: false, status: 503 });
  const [first] = open;
  if (first?.ok) {
    first.leave();
    first.leave(); // Leaving twice frees only one slot.
  }
  expect((await limits.admit('192.0.2.3', '/', '')).ok).toBe(true);
  expect((await limits.admit('192.0.2.3', '/', '')).ok).toBe(false);
});

test('serves pages without the database', async () => {
  const services = { ...testServices(database), db: null as never, log: createLog('silent') };
  const limits = new VisitorLimits(services, () => 0);
  for (let n = 0; n < 45; n++) {
    const one = await limits.admit('192.0.2.4', '/api/suggest', '?q=a');
    expect(one.ok).toBe(true);
    if (one.ok) one.leave();
  }
});

test('R12: rejects searches after thirty in ten seconds, regardless of spelling and forwarding headers', async () => {
  const site = await startHttpSite(
    async () => ({ response: new Response('ok'), policy: null, error: undefined }),
    { db: database.db },
  );
  const paths = [
    '/api/suggest?q=wi',
    '/deals?search=wire',
    '/DEALS?search=a',
    '/deals.data?search=b',
  ];
  try {
    const statuses: number[] = [];
    const pauses: number[] = [];
    for (let n = 0; n < 40; n++) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` };
      const answer = await site.send(paths[n % paths.length]!, { headers });
      statuses.push(answer.status);
      if (answer.status === 429) pauses.push(Number(answer.headers['retry-after']));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(Math.min(...pauses)).toBeGreaterThan(0);
    expect((await site.send('/deals')).status).toBe(200);
  } finally {
    await site.close();
  }
});

test('limits price checks per IP address to thirty per minute, but not visits to the empty page', async () => {
  const limits = new VisitorLimits(testServices(database, { RATE_LIMITS: 'page=0' }), () => 0);
  const ask = (path: string, search: string) => limits.admit('192.0.2.7', path, search);
  const paths = ['/check', '/CHECK', '/check.data'];
  for (let n = 0; n < 40; n++) expect((await ask('/check', '?url=')).ok).toBe(true);
  for (let n = 0; n < 30; n++) {
    const one = await ask(paths[n % 3]!, n % 2 ? '?url=https://shop.example' : '?text=lamp');
    if (one.ok) one.leave();
    expect(one.ok).toBe(true);
  }
  expect(await ask('/check', '?title=lamp')).toMatchObject({ ok: false, status: 429 });
});

test('admits a rejected visitor again after the announced time', async () => {
  let now = 0;
  const services = testServices(database, { RATE_LIMITS: 'page=20/60' });
  const limits = new VisitorLimits(services, () => now);
  const ask = async () => {
    const one = await limits.admit('192.0.2.9', '/', '');
    if (one.ok) one.leave();
    return one;
  };
  for (let n = 0; n < 39; n++) expect((await ask()).ok).toBe(true);
  const refused = await ask();
  expect(refused).toMatchObject({ ok: false, status: 429 });
  const pause = refused.ok ? 0 : refused.retryAfterSeconds;
  expect(pause).toBeGreaterThan(50);
  expect(pause).toBeLessThanOrEqual(60);
  now += 10_000;
  expect(await ask()).toMatchObject({ ok: false, retryAfterSeconds: pause - 10 });
  now += (pause - 10) * 1000;
  expect((await ask()).ok).toBe(true);
});

test('admits IP addresses near a rejected one, except those in the same IPv6 network', async () => {
  const services = testServices(database, { RATE_LIMITS: 'page=20/60' });
  const limits = new VisitorLimits(services, () => 0);
  for (let n = 0; n < 40; n++) await limits.admit(`2001:db8:1:2::${n.toString(16)}`, '/', '');
  expect(await limits.admit('2001:db8:1:2:ffff::1', '/', '')).toMatchObject({ status: 429 });
  expect((await limits.admit('2001:db8:1:3::1', '/', '')).ok).toBe(true);
  expect((await limits.admit('192.0.2.1', '/', '')).ok).toBe(true);
});

test('admits any number of simultaneous pages if pages have no limit', async () => {
  const services = { ...testServices(database, { RATE_LIMITS: 'page=0' }), db: null as never };
  const limits = new VisitorLimits(services, () => 0);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => limits.admit('192.0.2.1', '/', '')),
  );
  expect(answers.every(({ ok }) => ok)).toBe(true);
});

test.each([
  ['/deals', '?search='],
  ['/deals', '?search=%20%20'],
  ['/deals', '?page=2'],
  ['/deals/suggest', '?q=a'],
  ['/api/suggestions', ''],
])('does not count this request as a search: %s%s', async (pathname, search) => {
  const services = testServices(database, { RATE_LIMITS: 'page=0,search-burst=1/60' });
  const limits = new VisitorLimits(services, () => 0);
  for (let n = 0; n < 3; n++) {
    expect((await limits.admit('192.0.2.1', pathname, search)).ok).toBe(true);
  }
});

// Proves R12: pictures are counted before they are looked up
test('rejects pictures after ten times the page limit, before looking them up', async () => {
  const asked: string[] = [];
  const media = {
    find: (name: string) => {
      asked.push(name);
      return Promise.resolve(null);
    },
  } as unknown as MediaStore;
  const site = await startHttpSite(
    async () => ({ response: new Response('ok'), policy: null, error: undefined }),
    { db: database.db, env: { RATE_LIMITS: 'page=20/60' }, media },
  );
  try {
    const statuses = new Map<number, number>();
    for (let n = 0; n < 500; n++) {
      const { status } = await site.send(`/media/missing-${n}.webp`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(429)).toBeGreaterThanOrEqual(80);
    expect(asked).toHaveLength(statuses.get(404) ?? 0);
  } finally {
    await site.close();
  }
});
