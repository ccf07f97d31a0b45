import { once } from 'node:events';
import { mkdtemp, readdir, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { safeFetch, type SafeFetchOptions } from '#app/platform/safe-fetch.server.ts';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { fetchPictures } from './fetch-pictures-job.server.ts';
import { filesOf } from './picture-files.ts';
import { tidyPictures } from './tidy-pictures-job.server.ts';
import { writeShown } from './note-shown-pictures.server.ts';

const database = useTestDatabase();

// A response of the shop, which runs on this server but whose pictures have public URLs.
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
const shop = 'https://pictures.shop.net';
let answers: Record<string, Answer> = {};
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers[request.url ?? ''];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
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
  answers = {};
  asked = [];
  dataDir = await mkdtemp(path.join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const picture = (background = '#357', width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
const sends =
  (content: Buffer): Answer =>
  (_request, response) =>
    response.end(content);

const services = (env: Record<string, string> = {}) =>
  testServices(database, { DATA_DIR: dataDir, PICTURE_STORE: 'folder', ...env });
const fetchHere = (address: string, options: SafeFetchOptions) =>
  safeFetch(address.replace(shop, local), { ...options, allowPrivate: true });
const work = (env: Record<string, string> = {}) =>
  fetchPictures(services(env), { fetch: fetchHere, rest: 0, random: () => 0.5 });
const tidy = () => tidyPictures(services());

async function aShop(values: { keeps_pictures?: boolean } = {}) {
  const { db } = database;
  const category_id = (await insertCategory(db)).id;
  const merchant_id = (await insertMerchant(db, values)).id;
  const deal = async (file: string, more: Partial<NewDeal> = {}) =>
    (await insertDeal(db, { category_id, merchant_id, image_url: `${shop}${file}`, ...more })).id;
  const show = (...files: string[]) =>
    writeShown(db, new Map(files.map((file) => [`${shop}${file}`, merchant_id])));
  return { merchant_id, deal, show };
}

const read = () => database.db.selectFrom('pictures').selectAll().orderBy('source').execute();
const readOne = async () => {
  const [row] = await read();
  if (!row) throw new Error('There is no picture.');
  return row;
};
const countBytes = async () =>
  (
    await database.db
      .selectFrom('site_counters')
      .select('value')
      .where('name', '=', 'picture_bytes')
      .executeTakeFirstOrThrow()
  ).value;
const filesThere = async () =>
  (await readdir(path.join(dataDir, 'media'), { recursive: true }).catch(() => []))
    .filter((name) => /\.\w+$/.test(name))
    .toSorted();
const makeDue = () => sql`update pictures set due_at = now()`.execute(database.db);
const shownDaysAgo = (file: string, days: number) =>
  sql`update pictures set shown_on = (now() at time zone 'utc')::date - ${days}::int where source = ${`${shop}${file}`}`.execute(
    database.db,
  );

describe('a shown picture', () => {
  test('fetches a picture once, no matter how many deals show it, and uses the copy on pages', async () => {
    const { deal, show } = await aShop();
    const ids = [await deal('/lamp.jpg'), await deal('/lamp.jpg'), await deal('/lamp.jpg')];
    answers['/lamp.jpg'] = sends(await picture());
    const [id = 0] = ids;
    expect(await findDealById(database.db, id)).toMatchObject({
      picture: `${shop}/lamp.jpg`,
      isPictureNews: true,
    });
    await show('/lamp.jpg');
    await show('/lamp.jpg');
    expect(await findDealById(database.db, id)).toMatchObject({
      picture: `${shop}/lamp.jpg`,
      isPictureNews: false,
    });
    await work();
    await work();
    expect(asked).toEqual(['/lamp.jpg']);
    const { name, bytes, due_at, is_refused } = await readOne();
    expect({ due_at, is_refused }).toEqual({ due_at: null, is_refused: false });
    expect(await filesThere()).toEqual(filesOf(name ?? '').toSorted());
    expect(await countBytes()).toBe(bytes);
    for (const one of ids) {
      const shown = await findDealById(database.db, one);
      expect(shown).toMatchObject({ picture: `/media/${name}.avif`, isPictureNews: false });
      expect(shown?.image_url).toBe(`${shop}/lamp.jpg`);
    }
  });

  // Proves R29: pictures are fetched by the rules for addresses that others typed (fetch-pictures-job.server.ts)
  test('fetches a picture from its own address, under the rules for untrusted addresses', async () => {
    const { db } = database;
    const { id } = await insertMerchant(db);
    await writeShown(db, new Map([[`${local}/lamp.jpg`, id]]));
    await fetchPictures(services(), { rest: 0 });
    expect(asked).toEqual([]);
    expect(await readOne()).toMatchObject({ name: null, attempts: 1 });
    expect((await readOne()).last_error).toMatch(/^port \d+ is not allowed/);
  });

  test('lets only one of many servers fetch a picture, and another one after a crash', async () => {
    const { show } = await aShop();
    const files = Array.from({ length: 12 }, (_, at) => `/${at}.jpg`);
    for (const file of files) answers[file] = sends(await picture('#357', 300, 200));
    await show(...files);
    await Promise.all([work(), work(), work()]);
    expect(asked.toSorted()).toEqual(files.toSorted());
    expect((await read()).every(({ name }) => name !== null)).toBe(true);

    await show('/late.jpg');
    answers['/late.jpg'] = sends(await picture());
    // A process was killed after it took a picture and wrote a file.
    await sql`update pictures set attempts = 1, due_at = now() + interval '5 minutes' where name is null`.execute(
      database.db,
    );
    await work();
    expect(asked).not.toContain('/late.jpg');
    await sql`update pictures set due_at = now() where name is null`.execute(database.db);
    await work();
    expect(asked).toContain('/late.jpg');
    expect((await read()).every(({ name }) => name !== null)).toBe(true);
  });

  test('lets only the worker that took over from another record the picture', async () => {
    const { show } = await aShop();
    const content = await picture();
    answers['/lamp.jpg'] = async (_request, response) => {
      await sql`update pictures set attempts = attempts + 1`.execute(database.db);
      response.end(content);
    };
    await show('/lamp.jpg');
    await work();
    expect(await readOne()).toMatchObject({ name: null, attempts: 2 });
  });
});

describe('a picture that cannot be fetched', () => {
  test('retries a failed picture at growing intervals, then stops and links to the store’s picture', async () => {
    const { deal, show } = await aShop();
    const id = await deal('/gone.jpg');
    await show('/gone.jpg');
    const pauses: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      await work();
      const { due_at } = await readOne();
      if (due_at) pauses.push(Math.round((due_at.getTime() - Date.now()) / 60_000));
      await sql`update pictures set due_at = now() where due_at is not null`.execute(database.db);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80]);
    expect(asked).toHaveLength(6);
    expect(await readOne()).toMatchObject({ due_at: null, name: null, is_refused: false });
    expect((await readOne()).last_error).toContain('responded with status 404');
    expect(await findDealById(database.db, id)).toMatchObject({
      picture: `${shop}/gone.jpg`,
      isPictureNews: false,
    });
  });

  test('retries a failed picture after a month when it is shown', async () => {
    const { deal, show } = await aShop();
    const id = await deal('/gone.jpg');
    await show('/gone.jpg');
    const old = sql`now() - interval '31 days'`;
    await sql`update pictures set due_at = null, attempts = 6, looked_at = ${old}`.execute(
      database.db,
    );
    expect(await findDealById(database.db, id)).toMatchObject({ isPictureNews: true });
    answers['/gone.jpg'] = sends(await picture());
    await work();
    expect(asked).toEqual([]);
    await show('/gone.jpg');
    await work();
    expect((await readOne()).name).not.toBeNull();
  });

  test('delays a failing host’s other pictures while those of other hosts are fetched', async () => {
    const { merchant_id } = await aShop();
    const tired = 'https://tired.shop.net';
    const showAll = (...sources: string[]) =>
      writeShown(database.db, new Map(sources.map((source) => [source, merchant_id])));
    const fetched: string[] = [];
    const fetchNoting = (address: string, options: SafeFetchOptions) => {
      fetched.push(address);
      return fetchHere(address.replace(tired, shop), options);
    };
    const run = () => fetchPictures(services(), { rest: 0, fetch: fetchNoting });
    answers['/one.jpg'] = (_request, response) => response.writeHead(503).end();
    answers['/two.jpg'] = sends(await picture());
    await showAll(`${tired}/one.jpg`);
    await run();
    await showAll(`${tired}/two.jpg`, `${tired}/three.jpg`, `${shop}/two.jpg`);
    await run();
    expect(fetched).toEqual([`${tired}/one.jpg`, `${shop}/two.jpg`]);
    const waiting = (await read()).filter(({ source }) => source.startsWith(tired));
    expect(waiting.map(({ attempts }) => attempts).join('')).toBe('100');
    for (const { due_at } of waiting) {
      expect((due_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(200_000);
    }
  });

  // Proves R29: a store's picture is bounded in bytes, pixels and kinds (draw-picture.server.ts)
  test.each([
    ['larger than 50 megapixels', () => picture('#fff', 8660, 5774)],
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>'),
    ],
    ['larger than 15 MB', async () => Buffer.alloc(15 * 1024 * 1024 + 1)],
  ])('shows the placeholder for a picture that is %s', async (_what, content) => {
    const { deal, show } = await aShop();
    const id = await deal('/bad.jpg');
    answers['/bad.jpg'] = sends(await content());
    await show('/bad.jpg');
    await work();
    expect(await readOne()).toMatchObject({ name: null, is_refused: true, due_at: null });
    expect(await findDealById(database.db, id)).toMatchObject({ picture: null });
    expect(await filesThere()).toEqual([]);
  });
});

describe('a copy', () => {
  test('replaces a copy when the store changes the picture, and keeps it when the store deletes the picture', async () => {
    const { show } = await aShop();
    answers['/lamp.jpg'] = sends(await picture('#111'));
    await show('/lamp.jpg');
    await work();
    const { name: first } = await readOne();
    await makeDue();
    await work();
    expect(await readOne()).toMatchObject({ name: first, due_at: null });
    answers['/lamp.jpg'] = sends(await picture('#eee'));
    await makeDue();
    await work();
    const { name: second, bytes } = await readOne();
    expect(second).not.toBe(first);
    expect(await countBytes()).toBe(bytes);
    delete answers['/lamp.jpg'];
    await makeDue();
    await work();
    expect(await readOne()).toMatchObject({ name: second });
  });

  test('deletes the least recently shown copy when space is needed, and fetches it again when shown', async () => {
    const { show } = await aShop();
    const files = ['/a.jpg', '/b.jpg', '/c.jpg', '/d.jpg'];
    for (const file of files) answers[file] = sends(await picture());
    await show(...files.slice(0, 3));
    await work();
    await shownDaysAgo('/a.jpg', 3);
    await shownDaysAgo('/b.jpg', 5);
    await sql`update pictures set bytes = 400000`.execute(database.db);
    const lost = (await read())[1]?.name ?? '';
    await show('/d.jpg');
    await work({ PICTURES_MB: '1' });
    const kept = await read();
    expect(kept.map(({ source, name }) => [source.slice(-6), name !== null])).toEqual([
      ['/a.jpg', true],
      ['/c.jpg', true],
      ['/d.jpg', true],
    ]);
    expect(await filesThere()).toEqual(kept.flatMap(({ name }) => filesOf(name ?? '')).toSorted());
    expect(await filesThere()).not.toContain(filesOf(lost)[0]);

    await show('/b.jpg');
    await work();
    expect((await read())[1]?.name).not.toBeNull();
    expect(asked.filter((file) => file === '/b.jpg')).toHaveLength(2);
  });

  test('does not delete a copy within a day of being shown, even if new ones must wait', async () => {
    const { show } = await aShop();
    answers['/a.jpg'] = sends(await picture());
    await show('/a.jpg');
    await work();
    await shownDaysAgo('/a.jpg', 1);
    await sql`update pictures set bytes = 3000000`.execute(database.db);
    await show('/b.jpg');
    await work({ PICTURES_MB: '1' });
    expect(asked).toEqual(['/a.jpg']);
    expect((await readOne()).name).not.toBeNull();
  });

  test('neither creates nor keeps a copy if the store forbids it', async () => {
    const { deal, show, merchant_id } = await aShop();
    const id = await deal('/lamp.jpg');
    answers['/lamp.jpg'] = sends(await picture());
    await show('/lamp.jpg');
    await work();
    const change = (keeps_pictures: boolean) =>
      database.db
        .updateTable('merchants')
        .set({ keeps_pictures })
        .where('id', '=', merchant_id)
        .execute();
    await change(false);
    expect(await read()).toEqual([]);
    expect(await countBytes()).toBe(0);
    expect(await findDealById(database.db, id)).toMatchObject({
      picture: `${shop}/lamp.jpg`,
      isPictureNews: false,
    });
    await show('/lamp.jpg');
    expect(await read()).toEqual([]);
    await change(true);
    expect(await findDealById(database.db, id)).toMatchObject({ isPictureNews: true });
  });

  test('creates no copies when PICTURES_MB is 0, and deletes existing ones', async () => {
    const { show } = await aShop();
    answers['/lamp.jpg'] = sends(await picture());
    await show('/lamp.jpg');
    await work();
    await work({ PICTURES_MB: '0' });
    expect(await read()).toEqual([]);
  });
});

describe('a file in the folder', () => {
  const old = new Date(Date.now() - 2 * 3_600_000);
  const fileAt = (name: string) => path.join(dataDir, 'media', name);

  test('deletes a file without a database row after an hour, regardless of its origin', async () => {
    const { show } = await aShop();
    answers['/lamp.jpg'] = sends(await picture());
    await show('/lamp.jpg');
    await work();
    const { name } = await readOne();
    const kept = filesOf(name ?? '').toSorted();
    const stray = 'pictures-0/zz-0a1b2c3d-320.avif';
    await writeFile(fileAt(stray), 'left by a crash');
    await tidy();
    expect(await filesThere()).toEqual([...kept, stray].toSorted());
    await utimes(fileAt(stray), old, old);
    for (const file of kept) await utimes(fileAt(file), old, old);
    await tidy();
    expect(await filesThere()).toEqual(kept);
    await database.db.deleteFrom('merchants').execute();
    expect(await read()).toEqual([]);
    await tidy();
    expect(await filesThere()).toEqual([]);
  });

  test('fetches a lost picture file again when it is shown', async () => {
    const { deal, show } = await aShop();
    const id = await deal('/lamp.jpg');
    answers['/lamp.jpg'] = sends(await picture());
    await show('/lamp.jpg');
    await work();
    const [first = ''] = await filesThere();
    await unlink(fileAt(first));
    await tidy();
    expect(await read()).toEqual([]);
    expect(await findDealById(database.db, id)).toMatchObject({
      picture: `${shop}/lamp.jpg`,
      isPictureNews: true,
    });
    await show('/lamp.jpg');
    await work();
    await rm(path.join(dataDir, 'media'), { recursive: true });
    await tidy();
    expect(await read()).toEqual([]);
    expect(await countBytes()).toBe(0);
  });

  test('deletes a picture file that was not shown for 90 days', async () => {
    const { show } = await aShop();
    answers['/lamp.jpg'] = sends(await picture());
    await show('/lamp.jpg');
    await work();
    await shownDaysAgo('/lamp.jpg', 90);
    await tidy();
    expect(await read()).toHaveLength(1);
    await shownDaysAgo('/lamp.jpg', 91);
    await tidy();
    expect(await read()).toEqual([]);
  });
});
