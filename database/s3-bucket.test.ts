import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startS3Server } from '#test/s3-server.ts';
import { openBucket } from './s3-bucket.ts';

let server: Awaited<ReturnType<typeof startS3Server>>;
let folder = '';
beforeEach(async () => {
  server = await startS3Server();
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-bucket-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

it('uploads a file to a bucket in several parts, and downloads the same bytes', async () => {
  const bucket = openBucket(server.place);
  const [file, back] = [path.join(folder, 'file'), path.join(folder, 'back')];
  const content = randomBytes(33 * 2 ** 20);
  await writeFile(file, content);
  await bucket.upload('backups/one', file);
  expect(await bucket.find('backups/one')).toMatchObject({ bytes: content.length });
  await bucket.download('backups/one', back);
  expect((await readFile(back)).equals(content)).toBe(true);
});

it('lists the keys in a bucket by prefix', async () => {
  const bucket = openBucket(server.place);
  for (const key of ['a/2', 'a/1', 'b/other']) await bucket.put(key, Buffer.from(key));
  expect((await bucket.list('a/')).map(({ key }) => key)).toEqual(['a/1', 'a/2']);
  expect(await bucket.list('b/')).toEqual([{ key: 'b/other', bytes: 7 }]);
  expect(await bucket.list('c/')).toEqual([]);
});

// Uses fake responses, because the test server cannot create continuation tokens with current
// OpenSSL versions.
it('lists all keys when they take more than one page', async () => {
  const asked: (string | null)[] = [];
  const bucket = await bucketThatAnswers((url) => {
    const token = url.searchParams.get('continuation-token');
    asked.push(token);
    const [key, next] = token === null ? ['a/1', 'a+b/c='] : ['a/2', null];
    const more = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    return { text: `<R><Contents><Key>${key}</Key><Size>5</Size></Contents>${more}</R>` };
  });
  expect((await bucket.list('a/')).map(({ key }) => key)).toEqual(['a/1', 'a/2']);
  expect(asked).toEqual([null, 'a+b/c=']);
});

it('reports the storage service’s own message when a request fails', async () => {
  const stranger = openBucket({ ...server.place, secretAccessKey: 'wrong' });
  await expect(stranger.put('a', Buffer.from('x'))).rejects.toThrow(
    'S3 answered 403 (SignatureDoesNotMatch) to PUT /a.',
  );
  await expect(stranger.find('a')).rejects.toThrow('S3 answered 403');
  const lost = openBucket({ ...server.place, bucket: 'nobody' });
  await expect(lost.list('')).rejects.toThrow('NoSuchBucket');
  await expect(buffer(openBucket(server.place).read('none'))).rejects.toThrow('NoSuchKey');
  await expect(openBucket(server.place).upload('x', path.join(folder, 'none'))).rejects.toThrow(
    'ENOENT',
  );
});

it('retries when the storage service is overloaded', async () => {
  let asked = 0;
  const bucket = await bucketThatAnswers(() => ({ status: (asked += 1) < 3 ? 503 : 200 }));
  await bucket.put('a', randomBytes(9));
  expect(asked).toBe(3);
});

async function bucketThatAnswers(answer: (url: URL) => { status?: number; text?: string }) {
  const stub = createServer((request, response) => {
    const { status = 200, text = '' } = answer(new URL(request.url ?? '', 'http://x'));
    response.writeHead(status).end(text);
  });
  stub.listen(0, '127.0.0.1');
  await once(stub, 'listening');
  onTestFinished(() => {
    stub.closeAllConnections();
    stub.close();
  });
  const { port } = stub.address() as AddressInfo;
  return openBucket({ ...server.place, endpoint: `http://127.0.0.1:${port}` });
}
