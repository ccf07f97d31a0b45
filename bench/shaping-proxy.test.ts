import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { openWire, type Protocol, shapeSite } from './shaping-proxy.ts';

describe('a connection of 1,460 bytes per ten milliseconds with a delay of 75 ms', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const open = () => openWire(1_168_000, 75);

  function carryOn(wire: ReturnType<typeof open>) {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const carried = { from, bytes: 0, hasEnded: false };
    to.on('data', (bytes: Buffer) => (carried.bytes += bytes.length));
    to.on('end', () => (carried.hasEnded = true));
    void wire(from, to);
    return carried;
  }

  test('delivers a byte after half a round trip, not sooner', async () => {
    const one = carryOn(open());
    one.from.end('x');
    await vi.advanceTimersByTimeAsync(74);
    expect(one).toMatchObject({ bytes: 0, hasEnded: false });
    await vi.advanceTimersByTimeAsync(3);
    expect(one).toMatchObject({ bytes: 1, hasEnded: true });
  });

  test('limits the rate of a connection, packet by packet', async () => {
    const one = carryOn(open());
    one.from.write(Buffer.alloc(14_600));
    await vi.advanceTimersByTimeAsync(81);
    expect(one.bytes).toBe(0);
    await vi.advanceTimersByTimeAsync(5);
    expect(one.bytes).toBe(1_460);
    await vi.advanceTimersByTimeAsync(50);
    expect(one.bytes).toBe(6 * 1_460);
    await vi.advanceTimersByTimeAsync(40);
    expect(one.bytes).toBe(14_600);
  });

  test('shares the rate among all connections, and does not accumulate unused capacity', async () => {
    const wire = open();
    await vi.advanceTimersByTimeAsync(1_000);
    const [one, other] = [carryOn(wire), carryOn(wire)];
    one.from.write(Buffer.alloc(14_600));
    other.from.write(Buffer.alloc(2_920));
    await vi.advanceTimersByTimeAsync(75 + 52);
    expect([one.bytes, other.bytes]).toEqual([4_380, 2_920]);
    await vi.advanceTimersByTimeAsync(70);
    expect(one.bytes).toBe(14_600);
  });

  test('forwards an abort from either end of a connection', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const gone = open()(from, to);
    from.destroy(new Error('gone'));
    await gone;
    expect(to.destroyed).toBe(true);
  });
});

describe('a site behind the proxy', () => {
  const body = Buffer.alloc(40_000, 'deal ');

  async function shape(protocol: Protocol) {
    const site = createServer((request, response) => {
      response.setHeader('content-type', 'text/plain');
      if (request.method === 'POST') request.pipe(response);
      else response.end(request.url === '/host' ? request.headers.host : body);
    });
    site.listen(await freePort(), '127.0.0.1');
    await once(site, 'listening');
    const { port } = Object(site.address());
    const quick = { roundTripMs: 2, downBitsPerSecond: 1e9, upBitsPerSecond: 1e9 };
    const shaped = await shapeSite(`http://127.0.0.1:${port}`, protocol, quick);
    onTestFinished(async () => {
      await shaped.close();
      site.close();
    });
    return shaped;
  }

  test('serves the site behind the proxy over HTTP/1.1, and reports the requests', async () => {
    const { origin, passed } = await shape('http/1.1');
    const answer = await fetch(`${origin}/deals`, { headers: { 'sec-purpose': 'prefetch' } });
    expect(body.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(passed).toEqual([{ path: '/deals', type: 'text/plain', purpose: 'prefetch' }]);
    expect(await (await fetch(`${origin}/host`)).text()).toBe(new URL(origin).host);
    expect(await (await fetch(origin, { method: 'POST', body: 'a form' })).text()).toBe('a form');
  });

  test('serves the site behind the proxy over HTTP/2, with several streams on one connection', async () => {
    const { origin, passed } = await shape('h2');
    const session = connect(origin, { rejectUnauthorized: false });
    onTestFinished(() => session.close());
    const [whole, host] = await Promise.all([
      buffer(session.request({ ':path': '/deals', 'sec-purpose': 'prefetch' })),
      text(session.request({ ':path': '/host' })),
    ]);
    expect(body.equals(whole)).toBe(true);
    expect(host).toBe(new URL(origin).host);
    expect(passed.map(({ path }) => path).toSorted()).toEqual(['/deals', '/host']);
    expect(passed.find(({ path }) => path === '/deals')?.purpose).toBe('prefetch');
  });
});
