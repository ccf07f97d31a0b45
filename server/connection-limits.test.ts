import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { connectionTimes } from './http-server.ts';
import type { SiteApp } from './site-app.ts';

let site: HttpSite | undefined;
afterEach(() => site?.close());

const app: SiteApp = async () => ({ response: new Response('a page'), policy: null, error: null });
const hour = 3_600_000;
/** Limits in ms. Only the limit that a test shortens can close its connection. */
const patient = {
  headersTimeout: hour,
  requestTimeout: hour,
  uploadTimeout: hour,
  keepAliveTimeout: hour,
  connectionsCheckingInterval: 20,
};
const head = 'GET /x HTTP/1.1\r\nhost: deals.test\r\n';
const form =
  'POST /x HTTP/1.1\r\nhost: deals.test\r\norigin: https://deals.test\r\ncontent-type: application/x-www-form-urlencoded\r\n';

// Proves R24: header size, header, request and idle times, connections (http-server.ts)
describe('R24: connection limits', () => {
  it('R24: limits headers to 16 KB and 10 s, requests to 30 s, uploads to 10 min, and idle connections to 5 s', () => {
    expect(connectionTimes).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      uploadTimeout: 600_000,
      keepAliveTimeout: 5_000,
    });
    // Checks connections more often than Node's interval of 30 s.
    expect(connectionTimes.connectionsCheckingInterval).toBeLessThanOrEqual(1_000);
  });

  it('R24: rejects headers of more than 16 KB in total with 431, and accepts slightly less', async () => {
    site = await startHttpSite(app);
    const withHeaders = (bytes: number) => {
      const one = `x-filler: ${'a'.repeat(1000 - 12)}\r\n`;
      return `${head}connection: close\r\n${one.repeat(Math.floor(bytes / 1000))}\r\n`;
    };
    expect(await site.sendRaw(withHeaders(15_000))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await site.sendRaw(withHeaders(17_000))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await site.sendRaw(`GET /${'a'.repeat(17_000)} HTTP/1.1\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  it('R24: closes a connection with 408 if its headers never end', async () => {
    site = await startHttpSite(app, { times: { ...patient, headersTimeout: 50 } });
    expect(await site.sendRaw(`${head}x-slow: a`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('R24: aborts a request whose body never ends, before a page receives it', async () => {
    let asked = 0;
    const count: SiteApp = async (...given) => {
      asked += 1;
      return app(...given);
    };
    site = await startHttpSite(count, {
      times: { ...patient, headersTimeout: 50, requestTimeout: 100 },
    });
    expect(await site.sendRaw(`${form}content-length: 100\r\n\r\na=1`)).toMatch(/^HTTP\/1\.1 408 /);
    expect(asked).toBe(0);
  });

  it('R24: closes an unused keep-alive connection', async () => {
    site = await startHttpSite(app, { times: { ...patient, keepAliveTimeout: 20 } });
    const answer = await site.sendRaw(`${head}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nconnection: keep-alive\r\n/i);
  });

  it('R24: accepts at most MAX_CONNECTIONS, and another one once one has closed', async () => {
    site = await startHttpSite(app, { env: { MAX_CONNECTIONS: '10' } });
    const { port } = site;
    const open = await Promise.all(Array.from({ length: 10 }, () => ask(port)));
    expect(open.map(({ answer }) => answer.slice(0, 12))).toEqual(
      Array.from({ length: 10 }, () => 'HTTP/1.1 200'),
    );
    expect((await ask(port)).answer).toBe('');
    open[0]?.socket.destroy();
    await expect.poll(async () => (await ask(port)).answer).toMatch(/^HTTP\/1\.1 200/);
    for (const { socket } of open) socket.destroy();
  });
});

/**
 * Sends one request over a keep-alive connection. The response is empty if the server closed it.
 */
async function ask(port: number): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head}\r\n`);
  const heard = once(socket, 'data').then(([bytes]: Buffer[]) => String(bytes));
  const answer = await Promise.race([heard, once(socket, 'close').then(() => '')]);
  return { socket, answer };
}
