import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { closeServer } from '#server/close-server.ts';

async function listening(answer: Parameters<typeof createServer>[1]) {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

// Proves R38: graceful stop (server/close-server.ts)
it('R38: finishes the current response and accepts no new visitor', async () => {
  const started = Promise.withResolvers<() => void>();
  const { server, url } = await listening((_request, response) => {
    started.resolve(() => response.end('whole'));
  });
  const reading = fetch(url).then((response) => response.text());
  const finish = await started.promise;
  const closing = closeServer(server, 10);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  finish();
  expect(await reading).toBe('whole');
  await closing;
});

it('R38: serves requests until load balancers notice, and closes the connection after each response', async () => {
  const { server, url } = await listening((_request, response) => response.end('answered'));
  const drained = Promise.withResolvers<void>();
  const closing = closeServer(server, 10, drained.promise);
  const answer = await fetch(url);
  expect([await answer.text(), answer.headers.get('connection')]).toEqual(['answered', 'close']);
  drained.resolve();
  await closing;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('R38: cuts off requests that do not finish in time', async () => {
  const started = Promise.withResolvers<void>();
  const { server, url } = await listening(() => started.resolve());
  const request = get(url);
  const failed = once(request, 'error').then(
    ([error]) => error,
    (error: unknown) => error,
  );
  await started.promise;
  await closeServer(server, 0);
  expect(await failed).toMatchObject({ code: 'ECONNRESET' });
});

it('R38: answers a request in transit on a keep-alive connection, then closes the connection', async () => {
  const { server, url } = await listening((_request, response) => response.end('answered'));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  async function read() {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    const body = await response.toArray();
    return [Buffer.concat(body).toString(), response.headers.connection];
  }
  expect(await read()).toEqual(['answered', 'keep-alive']);
  const onItsWay = read();
  await closeServer(server, 10);
  expect(await onItsWay).toEqual(['answered', 'close']);
});
