import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  type FileServerStandIn,
  makeCertificate,
  makeKeys,
  startFtp,
  startSftp,
} from '#test/file-servers.ts';
import { fetchSource, type FetchOptions } from './fetch-source.server.ts';
import { requireProgress } from './require-progress.ts';

const secret = 'correct horse';
const served = {
  user: 'shop',
  password: secret,
  files: new Map([['/out/feed.csv', Buffer.from('id,title\n1,Cup\n'.repeat(50_000))]]),
};
const closings: (() => Promise<unknown>)[] = [];
let folder = '';
let ftp: FileServerStandIn;
let sftp: FileServerStandIn;
let ftps: FileServerStandIn;
let certificate: Awaited<ReturnType<typeof makeCertificate>>;
const authorities = getCACertificates();
/** Trusts these certificates in addition to the usual authorities. */
const trust = (...added: string[]) => setDefaultCACertificates([...authorities, ...added]);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'file-servers-'));
  ftp = await startFtp(served);
  sftp = await startSftp(served, makeKeys().private);
  certificate = await makeCertificate(folder);
  ftps = await startFtp(served, certificate);
  closings.push(
    () => ftps.close(),
    () => ftp.close(),
    () => sftp.close(),
  );
});
afterAll(async () => {
  trust();
  await Promise.all(closings.map((close) => close()));
  await rm(folder, { recursive: true, force: true });
});

const signIn = { user: 'shop', kind: 'password', secret } as const;
const source = (location: string, more: { etag?: string; host_key?: string } = {}) => ({
  kind: 'url' as const,
  location,
  etag: more.etag ?? null,
  last_modified: null,
  host_key: more.host_key ?? null,
});
const options = (more: Partial<FetchOptions> = {}): FetchOptions => ({
  dataDir: folder,
  now: new Date(),
  allowPrivate: true,
  signIn,
  ...more,
});
const addressOf = {
  ftp: () => `ftp://127.0.0.1:${ftp.port}`,
  sftp: () => `sftp://127.0.0.1:${sftp.port}`,
};

describe.each(['ftp', 'sftp'] as const)('a feed by %s', (scheme) => {
  const at = (file: string) => `${addressOf[scheme]()}${file}`;

  test('stores a complete feed, and does not fetch it again while it is unchanged', async () => {
    const fetched = await fetchSource(source(at('/out/feed.csv')), options());
    expect(await readFile(fetched?.path ?? '')).toEqual(served.files.get('/out/feed.csv'));
    const { etag } = fetched?.marks ?? {};
    const again = source(at('/out/feed.csv'), {
      etag: etag ?? '',
      ...(fetched?.hostKey && { host_key: fetched.hostKey }),
    });
    expect(await fetchSource(again, options())).toBeNull();
    expect(await fetchSource(again, options({ isForced: true }))).not.toBeNull();
  });

  test('stores only the beginning of a feed for a preview', async () => {
    const fetched = await fetchSource(source(at('/out/feed.csv')), options({ cutAt: 100_000 }));
    expect(fetched?.isCut).toBe(true);
    const stored = await readFile(fetched?.path ?? '');
    expect(stored.length).toBeGreaterThanOrEqual(100_000);
    expect(stored.length).toBeLessThan(served.files.get('/out/feed.csv')?.length ?? 0);
  });

  test.each([
    [
      'a wrong password',
      { signIn: { ...signIn, secret: 'wrong horse' } },
      '/out/feed.csv',
      /refused the user name/,
    ],
    [
      'another user',
      { signIn: { ...signIn, user: 'x' } },
      '/out/feed.csv',
      /refused the user name/,
    ],
    ['a missing file', {}, '/out/none.csv', /the server has no file \/out\/none.csv/],
    [
      'a private address',
      { allowPrivate: false },
      '/out/feed.csv',
      /not an address of the public internet/,
    ],
  ])(
    'explains a failed fetch without revealing the secret: %s',
    async (_what, more, file, words) => {
      const error = await fetchSource(source(at(file)), options(more)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: 'FeedError', message: expect.stringMatching(words) });
      expect(String(error)).not.toMatch(/horse/);
    },
  );
});

describe('a feed by FTPS', () => {
  const location = () => `ftps://localhost:${ftps.port}/out/feed.csv`;

  test('fetches a feed over encrypted connections when the certificate is valid', async () => {
    trust(certificate.cert);
    const fetched = await fetchSource(source(location()), options());
    expect(await readFile(fetched?.path ?? '')).toEqual(served.files.get('/out/feed.csv'));
    const wrong = { signIn: { ...signIn, secret: 'wrong horse' } };
    await expect(fetchSource(source(location()), options(wrong))).rejects.toThrow(
      'refused the user name or password',
    );
  });

  test('sends no password if no authority has signed the certificate', async () => {
    trust();
    const fetching = fetchSource(source(location()), options());
    await expect(fetching).rejects.toThrow('the certificate of localhost is not valid');
  });

  test('sends no password if the certificate is for another name', async () => {
    trust(certificate.cert);
    const other = location().replace('localhost', '127.0.0.1');
    await expect(fetchSource(source(other), options())).rejects.toThrow(
      'the certificate of 127.0.0.1 is not valid',
    );
  });

  test('sends no password if the connection is not encrypted', async () => {
    const plain = `ftps://127.0.0.1:${ftp.port}/out/feed.csv`;
    await expect(fetchSource(source(plain), options())).rejects.toThrow('cannot be reached by FTP');
  });
});

describe('the key of an SFTP server', () => {
  test('pins the key of an SFTP server at the first connection, and rejects a different one', async () => {
    const keys = [makeKeys(), makeKeys()];
    const first = await startSftp(served, keys[0]?.private ?? '');
    closings.push(() => first.close());
    const one = `sftp://127.0.0.1:${first.port}/out/feed.csv`;
    const fetched = await fetchSource(source(one), options());
    expect(fetched?.hostKey).toMatch(/^SHA256:[\w+/]{43}$/);
    const pinned = { host_key: fetched?.hostKey ?? '' };
    expect(await fetchSource(source(one, pinned), options())).not.toBeNull();

    const other = await startSftp(served, keys[1]?.private ?? '');
    closings.push(() => other.close());
    await expect(
      fetchSource(source(`sftp://127.0.0.1:${other.port}/out/feed.csv`, pinned), options()),
    ).rejects.toThrow(
      /the key of 127.0.0.1 has changed from SHA256:\S+ to SHA256:\S+; if its operator confirms/,
    );
  });

  test('signs in to an SFTP server with a private key instead of a password', async () => {
    const client = makeKeys();
    const server = await startSftp({ ...served, clientKey: client.public }, makeKeys().private);
    closings.push(() => server.close());
    const location = `sftp://127.0.0.1:${server.port}/out/feed.csv`;
    const kind = 'private_key' as const;
    const fetched = await fetchSource(
      source(location),
      options({ signIn: { user: 'shop', kind, secret: client.private } }),
    );
    expect(fetched?.copy).not.toBeNull();
    await expect(
      fetchSource(
        source(location),
        options({ signIn: { user: 'shop', kind, secret: makeKeys().private } }),
      ),
    ).rejects.toThrow('refused the user name, password or key');
  });
});

describe('a feed over https that requires credentials', () => {
  test.each([
    [
      'a user name and password',
      signIn,
      `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}`,
    ],
    ['a bearer token', { user: null, kind: 'token', secret: 'abc' } as const, 'Bearer abc'],
  ])(
    'sends %s with a feed’s request, but not to another host after a redirect',
    async (_what, given, header) => {
      const heard: (string | undefined)[] = [];
      const serve = async (answer: (authorization: string | undefined) => [number, string]) => {
        const server = createServer((request, response) => {
          const [status, location] = answer(request.headers.authorization);
          response.writeHead(status, { location }).end('id\n1\n');
        });
        await new Promise<void>((resolve) => {
          server.listen(0, '127.0.0.1', resolve);
        });
        closings.push(() => new Promise((resolve) => server.close(resolve)));
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      };
      const elsewhere = await serve((authorization) => {
        heard.push(authorization);
        return [200, ''];
      });
      const shop = await serve((authorization) =>
        authorization === header ? [302, elsewhere] : [401, ''],
      );
      await fetchSource(source(shop), options({ signIn: given }));
      expect(heard).toEqual([undefined]);
      await expect(fetchSource(source(shop), options({ signIn: null }))).rejects.toThrow(
        'responded with status 401: check the user name, password or token',
      );
    },
  );
});

describe('a download', () => {
  test('aborts a download without progress, and lets a slow one finish', async () => {
    const timers: NodeJS.Timeout[] = [];
    const drip = (bytes: number) => {
      const stream = new PassThrough();
      let left = 6;
      const timer = setInterval(() => {
        if (left-- > 0) stream.write(Buffer.alloc(bytes));
        else stream.end();
      }, 60);
      timers.push(timer);
      return stream;
    };
    const read = (stream: PassThrough) =>
      Array.fromAsync(requireProgress(stream, () => stream.destroy(), limits));
    const limits = { bytes: 1_024, everyMs: 100 };
    await expect(read(drip(10))).rejects.toThrow(
      'the feed arrives too slowly: less than 1 KB in 0.1 seconds',
    );
    expect(await read(drip(4_096))).toHaveLength(6);
    for (const timer of timers) clearInterval(timer);
  });
});
