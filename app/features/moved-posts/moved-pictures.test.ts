import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { uploadSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import { safeFetch, type SafeFetchOptions } from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { type OldItem, oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { testServices } from '#test/services.ts';
import { fetchMovedPictures } from './fetch-moved-pictures-job.server.ts';
import { findMove } from './move-queries.server.ts';
import {
  countMovedPictures,
  findMovedPicture,
  listFailedPictures,
  retryPictures,
} from './moved-pictures.server.ts';
import { originalPicture } from './old-picture.ts';
import { runMoves, startMove, startUndo } from './run-move.server.ts';
import { stageMove } from './stage-move.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.example';
const uploads = `${oldSite}/wp-content/uploads/2024/03`;

// The old site, served by this server, whose pictures have public URLs.
let files: Record<string, Buffer | string | number | URL> = {};
let asked: string[] = [];
let open = 0;
let mostOpen = 0;
let onRequest = () => {};
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  mostOpen = Math.max(mostOpen, ++open);
  const file = files[request.url ?? ''];
  onRequest();
  setImmediate(() => {
    open--;
    if (file instanceof URL) response.writeHead(302, { location: file.href }).end();
    else if (typeof file === 'number') response.writeHead(file).end();
    else if (typeof file === 'string')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(file);
    else if (file) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(file);
    else response.writeHead(404).end();
  });
});
let local = '';
let dataDir = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  files = {};
  asked = [];
  mostOpen = 0;
  onRequest = () => {};
  dataDir = await mkdtemp(path.join(tmpdir(), 'moved-pictures-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const jpeg = (background: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .jpeg()
    .toBuffer();
const services = () =>
  testServices(database, { DATA_DIR: dataDir, PICTURE_STORE: 'folder', ORIGIN: origin });
/** Serves the old hosts from this server. Paths of http URLs begin with `/by-http` here. */
function fetchHere(address: string, options: SafeFetchOptions) {
  const here = address
    .replace(/^https:\/\/(?:old|cdn)\.example/, local)
    .replace('http://old.example', `${local}/by-http`);
  return safeFetch(here, { ...options, allowPrivate: here !== address });
}
const fetchAll = (signal?: AbortSignal) =>
  fetchMovedPictures(services(), { fetch: fetchHere, rest: 0, signal });

const moveIn = (...items: OldItem[]) => moveInFrom([], ...items);

async function moveInFrom(privateHosts: string[], ...items: OldItem[]) {
  const { db } = database;
  async function* bytes() {
    yield Buffer.from(wordpressExport(items));
  }
  const id = await stageMove(db, bytes(), {
    name: 'a.xml',
    actor: 'cli',
    origin,
    limits,
    privateHosts,
  });
  await startMove(db, id, origin);
  await runMoves(db);
  return id;
}
const posts = () =>
  ask(database.db).rows<{ slug: string; content: string; main: string | null; version: number }>`
    select slug, content, featured_image_url as main, version from blog_posts where not is_demo order by slug`;
const library = () =>
  ask(database.db).rows<{ name: string; alt: string; address: string }>`
    select name, alt, address from library_pictures order by name`;
const makeDue = () =>
  ask(database.db).rows`update post_move_pictures set due_at = now() where due_at is not null`;

test.each([
  [`${uploads}/a-300x200.jpg`, `${uploads}/a.jpg`],
  [`${uploads}/a-scaled.jpg?w=20#x`, `${uploads}/a.jpg`],
  [
    'https://i1.wp.com/old.example/wp-content/uploads/a-20x20.png?resize=3',
    `${oldSite}/wp-content/uploads/a.png`,
  ],
  ['https://cdn.example/a-300x200.jpg?v=2', 'https://cdn.example/a-300x200.jpg?v=2'],
  ['not an address', 'not an address'],
])('finds the original of %s', (address, original) => {
  expect(originalPicture(address)).toBe(original);
});

describe('the pictures of an import', () => {
  test('copies each picture once for all its sizes, with its description', async () => {
    files = {
      '/wp-content/uploads/2024/03/lamp-scaled.jpg': await jpeg('#a00'),
      '/wp-content/uploads/2024/03/logo-300x200.jpg': await jpeg('#0a0'),
      '/main.jpg?v=2': await jpeg('#00a'),
    };
    const id = await moveIn(
      {
        slug: 'lamps',
        content: `<p><a href="${uploads}/lamp.jpg"><img src="${uploads}/lamp-300x200.jpg" width="300" height="200"></a>
<img src="${uploads}/lamp-1024x768.jpg" alt="Mine"><img src="${uploads}/logo-300x200.jpg"></p>`,
        thumbnail: 90,
      },
      {
        type: 'page',
        slug: 'team',
        link: `${oldSite}/team/`,
        content: `<p><img src="/wp-content/uploads/2024/03/lamp-150x150.jpg"></p>`,
      },
      { id: 90, type: 'attachment', attachment: 'https://cdn.example/main.jpg?v=2' },
      { id: 91, type: 'attachment', attachment: `${uploads}/lamp-scaled.jpg`, alt: 'A "lamp"' },
      { id: 92, type: 'attachment', attachment: `${uploads}/logo-300x200.jpg` },
      { id: 93, type: 'attachment', attachment: `${uploads}/unused.jpg` },
    );
    expect(await countMovedPictures(database.db, id)).toEqual({
      total: 3,
      fetched: 0,
      failed: 0,
      waiting: 3,
      hosts: [
        { host: 'old.example', count: 2 },
        { host: 'cdn.example', count: 1 },
      ],
    });
    expect((await findMove(database.db, id))?.left_out).toEqual({ attachment: 1 });
    await fetchAll();
    const [lamp, logo, main] = await library();
    expect([lamp?.alt, logo?.name, main?.name]).toEqual([
      'A "lamp"',
      'logo-300x200.jpg',
      'main.jpg',
    ]);
    const [lamps] = await posts();
    expect(lamps?.main).toBe(main?.address);
    expect(lamps?.content).not.toContain('old.example');
    expect(lamps?.content).toContain(
      `<a href="${lamp?.address}"><img src="${lamp?.address}" width="300"`,
    );
    expect(lamps?.content).toContain('alt="A &quot;lamp&quot;"');
    expect(lamps?.content).toContain('alt="Mine"');
    expect(lamps?.content).toContain(`<img src="${logo?.address}"`);
    const page = await ask(database.db).value`select content from site_pages where slug = 'team'`;
    expect(page).toBe(`![A "lamp"](<${lamp?.address}>)`);
    expect(asked).toHaveLength(3);
    for (const size of ['lamp', 'lamp-scaled', 'lamp-50x50'])
      expect(await findMovedPicture(database.db, `/wp-content/uploads/2024/03/${size}.jpg`)).toBe(
        lamp?.address,
      );
    expect(await findMovedPicture(database.db, '/main.jpg')).toBeNull();
  });

  test('fetches at most two pictures at once from a host, and does not fetch them again for a later import', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `p${at}`);
    const same = await jpeg('#123');
    for (const [at, name] of names.entries())
      files[`/${name}.jpg`] = at < 2 ? same : await jpeg(`#00${at}`);
    const content = names.map((name) => `<img src="${oldSite}/${name}.jpg">`).join('');
    await moveIn({ slug: 'a', content: `<p>${content}</p>` });
    await fetchAll();
    expect(asked).toHaveLength(6);
    expect(mostOpen).toBeLessThanOrEqual(2);
    expect(await library()).toHaveLength(5);
    await moveIn({ slug: 'a', content }, { slug: 'b', content: `<p>${content}</p>`, guid: 'b' });
    await fetchAll();
    expect(asked).toHaveLength(6);
    const [first, second] = await posts();
    expect(second?.content).toBe(first?.content);
    expect(second?.content).not.toContain('old.example');
  });

  test('fetches the remaining pictures after an interruption', async () => {
    for (let at = 0; at < 6; at++) files[`/p${at}.jpg`] = await jpeg(`#0${at}0`);
    const images = Object.keys(files).map((name) => `<img src="${oldSite}${name}">`);
    const id = await moveIn({ slug: 'a', content: `<p>${images.join('')}</p>` });
    const stop = new AbortController();
    onRequest = () => stop.abort();
    await fetchAll(stop.signal);
    expect((await countMovedPictures(database.db, id)).waiting).toBeGreaterThan(0);
    await makeDue();
    await Promise.all([fetchAll(), fetchAll()]);
    expect(await countMovedPictures(database.db, id)).toMatchObject({ fetched: 6, failed: 0 });
    expect((await posts())[0]?.content).not.toContain('old.example');
  });

  test('keeps the URL of a picture that cannot be fetched, and shows the reason, until staff try again', async () => {
    files = {
      '/by-http/plain.jpg': await jpeg('#abc'),
      '/page.jpg': '<html>Sign in</html>',
      '/bad.jpg': Buffer.from('no picture'),
    };
    const content = `<p><img src="${oldSite}/gone.jpg"><img src="http://old.example/old.jpg"><img src="http://old.example/plain.jpg"><img src="${oldSite}/page.jpg">
<img src="${oldSite}/bad.jpg"><img src="https://10.0.0.1/inside.jpg"></p>`;
    const id = await moveIn({ slug: 'a', title: 'Lamps', content });
    await fetchAll();
    const failed = await listFailedPictures(database.db, id, 10);
    const reasons = Object.fromEntries(
      failed.map(({ address, reason }) => [address.replace(/.*\//, ''), reason]),
    );
    expect(reasons).toMatchObject({
      'gone.jpg': expect.stringContaining('404'),
      'page.jpg': 'the address points to a page, not a picture',
      'bad.jpg': expect.stringContaining('Use JPEG'),
      'old.jpg': expect.stringContaining('404'),
      'inside.jpg': expect.stringContaining('10.0.0.1'),
    });
    expect(failed.map(({ title, is_http: isHttp }) => [title, isHttp])).toEqual([
      ['Lamps', false],
      ['Lamps', true],
      ['Lamps', false],
      ['Lamps', false],
      ['Lamps', false],
    ]);
    expect((await posts())[0]?.content).toContain('src="https://old.example/old.jpg"');
    expect((await library()).map(({ name }) => name)).toEqual(['plain.jpg']);
    files['/gone.jpg'] = await jpeg('#fff');
    expect(await retryPictures(database.db, id)).toBe(5);
    await fetchAll();
    expect(await countMovedPictures(database.db, id)).toMatchObject({ fetched: 2, failed: 4 });
    expect((await posts())[0]?.content).not.toContain('gone.jpg');
  });

  test('copies pictures from a private host that the owner allows, and from no other', async () => {
    const inside = createServer((request, response) => {
      asked.push(`inside${request.url}`);
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end('secret');
    });
    inside.listen(0, '127.0.0.1');
    await once(inside, 'listening');
    onTestFinished(() => void inside.close());
    const other = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
    files = {
      '/a.jpg': await jpeg('#a00'),
      '/main.png': await jpeg('#0a0'),
      '/port.jpg': new URL(`${other}/b.jpg`),
      '/host.jpg': new URL(`${other.replace('127.0.0.1', 'localhost')}/c.jpg`),
    };
    const names = ['a.jpg', 'port.jpg', 'host.jpg'];
    const content = [...names.map((name) => `${local}/${name}`), `${other}/d.jpg`]
      .map((address) => `<img src="${address}">`)
      .join('');
    const items = [
      {
        content: `<p>${content}<img src="${other.replace('http:', 'https:')}/e.jpg"></p>`,
        thumbnail: 90,
      },
      { id: 90, type: 'attachment', attachment: `${local}/main.png` },
    ];
    const host = new URL(local).host;
    const id = await moveInFrom([host], ...items);
    const allowing = testServices(database, {
      DATA_DIR: dataDir,
      PICTURE_STORE: 'folder',
      ORIGIN: origin,
      FEED_PRIVATE_HOSTS: host,
    });
    await fetchMovedPictures(allowing, { rest: 0 });
    expect((await library()).map(({ name }) => name)).toEqual(['a.jpg', 'main.png']);
    const [post] = await posts();
    expect(post?.main).toMatch(/^\/media\//);
    expect(post?.content).not.toContain(`${host}/a.jpg`);
    const failed = await listFailedPictures(database.db, id, 10);
    expect(failed.map(({ address, reason }) => [new URL(address).pathname, reason])).toEqual([
      ['/port.jpg', `${new URL(other).host} is not an allowed host`],
      ['/host.jpg', expect.stringMatching(/^localhost:\d+ is not an allowed host$/)],
      ['/e.jpg', expect.stringContaining('is not allowed, only 80 and 443')],
    ]);
    const notes = await ask(database.db).value`
      select notes::text from post_move_items where move_id = ${id} and kind = 'post'`;
    expect(notes).toContain('Left out 1 picture without a web address');
    expect(asked.filter((asking) => asking.startsWith('inside'))).toEqual([]);
  });

  test('pauses requests to a busy host, and stops after three attempts', async () => {
    files = { '/a.jpg': 503 };
    const content = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (name) => `<img src="${oldSite}/${name}.jpg">`,
    );
    const id = await moveIn({ slug: 'a', content: `<p>${content.join('')}</p>` });
    files = Object.fromEntries('abcdef'.split('').map((name) => [`/${name}.jpg`, 503]));
    await fetchAll();
    expect(asked).toHaveLength(4);
    for (let attempt = 0; attempt < 2; attempt++) {
      await makeDue();
      await fetchAll();
    }
    expect(asked).toHaveLength(12);
    expect(await countMovedPictures(database.db, id)).toMatchObject({ failed: 6, waiting: 0 });
  });
});

describe('the undo of an import', () => {
  test('removes pictures that nothing else shows when their import is undone', async () => {
    files = { '/a.jpg': await jpeg('#a00'), '/b.jpg': await jpeg('#0b0') };
    const id = await moveIn(
      { slug: 'a', content: `<p><img src="${oldSite}/a.jpg"></p>` },
      { slug: 'b', content: `<p><img src="${oldSite}/b.jpg"></p>`, guid: 'b' },
    );
    await fetchAll();
    expect((await posts()).map(({ version }) => version)).toEqual([2, 2]);
    await ask(database.db).rows`
      update blog_posts set title = 'Changed', version = version + 1 where slug = 'b'`;
    expect(await startUndo(database.db, id, 'cli')).toBe(true);
    await runMoves(database.db);
    expect((await posts()).map(({ slug }) => slug)).toEqual(['b']);
    expect((await library()).map(({ name }) => name)).toEqual(['b.jpg']);
    expect(await findMovedPicture(database.db, '/a.jpg')).toBeNull();
  });

  test('fetches no more pictures once the import is undone', async () => {
    files = { '/a.jpg': await jpeg('#a00') };
    const id = await moveIn({ slug: 'a', content: `<p><img src="${oldSite}/a.jpg"></p>` });
    await startUndo(database.db, id, 'cli');
    await fetchAll();
    await runMoves(database.db);
    await fetchAll();
    expect([asked, await library()]).toEqual([[], []]);
  });
});
