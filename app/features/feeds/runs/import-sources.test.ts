import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { makeKeys, startSftp } from '#test/file-servers.ts';
import { makeZip } from '#server/extension/make-zip.ts';
import { testServices } from '#test/services.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { thingsFeed } from '#test/things-feed.ts';
import { feedSourceInput } from '../sources/feed-source-input.ts';
import { findFeedSource, updateSource } from '../sources/feed-source-queries.server.ts';
import { mustTypeAgain } from '../sources/feed-sign-in.server.ts';
import { estimateDisk, refuseFullDisk } from '../sources/disk-space.server.ts';
import { saveFeedSource } from '../sources/save-feed-source.server.ts';
import { importFeed } from './import-feed.server.ts';
import { noteLostImport, runQueuedImports } from './run-queued-imports-job.server.ts';
import { queueDueImports, queueImport } from './queue-import.server.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-sources-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => insertMerchant(database.db, { name: 'Shop' }));

const csv = (ids: string[], delimiter = ',') =>
  ['id,title,link,price', ...ids.map((id) => `${id},Thing ${id},https://shop.example/${id},9.99`)]
    .join('\n')
    .replaceAll(',', delimiter);
const xml = (id: string) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>${id}</g:id><title>Thing ${id}</title><link>https://shop.example/${id}</link><g:price>9.99 USD</g:price></item></channel></rss>`;

const form = (fields: Record<string, string>) =>
  feedSourceInput.parse({
    merchant: 'Shop',
    name: 'Feed',
    kind: 'url',
    is_active: 'on',
    ...fields,
  });
const services = () => testServices(database, { DATA_DIR: folder, DATABASE_URL: database.url });
const work = () => runQueuedImports(services(), undefined, { allowPrivate: true });
const titles = async () =>
  (await database.db.selectFrom('deals').select('title').orderBy('id').execute()).map(
    ({ title }) => title,
  );

async function importZip(files: Parameters<typeof makeZip>[0]) {
  const file = path.join(folder, 'feeds.zip');
  await writeFile(file, makeZip(files));
  return importFeed(database.db, { file }, { merchant: 'Shop' });
}

describe('a ZIP archive', () => {
  test('imports all files of a ZIP archive by name, each with its own shape', async () => {
    const report = await importZip([
      { name: 'b/second.xml', content: xml('x1') },
      { name: 'a.csv', content: csv(['c1', 'c2']) },
      { name: 'empty.csv', content: '' },
      { name: '__MACOSX/a.csv', content: 'junk' },
      { name: 'z.txt', content: csv(['t1'], '\t') },
    ]);
    expect(report).toMatchObject({ state: 'done', counts: { read: 4, new: 4, rejected: 0 } });
    expect(await titles()).toEqual(['Thing c1', 'Thing c2', 'Thing x1', 'Thing t1']);
  });

  test('changes nothing and names the file if a file in an archive is not a feed', async () => {
    const report = await importZip([
      { name: 'a.csv', content: csv(['c1']) },
      { name: 'readme.txt', content: 'hello' },
    ]);
    expect(report.state).toBe('failed');
    expect(report.error).toMatch(/^readme.txt: the format is unknown/);
    expect(await titles()).toEqual([]);
  });

  test.each([
    [
      'with a password',
      [{ name: 'a.csv', content: csv(['1']), isEncrypted: true }],
      'the file a.csv in the archive has a password',
    ],
    [
      'that unpacks to far more',
      [{ name: 'a.csv', content: Buffer.alloc(5_000_000) }],
      'the feed unpacks to more than 100 times its size, as an attack would',
    ],
    [
      'that lies about its size',
      [{ name: 'a.csv', content: csv(['1', '2']), toldSize: 40 }],
      'the ZIP archive is damaged or cut off',
    ],
    ['without files', [], 'the archive contains no file'],
  ])('rejects a ZIP archive %s', async (_what, files, words) => {
    const report = await importZip(files);
    expect(report.state).toBe('failed');
    expect(report.error).toMatch(words);
    expect(await titles()).toEqual([]);
  });
});

describe('the sign-in of a source', () => {
  test('encrypts a source’s sign-in, keeps it when its fields are blank, and uses it on schedule', async () => {
    const heard: (string | undefined)[] = [];
    const shop = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.end(csv(['1']));
    });
    await new Promise<void>((resolve) => {
      shop.listen(0, '127.0.0.1', resolve);
    });
    const location = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/feed`;
    const token = 'a-token-of-the-shop';
    const id = (await saveFeedSource(database.db, 'u1', form({ location, token }))) ?? 0;
    await saveFeedSource(database.db, 'u1', form({ location, schedule_minutes: '60' }), id);
    const stored = await findFeedSource(database.db, id);
    expect(stored).toMatchObject({ secret_kind: 'token', user_name: null });
    expect(stored?.sealed_secret?.includes(token)).toBe(false);
    await sql`update feed_sources set next_run_at = now()`.execute(database.db);
    await queueDueImports(database.db);
    expect(await work()).toMatchObject([{ state: 'done' }]);
    expect(heard).toEqual([`Bearer ${token}`]);
    const rows = await sql<{ text: string }>`
      select to_jsonb(r)::text as text from import_runs r
      union all select to_jsonb(a)::text from audit_log a`.execute(database.db);
    expect(JSON.stringify(rows.rows)).not.toContain(token);
    shop.close();

    const elsewhere = form({ location: 'https://other.example/feed' });
    if (!stored) throw new Error('no source');
    expect(mustTypeAgain(stored, elsewhere)).toBe(true);
    expect(mustTypeAgain(stored, form({ location }))).toBe(false);
    await saveFeedSource(database.db, 'u1', elsewhere, id);
    expect(await findFeedSource(database.db, id)).toMatchObject({
      secret_kind: null,
      sealed_secret: null,
    });
  });

  test.each([
    [{ location: 'sftp://h.example/a.csv', token: 'x' }, 'token'],
    [
      {
        location: 'https://h.example/a.csv',
        private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nx',
      },
      'private_key',
    ],
    [{ location: 'sftp://h.example/a.csv', user_name: 'u', private_key: 'x' }, 'private_key'],
    [{ location: 'https://h.example/a.csv', password: 'x' }, 'user_name'],
    [{ location: 'https://h.example/a.csv', user_name: 'u', password: 'x', token: 'y' }, 'token'],
    [{ location: 'sftp://u:p@h.example/a.csv' }, 'location'],
    [{ location: 'ftp://h.example/folder/' }, 'location'],
    [{ location: 'gopher://h.example/a' }, 'location'],
  ])('rejects a source’s credentials next to the field: %j', (fields, field) => {
    const input = { merchant: 'Shop', name: 'Feed', kind: 'url', ...fields };
    const issues = feedSourceInput.safeParse(input).error?.issues ?? [];
    expect(issues.map(({ path: at }) => at.join('.'))).toEqual([field]);
  });

  test('pins the key of an SFTP server at the first run', async () => {
    const files = new Map([['/feeds.zip', makeZip([{ name: 'a.csv', content: csv(['1']) }])]]);
    const server = await startSftp({ user: 'shop', password: 'pass', files }, makeKeys().private);
    const location = `sftp://127.0.0.1:${server.port}/feeds.zip`;
    const input = form({ location, user_name: 'shop', password: 'pass' });
    const id = (await saveFeedSource(database.db, 'u1', input)) ?? 0;
    await queueImport(database.db, { sourceId: id, actor: 'u1' });
    expect(await work()).toMatchObject([{ state: 'done', counts: { new: 1 } }]);
    const pinned = await findFeedSource(database.db, id);
    expect(pinned?.host_key).toMatch(/^SHA256:/);
    await updateSource(database.db, id, { host_key: 'SHA256:other' });
    await queueImport(database.db, { sourceId: id, actor: 'u1' });
    const [refused] = await work();
    expect(refused?.error).toMatch(/^the key of 127\.0\.0\.1 has changed from SHA256:other to/);
    await saveFeedSource(
      database.db,
      'u1',
      form({ location, user_name: 'shop', forgets_host_key: 'on' }),
      id,
    );
    await queueImport(database.db, { sourceId: id, actor: 'u1' });
    expect(await work()).toMatchObject([{ state: 'done', counts: { unchanged: 1 } }]);
    await server.close();
  });
});

describe('a source with a schedule', () => {
  const scheduled = async () =>
    (await saveFeedSource(
      database.db,
      'u1',
      form({ location: 'https://h.example/a.csv', schedule_minutes: '1440' }),
    )) ?? 0;
  const isDue = async () => {
    const { rows } = await sql<{ due: boolean }>`
      select next_run_at <= now() as due from feed_sources`.execute(database.db);
    return rows[0]?.due ?? false;
  };
  const die = async (id: number, trouble: 'died' | 'memory') => {
    await queueImport(database.db, { sourceId: id, actor: 'system' });
    await sql`update feed_sources set next_run_at = now() + interval '1 day'`.execute(database.db);
    await sql`update import_runs set state = 'running' where state = 'queued'`.execute(database.db);
    await noteLostImport(services(), trouble);
  };

  test('reruns a scheduled source at once after its run was killed, but only twice', async () => {
    const id = await scheduled();
    const due: boolean[] = [];
    for (let n = 0; n < 3; n++) {
      await die(id, 'died');
      due.push(await isDue());
    }
    expect(due).toEqual([true, true, false]);
  });

  test('delays a scheduled source until its next time if its feed exhausted the memory', async () => {
    await die(await scheduled(), 'memory');
    expect(await isDue()).toBe(false);
  });

  test('accepts more than 50,000 rows from a scheduled source, unlike an upload', async () => {
    const shop = createServer((_request, response) => response.end(thingsFeed(50_010)));
    await new Promise<void>((resolve) => {
      shop.listen(0, '127.0.0.1', resolve);
    });
    const location = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/feed.csv`;
    const id = (await saveFeedSource(database.db, 'u1', form({ location }))) ?? 0;
    await queueImport(database.db, { sourceId: id, actor: 'u1', isDryRun: true });
    expect(await work()).toMatchObject([{ state: 'done', counts: { read: 50_010 } }]);
    shop.close();
  });
});

describe('the disk space of a run', () => {
  test('estimates a run’s disk space from the unpacked size, and names both numbers if there is too little', async () => {
    const file = path.join(folder, 'big.zip');
    await writeFile(file, makeZip([{ name: 'a.csv', content: thingsFeed(1_000) }]));
    const env = { dataDir: folder, databaseUrl: null };
    const { needed, free } = await estimateDisk(env, file);
    expect(needed).toBeGreaterThan(thingsFeed(1_000).length);
    expect(free).toBeGreaterThan(0);
    await refuseFullDisk(env, file);
    const huge = path.join(folder, 'huge.csv');
    await writeFile(huge, '');
    await truncate(huge, free);
    await expect(refuseFullDisk(env, huge)).rejects.toThrow(
      /the import needs about [\d.]+ (GB|MB) of disk space, and the server has [\d.]+ (GB|MB) free/,
    );
  });
});
