import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startHttpSite } from '#test/http-site.ts';

const path = '/admin/imports/upload';
const headers = {
  'sec-fetch-site': 'same-origin',
  'content-type': 'multipart/form-data; boundary=x',
};
const megabyte = 1024 * 1024;

// Proves R24: uploads past 1 MB on two paths only
test.each([path, '/admin/media/upload'])(
  'R24: streams an upload to %s, which may respond before the upload is complete',
  async (to) => {
    let read = 0;
    const site = await startHttpSite(async (request) => {
      if (request.headers.get('x-guest')) {
        return { response: new Response('no', { status: 401 }), policy: null, error: undefined };
      }
      for await (const chunk of request.body ?? []) read += chunk.byteLength;
      return { response: new Response('taken'), policy: null, error: undefined };
    });
    try {
      const body = Buffer.alloc(5 * megabyte);
      const taken = await site.send(to, { method: 'POST', headers, body });
      expect(taken).toMatchObject({ status: 200, text: 'taken' });
      expect(read).toBe(body.length);

      // The body of a rejected upload is not read, and its rest is not parsed as another request.
      const guest = { ...headers, 'x-guest': '1' };
      const refused = await site.send(to, { method: 'POST', headers: guest, body });
      expect(refused).toMatchObject({ status: 401, headers: { connection: 'close' } });

      const elsewhere = await site.send('/contact', { method: 'POST', headers, body });
      expect(elsewhere.status).toBe(413);
      const large = Buffer.alloc(21 * megabyte);
      expect((await site.send(to, { method: 'POST', headers, body: large })).status).toBe(413);
      const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
      expect((await site.send(to, { method: 'POST', headers: foreign, body })).status).toBe(403);
    } finally {
      await site.close();
    }
  },
);

test('R24: aborts an upload of undeclared size once it is too large', async () => {
  let read = 0;
  const site = await startHttpSite(async (request) => {
    try {
      for await (const chunk of request.body ?? []) read += chunk.byteLength;
    } catch {
      return {
        response: new Response('too large', { status: 422 }),
        policy: null,
        error: undefined,
      };
    }
    return { response: new Response('taken'), policy: null, error: undefined };
  });
  try {
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    const body = Buffer.alloc(22 * megabyte);
    const answer = await site.send(path, { method: 'POST', headers: chunked, body });
    expect(answer.status).toBe(422);
    expect(read).toBeLessThan(21 * megabyte);
  } finally {
    await site.close();
  }
});

const patient = {
  headersTimeout: 3_600_000,
  keepAliveTimeout: 3_600_000,
  connectionsCheckingInterval: 20,
};
const formHead = (to: string) =>
  `POST ${to} HTTP/1.1\r\nhost: deals.test\r\nsec-fetch-site: same-origin\r\n` +
  'content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n';

test('R24: lets a steady upload take longer than other requests, and aborts a stalled one', async () => {
  const heard = new EventEmitter();
  const site = await startHttpSite(
    async (request) => {
      try {
        for await (const chunk of request.body ?? []) heard.emit('bytes', chunk);
      } catch {
        return { response: new Response('broke off', { status: 422 }), policy: null, error: null };
      }
      return { response: new Response('taken'), policy: null, error: null };
    },
    { times: { ...patient, requestTimeout: 200, uploadTimeout: 3_600_000 } },
  );
  try {
    const socket = connect(site.port, '127.0.0.1');
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    const closed = once(socket, 'close');
    socket.write(formHead(path));
    // Another form request, sent at the same time and never completed, measures the time.
    const clock = { isOver: false };
    const late = site.sendRaw(formHead('/contact')).finally(() => (clock.isOver = true));
    while (!clock.isOver) {
      socket.write('a');
      await once(heard, 'bytes');
    }
    expect(await late).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toBe('');
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  } finally {
    await site.close();
  }
});

test('R24: limits the total time of an upload', async () => {
  const site = await startHttpSite(
    async (request) => {
      await request.text();
      return { response: new Response('taken'), policy: null, error: null };
    },
    { times: { ...patient, headersTimeout: 50, requestTimeout: 50, uploadTimeout: 100 } },
  );
  try {
    expect(await site.sendRaw(formHead(path))).not.toContain('200');
  } finally {
    await site.close();
  }
});
