import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';

const script = fileURLToPath(new URL('healthcheck.mjs', import.meta.url));
const server = createServer();
const asked: (string | undefined)[] = [];
afterEach(() => server.close());

async function serve(status: number): Promise<string> {
  server.removeAllListeners('request').on('request', ({ url }, response) => {
    asked.push(url);
    response.writeHead(status).end('words');
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return String(port);
}

async function check(env: { PORT: string; HOST?: string }): Promise<unknown> {
  const [code] = await once(spawn(process.execPath, [script], { env }), 'exit');
  return code;
}

test('exits with 0 when the site responds on its port', async () => {
  const port = await serve(200);
  expect(await check({ PORT: port, HOST: '0.0.0.0' })).toBe(0);
  expect(await check({ PORT: port, HOST: '127.0.0.1' })).toBe(0);
  expect(asked).toEqual(['/health/live', '/health/live']);
});

test('exits with 1 when the site refuses', async () => {
  expect(await check({ PORT: await serve(503) })).toBe(1);
});

test('exits with 1 when nothing listens', async () => {
  expect(await check({ PORT: String(await freePort()) })).toBe(1);
});
