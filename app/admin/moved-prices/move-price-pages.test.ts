import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { flashOf, signIn } from '#test/staff.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const list = '/admin/move-in/price-histories';
let site: ReturnType<typeof testSite>;
let cookie = '';
let folder = '';
let deal = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'move-prices-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder });
  site = testSite(database, { env });
  ({ cookie } = await signIn(database, { role: 'admin' }));
  deal = await plantDeal(database.db, [{ daysAgo: 20, price: 10_000 }], { slug: 'a-lamp' });
});

const open = (address: string) => site.page(address, { headers: { cookie } });
const post = (address: string, body: URLSearchParams | FormData) =>
  site.page(address, { method: 'POST', headers: { cookie }, body });

function upload(text: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([text], 'prices.csv'));
  return post(`${list}/upload`, form);
}

const file = `deal,date,price
a-lamp,2025-01-02,90.00
a-lamp,2025-02-03,95.00
a-lamp,03/04/2025,96.00
=1+1,2025-01-02,90.00
`;
const stored = () =>
  database.db.selectFrom('moved_prices').select(['day', 'source']).orderBy('day').execute();

async function preview(): Promise<string> {
  const answer = await upload(file, { source: 'Keepa' });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

test('previews an uploaded price history, imports it, and undoes the import', async () => {
  expect((await open('/admin/move-in')).html).toContain(`href="${list}"`);
  const address = await preview();
  expect(await readdir(path.join(folder, 'imports'))).toEqual([]);
  const { html } = await open(address);
  for (const text of ['2 prices', '2 rows', 'No deal found', 'can be read in two ways', '=1+1'])
    expect(html).toContain(text);

  const chosen = { source: 'Keepa', day_order: 'dmy' };
  await post(address, new URLSearchParams({ intent: 'choose', ...chosen }));
  expect((await open(address)).html).toContain('3 prices');
  expect(await stored()).toEqual([]);

  const run = await post(address, new URLSearchParams({ intent: 'run', ...chosen }));
  expect(flashOf(run)).toBe('Imported: 3 prices.');
  expect((await open(address)).html).toContain('Imported');
  expect(await stored()).toEqual([
    { day: '2025-01-02', source: 'Keepa' },
    { day: '2025-02-03', source: 'Keepa' },
    { day: '2025-04-03', source: 'Keepa' },
  ]);
  expect((await open(list)).html).toContain('prices.csv');

  const undo = await post(address, new URLSearchParams({ intent: 'undo' }));
  expect(flashOf(undo)).toBe('The prices that this move added were removed.');
  expect((await open(address)).html).toContain('Undone');
  expect(await stored()).toEqual([]);
  const acts = await database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['price_move.run', 'price_move.undo']),
  );
});

test('reports that a long file is still being imported', async () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => {
    const day = new Date(Date.UTC(1995, 0, 2) + at * 86_400_000).toISOString().slice(0, 10);
    return `a-lamp,${day},90.00`;
  });
  const uploaded = await upload(`deal,date,price\n${rows.join('\n')}\n`, { source: 'Keepa' });
  const address = uploaded.headers.get('location') ?? '';
  const run = await post(address, new URLSearchParams({ intent: 'run', source: 'Keepa' }));
  expect(flashOf(run)).toBe('The move started. You can leave this page.');
  expect((await open(address)).html).toContain('Importing');
  const undo = await post(address, new URLSearchParams({ intent: 'undo' }));
  expect(flashOf(undo)).toBe('The undo started. You can leave this page.');
});

test('keeps what was typed when a source is too long or columns are missing', async () => {
  const address = await preview();
  const source = 'x'.repeat(61);
  const refused = await post(
    address,
    new URLSearchParams({ intent: 'run', source, day_order: 'mdy' }),
  );
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Use at most 60 characters');
  expect(refused.html).toContain(source);
  expect(await stored()).toEqual([]);
  const headless = await upload('a,b\n1,2\n', { source: 'Keepa', price: 'Preis' });
  expect(headless.status).toBe(422);
  expect(headless.html).toContain('No column of deals and dates and prices was found');
  expect(headless.html).toContain('value="Preis"');
});

test('exports the omitted rows, and escapes formulas', async () => {
  const address = await preview();
  const csv = await (await site.request(`${address}/left-out`, { headers: { cookie } })).text();
  expect(csv).toContain("5,'=1+1,2025-01-02,90.00,Keepa,No deal found");
  expect(csv).not.toContain('2025-02-03');
});

test('draws imported prices separately on the deal’s page, and lets staff remove them', async () => {
  const page = '/deals/a-lamp?days=all';
  const before = (await site.page(page)).html;
  expect(before).not.toContain('not seen by us');
  const address = await preview();
  await post(
    address,
    new URLSearchParams({ intent: 'run', source: '<b>Keepa</b>', day_order: '' }),
  );
  const { html } = await site.page(page);
  expect(html).toMatch(/Before [^<]*: prices from Keepa|&lt;b&gt;Keepa/);
  expect(html).not.toContain('<b>Keepa');
  expect(html).toContain('Lowest $100.00');

  const edit = `/admin/deals/${deal}/edit`;
  expect((await open(edit)).html).toContain('Prices from other trackers');
  await post(edit, new URLSearchParams({ intent: 'remove-moved-prices' }));
  expect((await open(edit)).html).not.toContain('Prices from other trackers');
  expect(await stored()).toEqual([]);
  expect((await site.page(page)).html).not.toContain('not seen by us');
});

test('marks imported prices in the public API', async () => {
  const address = await preview();
  await post(address, new URLSearchParams({ intent: 'run', source: 'Keepa', day_order: '' }));
  const answer = await site.request(`/api/v1/deals/${deal}/price-history?days=all`);
  expect(await answer.json()).toMatchObject({
    data: [
      { at: '2025-01-02T00:00:00.000Z', source: 'moved', moved_from: 'Keepa' },
      { at: '2025-02-03T00:00:00.000Z', source: 'moved', moved_from: 'Keepa' },
      { source: 'demo', moved_from: null },
    ],
  });
});
