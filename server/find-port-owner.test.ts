import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { findPortOwner } from './find-port-owner.ts';

let server: Server | undefined;
afterEach(() => server?.close());

it.each(['127.0.0.1', '0.0.0.0'])('finds the process that listens on %s', async (host) => {
  const port = await freePort();
  server = createServer().listen(port, host);
  await once(server, 'listening');
  expect(findPortOwner(port)).toBe(process.pid);
});

it('returns null if no process listens, although a client uses the port', async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  expect(findPortOwner(client.localPort ?? 0)).toBeNull();
  client.destroy();
});
