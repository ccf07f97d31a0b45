import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { runQueuedImports } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite, type TestSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
let folder = '';
let site: TestSite;
let cookie = '';
const env = () =>
  readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder, LOG_LEVEL: 'silent' });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'source-encoding-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  site = testSite(database, { env: env() });
  ({ cookie } = await signIn(database, { role: 'admin' }));
});

const open = (address: string) => site.page(address, { headers: { cookie } });
const send = (address: string, body: URLSearchParams | FormData) =>
  site.page(address, { method: 'POST', headers: { cookie }, body });

// A single word in windows-1250, which could also be windows-1252.
const feed = iconv.encode(
  'id,title,link,price\n1,Mu\u010Dka,https://shop.example/1,5\n',
  'windows-1250',
);

/** Uploads the feed, to the source if given, and imports it. Returns the number of its run. */
async function upload(fields: Record<string, string>): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([new Uint8Array(feed)], 'feed.csv'));
  const columns = (await send('/admin/imports/upload', form)).headers.get('location') ?? '';
  const shown = words(await open(columns));
  expect(shown).toContain(fields.source ? 'in windows-1250' : 'in windows-1252');
  const { searchParams } = new URL(columns, testOrigin);
  const run = await queueImport(database.db, {
    sourceId: 1,
    actor: 'x',
    file: { path: searchParams.get('file') ?? '', name: 'feed.csv' },
  });
  await runQueuedImports({
    db: database.db,
    env: env(),
    log: createLog('silent'),
    now: () => new Date(),
  });
  return `/admin/imports/runs/${run}`;
}

test('uses a source’s chosen encoding, and its runs report it', async () => {
  const first = await open(await upload({ merchant: 'Example Shop' }));
  expect(words(first)).toContain('Encoding: windows-1252');
  expect(first.html).toContain('characters look like windows-1252');
  expect(await titles()).toEqual(['Muèka']);

  const fields = { name: 'Shop', merchant: 'Example Shop' };
  const wrong = new URLSearchParams({ ...fields, encoding: 'klingon' });
  expect((await send('/admin/imports/sources/1', wrong)).status).toBe(422);
  const chosen = new URLSearchParams({ ...fields, encoding: 'windows-1250' });
  expect((await send('/admin/imports/sources/1', chosen)).status).toBe(302);
  expect((await open('/admin/imports/sources/1')).html).toMatch(
    /<option value="windows-1250" selected="">/,
  );

  const second = await open(await upload({ source: '1' }));
  expect(words(second)).toContain('Encoding: windows-1250');
  expect(second.html).not.toContain('characters look like');
  expect(await titles()).toEqual(['Mu\u010Dka']);
});

const words = ({ html }: { html: string }) => html.replaceAll('<!-- -->', '');

async function titles(): Promise<string[]> {
  const rows = await database.db.selectFrom('deals').select('title').execute();
  return rows.map(({ title }) => title);
}
