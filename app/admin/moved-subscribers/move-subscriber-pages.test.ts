import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { flashOf, signIn } from '#test/staff.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
let site: ReturnType<typeof testSite>;
let cookie = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'move-in-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder });
  site = testSite(database, { env });
  ({ cookie } = await signIn(database, { role: 'admin' }));
});

const open = (address: string) => site.page(address, { headers: { cookie } });
const post = (address: string, body: URLSearchParams | FormData) =>
  site.page(address, { method: 'POST', headers: { cookie }, body });

function upload(content: BlobPart, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([content], 'list.csv'));
  return post('/admin/move-in/subscribers/upload', form);
}

const list =
  'Email,Status,Subscribed at\nin@a.example,active,2020-01-02\n=1+1,active,2020-01-02\nundated@a.example,active,\n';
const stored = () =>
  database.db
    .selectFrom('newsletter_subscriptions')
    .select(['email', 'is_active', 'consent_source'])
    .orderBy('email')
    .execute();

async function preview(): Promise<string> {
  const answer = await upload(list);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

test('previews an uploaded subscriber list, imports it, and undoes the import', async () => {
  expect((await open('/admin/move-in')).html).toContain('href="/admin/move-in/subscribers"');
  const address = await preview();
  expect(await readdir(path.join(folder, 'imports'))).toEqual([]);
  const { html } = await open(address);
  for (const text of ['1 new subscriber', '2 rows', 'No date of consent', 'undated@a.example'])
    expect(html).toContain(text);
  expect(await stored()).toEqual([]);

  const chosen = { states_consent: 'on', source: 'Old site', blank_state: '' };
  await post(address, new URLSearchParams({ intent: 'choose', ...chosen }));
  expect((await open(address)).html).toContain('2 new subscribers');
  expect(await stored()).toEqual([]);

  const run = await post(address, new URLSearchParams({ intent: 'run', ...chosen }));
  expect(flashOf(run)).toBe('Imported: 2 new subscribers, 0 unsubscribed or bounced addresses.');
  expect((await open(address)).html).toContain('Imported');
  expect(await stored()).toEqual([
    { email: 'in@a.example', is_active: true, consent_source: 'Old site' },
    { email: 'undated@a.example', is_active: true, consent_source: 'Old site' },
  ]);
  expect((await open('/admin/move-in/subscribers')).html).toContain('list.csv');

  const undo = await post(address, new URLSearchParams({ intent: 'undo' }));
  expect(flashOf(undo)).toBe('The subscribers that this move added were removed.');
  expect((await open(address)).html).toContain('Undone');
  expect(await stored()).toEqual([]);
  const acts = await database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['subscriber_move.run', 'subscriber_move.undo']),
  );
});

test('reports that a long list is still being imported', async () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => `p${at}@a.example,active,2020-01-02`);
  const uploaded = await upload(`Email,Status,Subscribed at\n${rows.join('\n')}\n`);
  const address = uploaded.headers.get('location') ?? '';
  const run = await post(address, new URLSearchParams({ intent: 'run', source: 'Old site' }));
  expect(flashOf(run)).toBe('The move started. You can leave this page.');
  expect((await open(address)).html).toContain('Importing');
});

test('requires a source for a statement of consent, and keeps what was typed', async () => {
  const address = await preview();
  const { status, html } = await post(
    address,
    new URLSearchParams({ intent: 'run', states_consent: 'on', source: ' ' }),
  );
  expect(status).toBe(422);
  expect(html).toContain('Enter where these people signed up');
  expect(html).toMatch(/name="states_consent"[^>]*checked|checked[^>]*name="states_consent"/);
  expect(await stored()).toEqual([]);
});

test('refuses a list without email addresses, and keeps the column that was typed', async () => {
  const { status, html } = await upload('a,b\n1,2\n', { email: 'Mail box' });
  expect(status).toBe(422);
  expect(html).toContain('No column of email addresses was found');
  expect(html).toContain('value="Mail box"');
});

test.each([
  ['empty', '', 'The file is empty.'],
  ['cut off', gzipSync('Email\nin@a.example\n').subarray(0, 20), 'The compressed file is cut off.'],
  ['unfinished', 'Email\n"in@a.example', 'The file ends in the middle of an item at line 2.'],
  ['too large', Buffer.alloc(21_000_000, 'Email,Status\n'), 'The file is larger than 20 MB.'],
])('refuses a file that is %s, and stores nothing', async (_state, content, message) => {
  const { status, html } = await upload(content);
  expect(status).toBe(422);
  expect(html).toContain(message);
  expect(await readdir(path.join(folder, 'imports'))).toEqual([]);
  expect(await database.db.selectFrom('subscriber_moves').select('id').execute()).toEqual([]);
});

test('exports the omitted rows, and escapes formulas', async () => {
  const address = await preview();
  const csv = await (await site.request(`${address}/left-out`, { headers: { cookie } })).text();
  expect(csv).toContain("3,'=1+1,subscribed,Not an email address");
  expect(csv).not.toContain('in@a.example');
});
