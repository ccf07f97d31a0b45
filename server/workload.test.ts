import { expect, it, vi } from 'vitest';
import { startHttpSite } from '#test/http-site.ts';
import { PageCache } from './page-cache.ts';
import type { SiteApp } from './site-app.ts';
import { storeAnswer, type StoredAnswer } from './stored-answer.ts';
import { Overloaded, watchEventLoop, Workload } from './workload.ts';

/** Creates pages that start on request and finish when the test releases them. */
function slowPages() {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const make = async (name: string) => {
    begun.push(name);
    await new Promise<void>((resolve) => finish.push(resolve));
    return name;
  };
  return { begun, finish, make };
}

it('R48: renders a limited number of pages at once, lets a limited number wait, and rejects the rest', async () => {
  const workload = new Workload({ mostDelayMs: 0, mostAtOnce: 2, mostWaiting: 1 });
  const { begun, finish, make } = slowPages();
  const done = ['a', 'b', 'c'].map((name) => workload.run(() => make(name)));
  expect(begun).toEqual(['a', 'b']);
  await expect(workload.run(() => make('d'))).rejects.toThrow(Overloaded);
  finish[0]?.();
  expect(await done[0]).toBe('a');
  expect(begun).toEqual(['a', 'b', 'c']);
  finish.forEach((end) => end());
  await Promise.all(done);
  const after = workload.run(() => make('e'));
  finish.at(-1)?.();
  expect(await after).toBe('e');
});

it('R48: frees the slot of a failed page', async () => {
  const workload = new Workload({ mostDelayMs: 0, mostAtOnce: 1, mostWaiting: 5 });
  const failed = workload.run(async () => {
    throw new Error('no such table');
  });
  const next = workload.run(async () => 'made');
  await expect(failed).rejects.toThrow('no such table');
  expect(await next).toBe('made');
  expect(await workload.run(async () => 'made too')).toBe('made too');
});

it('R48: limits the waiting time, and skips callers that gave up', async () => {
  const workload = new Workload({ mostDelayMs: 0, mostAtOnce: 1, mostWaiting: 5, patienceMs: 1 });
  const { begun, finish, make } = slowPages();
  const first = workload.run(() => make('a'));
  await expect(workload.run(() => make('b'))).rejects.toThrow(Overloaded);
  expect(workload.takeTurnedAway()).toBe(1);
  finish[0]?.();
  await first;
  const next = workload.run(() => make('c'));
  expect(begun).toEqual(['a', 'c']);
  finish[1]?.();
  expect(await next).toBe('c');
});

it('R48: reports overload after a slow second but not after a short delay, and recovers after a quiet second', () => {
  const workload = new Workload({ mostDelayMs: 500 });
  const states = [900, 900, 10, 10].map((measured) => {
    workload.note(measured);
    return workload.refuses();
  });
  expect(states).toEqual([false, true, false, false]);
  expect(workload.takeTurnedAway()).toBe(1);
  expect(workload.takeTurnedAway()).toBe(0);
  const off = new Workload({ mostDelayMs: 0 });
  off.note(1e9);
  expect(off.refuses()).toBe(false);
});

it('R48: measures the delay of the real event loop, and reports rejections', async () => {
  const workload = new Workload({ mostDelayMs: 1e-6 });
  workload.note(1);
  expect(workload.refuses()).toBe(true);
  const noted: number[] = [];
  workload.note = (delay) => noted.push(delay);
  const told: number[] = [];
  const stop = watchEventLoop(workload, (count) => told.push(count));
  try {
    // A blocked event loop causes the delay. The exact length does not matter here.
    const until = performance.now() + 100;
    while (performance.now() < until);
    await expect.poll(() => noted.some((delay) => delay > 0)).toBe(true);
    expect(told).toEqual([1]);
  } finally {
    stop();
  }
});

it('reports the site as idle ten seconds after the last request', () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 60_000 });
  try {
    const workload = new Workload({});
    workload.refuses();
    expect(workload.isIdle).toBe(false);
    vi.advanceTimersByTime(10_001);
    expect(workload.isIdle).toBe(true);
    workload.refuses();
    expect(workload.isIdle).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it('stops measuring while the site is idle, and resumes on the next request', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'], now: 60_000 });
  const workload = new Workload({});
  const stop = watchEventLoop(workload, () => {});
  try {
    vi.advanceTimersByTime(20_000);
    expect(vi.getTimerCount()).toBe(0);
    workload.refuses();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(9_000);
    expect(vi.getTimerCount()).toBe(1);
  } finally {
    stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  }
});

// Proves R48: overload sheds, kept pages go on
it('R48: rejects pages and writes with 503 while overloaded, but still serves cached pages', async () => {
  const workload = new Workload({ mostDelayMs: 500 });
  let made = 0;
  const app: SiteApp = async (request) => ({
    response: new Response(`page ${(made += 1)}`, { headers: { 'content-type': 'text/html' } }),
    policy: new URL(request.url).pathname === '/deals' ? { seconds: 60, tags: [] } : null,
    error: null,
  });
  const body = Buffer.from('let a;');
  const script = { status: 200, body, type: 'text/javascript', headers: {}, brotliQuality: 5 };
  const files = new Map([['/assets/a.js', await storeAnswer(script)]]);
  const site = await startHttpSite(app, { workload, files });
  try {
    expect((await site.send('/deals')).text).toBe('page 1');
    workload.note(1e6);
    const form = {
      method: 'POST',
      body: 'a=1',
      headers: {
        origin: 'https://deals.test',
        'content-type': 'application/x-www-form-urlencoded',
      },
    };
    const refused = await Promise.all([
      site.send('/profile', { headers: { cookie: '__Host-session=a' } }),
      site.send('/stores'),
      site.send('/sign-in', form),
      site.send('/api/v1/deals'),
    ]);
    for (const { status, headers } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '2']);
    }
    expect(refused[1]?.text).toContain('too busy');
    expect(refused[3]?.headers['content-type']).toContain('application/problem+json');
    expect((await site.send('/deals')).text).toBe('page 1');
    expect((await site.send('/assets/a.js')).status).toBe(200);
    expect((await site.send('/health/live')).status).toBe(200);
    expect(made).toBe(1);
    expect(site.lines.some(({ msg }) => msg === 'request failed')).toBe(false);
  } finally {
    await site.close();
  }
});

it('R48: shows a cached page as stale while its renewal is rejected', async () => {
  const workload = new Workload({ mostDelayMs: 500 });
  let now = Date.now();
  const cache = new PageCache<StoredAnswer>({ maxBytes: 1e6, now: () => now });
  const app: SiteApp = async () => ({
    response: new Response('a page', { headers: { 'content-type': 'text/html' } }),
    policy: { seconds: 60, tags: [] },
    error: null,
  });
  const site = await startHttpSite(app, { workload, cache });
  try {
    await site.send('/deals');
    workload.note(1e6);
    now += 5 * 60_000;
    expect((await site.send('/deals')).status).toBe(200);
    expect(cache.stats.staleOnError).toBe(1);
    now += 20 * 60_000;
    expect((await site.send('/deals')).status).toBe(503);
  } finally {
    await site.close();
  }
});
