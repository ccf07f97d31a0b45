import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { PreparedHeads } from '#server/prepared-heads.ts';

let server: Server | undefined;
afterEach(() => server?.close());

const body = 'page';
const headers = { 'x-own': 'kept', 'content-type': 'text/plain', 'content-length': '4' };

/** Starts a server that reports in `made` whether node:http built the head of each response. */
async function startServer(status = 200, headersOf = () => headers) {
  const clock = { now: 1_000, made: 0 };
  const heads = new PreparedHeads(() => clock.now);
  const started = createServer((_request, response) => {
    const write = response.writeHead.bind(response);
    Object.assign(response, {
      writeHead: (...given: Parameters<typeof write>) => {
        clock.made++;
        return write(...given);
      },
    });
    heads.write(response, status, headersOf());
    response.end(body, 'latin1');
  });
  started.on('checkContinue', (...asked) => started.emit('request', ...asked));
  server = started;
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  const { port } = started.address() as AddressInfo;
  const ask = async (...requests: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(requests.map((request) => `${request}\r\n\r\n`).join(''));
    const answers = (await text(socket)).replaceAll(/^Date: .*$/gm, 'Date: …');
    return answers.split(/(?=HTTP\/1\.1 )/);
  };
  return { ask, clock };
}

const get = 'GET / HTTP/1.1\r\nhost: deals.test';
const headOf = (connection: string, status = '200 OK') =>
  [
    `HTTP/1.1 ${status}`,
    'x-own: kept',
    'content-type: text/plain',
    'content-length: 4',
    'Date: …',
    connection,
    '',
    '',
  ].join('\r\n');
const kept = headOf('Connection: keep-alive\r\nKeep-Alive: timeout=5');

it('lets node:http build a response head once per second, and shares it among all requests in that second', async () => {
  const { ask, clock } = await startServer();
  expect(await ask(get, get)).toEqual([kept + body, kept + body]);
  expect(await ask(get)).toEqual([kept + body]);
  expect(clock.made).toBe(1);
  clock.now += 999;
  await ask(get);
  expect(clock.made).toBe(1);
  clock.now += 1;
  expect(await ask(get)).toEqual([kept + body]);
  expect(clock.made).toBe(2);
});

it('uses the prepared head, without a body, for a HEAD request', async () => {
  const { ask, clock } = await startServer();
  const head = get.replace('GET', 'HEAD');
  expect(await ask(get, head, get)).toEqual([kept + body, kept, kept + body]);
  expect(clock.made).toBe(1);
});

it.each([
  ['closes its connection', `${get}\r\nconnection: close`, 'Connection: close'],
  ['uses HTTP/1.0', get.replace('1.1', '1.0'), 'Connection: close'],
  [
    'expects 100-continue',
    `${get}\r\nexpect: 100-continue\r\ncontent-length: 0`,
    'Connection: close',
  ],
])('does not use the prepared head for a request that %s', async (_name, request, connection) => {
  const { ask, clock } = await startServer();
  await ask(get);
  expect(await ask(request)).toEqual([headOf(connection) + body]);
  expect(clock.made).toBe(2);
  expect(await ask(get)).toEqual([kept + body]);
  expect(clock.made).toBe(2);
});

it('does not use the prepared head for another status', async () => {
  const { ask, clock } = await startServer(404);
  const missing = kept.replace('200 OK', '404 Not Found');
  expect(await ask(get, get)).toEqual([missing + body, missing + body]);
  expect(clock.made).toBe(2);
});

it('caches the heads of at most five hundred responses', async () => {
  const others = Array.from({ length: 501 }, () => ({ ...headers }));
  let turn = 0;
  const { ask, clock } = await startServer(200, () => others[turn++ % 501] ?? headers);
  const all = others.map(() => get);
  await ask(...all, ...all);
  expect(clock.made).toBe(502);
});
