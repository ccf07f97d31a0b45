import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '#test/staff.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { runQueuedImports } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { suggestMatches } from '#app/features/products/suggest-matches-job.server.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite, type TestSite } from '#test/site.ts';
import { describePulse } from './describe-pulse.ts';

const database = useTestDatabase();
let folder = '';
let site: TestSite;
let cookie = '';
const environment = () =>
  readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder, LOG_LEVEL: 'silent' });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-pages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  site = testSite(database, { env: environment() });
  ({ cookie } = await signIn(database, { role: 'admin', full_name: 'Ada Byron' }));
});

const open = (address: string) => site.page(address, { headers: { cookie } });
const post = (address: string, body: URLSearchParams | FormData) =>
  site.page(address, { method: 'POST', headers: { cookie }, body });
const send = (address: string, fields: Record<string, string>) =>
  post(address, new URLSearchParams(fields));

function upload(text: string | Uint8Array<ArrayBuffer>, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([text], 'feed.csv'));
  return post('/admin/imports/upload', form);
}

const feed = 'id,title,link,price,product type\n1,Cup,https://shop.example/1,5,Home\n';
const work = () =>
  runQueuedImports({
    db: database.db,
    env: environment(),
    log: createLog('silent'),
    now: () => new Date(),
  });

describe('an upload', () => {
  test('creates a source from an upload and redirects to its columns, rows and categories', async () => {
    const answer = await upload(feed, { merchant: 'Example Shop' });
    expect(answer.status).toBe(302);
    const location = answer.headers.get('location') ?? '';
    expect(location).toMatch(
      /^\/admin\/imports\/sources\/1\/columns\?file=[\da-f-]{36}\.feed&name=feed\.csv$/,
    );
    const { html } = await open(location);
    expect(html).toContain('Google Merchant table');
    expect(html).toContain('<td>Cup</td>');
    expect(html).toContain('Automatic: product type');
    expect(html).toContain('name="category.0.name" value="Home"');
    const next = await send(location, { intent: 'dry-run', 'map.title': 'title' });
    expect(next.headers.get('location')).toBe('/admin/imports/runs/1');
    await work();
    expect((await open('/admin/imports/runs/1')).html).toContain('Run the import');
    const again = await upload(feed, { source: '1' });
    expect(again.headers.get('location')).toMatch(/^\/admin\/imports\/sources\/1\/columns/);
  });

  test.each([
    ['nothing', '', { merchant: 'A' }, 'The feed is empty.'],
    ['no merchant', feed, { merchant: '' }, 'Merchant is required'],
    ['a web page', '<!DOCTYPE html>', { merchant: 'A' }, 'This is a web page, not a product feed.'],
    ['another’s source', feed, { source: '99' }, 'This source no longer exists.'],
  ])('rejects and deletes an upload of %s', async (_name, text, fields, words) => {
    const answer = await upload(text, fields);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain(words);
    expect(await database.db.selectFrom('feed_sources').selectAll().execute()).toEqual([]);
  });

  test('keeps the other import options after an upload is rejected', async () => {
    const { html } = await upload('', { merchant: 'A' });
    const ways = [...html.matchAll(/<form[^>]* action="\/admin\/imports\/(\w+)"/g)];
    expect(ways.map(([, way]) => way)).toEqual(['upload', 'new', 'new']);
  });

  test('reports an upload form without a file, and a body that is not a form', async () => {
    const form = new FormData();
    form.set('merchant', 'A');
    expect((await post('/admin/imports/upload', form)).html).toContain('Choose a file.');
    expect((await send('/admin/imports/upload', { a: 'b' })).html).toContain('Choose a file.');
  });

  test('rejects an upload of more than 20 MB', async () => {
    const large = new Uint8Array(20 * 1024 * 1024 + 1);
    expect((await upload(large, { merchant: 'A' })).html).toContain(
      'The file is larger than 20 MB.',
    );
  });
});

describe('a new source with an address or folder', () => {
  test('rejects a new source with errors at its fields, or when its feed cannot be fetched', async () => {
    const bad = await send('/admin/imports/new', {
      kind: 'url',
      location: 'nowhere',
      merchant: '',
    });
    expect(bad.status).toBe(422);
    expect(bad.html).toContain('Must be a valid URL');
    expect(bad.html).toContain('Merchant is required');
    expect(bad.html).toContain('value="nowhere"');
    const inside = { kind: 'url', location: 'http://10.0.0.1/', merchant: 'A' };
    expect((await send('/admin/imports/new', inside)).html).toContain(
      '10.0.0.1 is not an address of the public internet.',
    );
    const lost = { kind: 'folder', location: 'awin', merchant: 'A' };
    expect((await send('/admin/imports/new', lost)).html).toContain(
      'There is no folder feeds/awin',
    );
  });
});

describe('a source', () => {
  test('edits a source, rejects invalid values with errors, and deletes the source', async () => {
    await upload(feed, { merchant: 'Example Shop' });
    const fields = { name: 'Tea shop', merchant: 'Example Shop', decimal_mark: 'comma' };
    const refused = await send('/admin/imports/sources/1', { ...fields, currency: 'dollars' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Three letters, such as USD');
    expect((await send('/admin/imports/sources/1', fields)).status).toBe(302);
    const { html } = await open('/admin/imports/sources/1');
    expect(html).toContain('value="Tea shop"');
    expect(html).toMatch(/<option value="comma" selected="">/);
    expect((await open('/admin/imports')).html).toContain('Tea shop');
    const gone = await send('/admin/imports/sources/1', { intent: 'delete' });
    expect(gone.headers.get('location')).toBe('/admin/imports');
    expect((await open('/admin/imports/sources/1')).status).toBe(404);
  });
});

describe('a run', () => {
  test('streams a run’s progress as events, cancels the run, and returns 404 for a wrong number', async () => {
    await upload(feed, { merchant: 'Example Shop' });
    const id = await queueImport(database.db, { sourceId: 1, actor: 'x' });
    const { html } = await open(`/admin/imports/runs/${id}`);
    expect(html).toContain('Waiting to start');
    expect(html).toContain('http-equiv="refresh"');
    const cancelled = await send(`/admin/imports/runs/${id}`, { intent: 'cancel' });
    expect(cancelled.status).toBe(302);
    const events = await open(`/admin/imports/runs/${id}/events`);
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(events.html).toMatch(/^data: \{"state":"cancelled"/);
    for (const address of [
      'runs/99',
      'runs/x',
      'runs/99/events',
      'runs/99/report',
      'sources/0/columns',
    ]) {
      expect((await open(`/admin/imports/${address}`)).status).toBe(404);
    }
    expect((await send('/admin/imports', { intent: 'run', id: '99' })).status).toBe(404);
    expect((await send(`/admin/imports/runs/${id}`, { intent: 'import' })).status).toBe(400);
  });

  test('explains why a run failed and reports that nothing was changed', async () => {
    await upload(feed, { merchant: 'Example Shop' });
    const id = await queueImport(database.db, { sourceId: 1, actor: 'x' });
    await work();
    const { html } = await open(`/admin/imports/runs/${id}`);
    expect(html).toContain('The uploaded file no longer exists; upload it again.');
    expect(html).toContain('Nothing was changed.');
  });

  test('describes a run’s rows by its phase', () => {
    const pulse = {
      state: 'running',
      phase: 'writing',
      rows_read: 1_000,
      rows_done: 250,
      rows_total: 1_000,
      rows_to_write: null,
      bytes_read: 9,
      bytes_total: 9,
      wants_cancel: false,
      seconds: 10,
    } as const;
    expect(describePulse(pulse)).toEqual({
      part: 0.25,
      facts: ['250 of 1,000 rows', '25 rows a second', 'about 30 s left'],
    });
    // The estimate counts each of the 900 unchanged rows as a tenth. Of the other 100 rows, 25 are
    // written.
    expect(describePulse({ ...pulse, rows_done: 25, rows_to_write: 100 }).facts).toContain(
      'about 1 min 6 s left',
    );
    expect(describePulse({ ...pulse, phase: 'reading', bytes_total: null })).toEqual({
      part: null,
      facts: ['1,000 rows', '100 rows a second'],
    });
    expect(describePulse({ ...pulse, phase: null })).toEqual({ part: null, facts: [] });
  });
});

test('lets staff decide on a run’s held prices and duplicates, once', async () => {
  const merchant = await insertMerchant(database.db);
  const shared = { merchant_id: merchant.id, gtin: '4006381333931' };
  const a = await insertDeal(database.db, { ...shared, title: 'Held lamp', held_price: 100 });
  const b = await insertDeal(database.db, { ...shared, category_id: a.category_id });
  const { html } = await open('/admin/imports/held');
  expect(html).toContain('Held lamp');
  const decision = { intent: 'approve', id: String(a.id), price: '100' };
  await send('/admin/imports/held', decision);
  const after = await database.db
    .selectFrom('deals')
    .select('sale_price')
    .where('id', '=', a.id)
    .executeTakeFirstOrThrow();
  expect(after.sale_price).toBe(100);
  const late = await send('/admin/imports/held', decision);
  expect(late.headers.get('set-cookie')).toContain('flash');
  expect((await open('/admin/imports/held')).html).toContain('No prices to review');

  await matchProducts(database.db);
  await suggestMatches(database.db);
  const queue = (await open('/admin/imports/duplicates')).html;
  expect(queue).toContain('Twice at one store: same GTIN');
  expect(queue).not.toContain('value="same"');
  const decided = { intent: 'hide', deal: String(a.id), other: String(b.id) };
  const hidden = await send('/admin/imports/duplicates', decided);
  expect(hidden.headers.get('set-cookie')).toContain('flash');
  expect((await open('/admin/imports/duplicates')).html).toContain('No duplicates');
  const undone = await send('/admin/imports/duplicates', { intent: 'undo', id: '1' });
  expect(undone.status).toBe(302);
  expect((await open('/admin/imports/duplicates')).html).toContain('Hide second');
});

describe('mappings', () => {
  const odd =
    'ref;wo;wieviel;statt;was\n1;https://shop.example/1;5;8;Cup\n2;https://shop.example/2;7;;Pot\n';
  const chosen = {
    'map.title': 'was',
    'map.deal_url': 'wo',
    'map.sale_price': 'wieviel',
    'map.original_price': 'statt',
  };
  const headOf = (html: string) =>
    (/name="head" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&#10;', '\n');

  async function newSource(
    merchant: string,
  ): Promise<{ id: string; columns: string; html: string }> {
    const columns = (await upload(odd, { merchant })).headers.get('location') ?? '';
    const id = /sources\/(\d+)/.exec(columns)?.[1] ?? '';
    return { id, columns, html: (await open(columns)).html };
  }

  function sendFile(address: string, text: string) {
    const form = new FormData();
    form.set('intent', 'use-file');
    form.set('mapping', new File([text], 'mapping.json'));
    return post(address, form);
  }

  test('offers a mapping to a feed with the same header, and exports it as a file', async () => {
    const first = await newSource('First');
    await send(first.columns, { intent: 'save', head: headOf(first.html), ...chosen });
    const second = await newSource('Second');
    expect(second.html).toContain('has a feed with the same columns');
    await send(second.columns, { intent: 'use-source', from: first.id });
    const used = (await open(second.columns)).html;
    expect(used).not.toContain('has a feed with the same columns');
    expect(used).toMatch(/<option value="wieviel" selected="">/);

    const file = await open(`/admin/imports/sources/${first.id}/mapping.json`);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="first/);
    expect(JSON.parse(file.html)).toMatchObject({
      shape: 'table',
      marks: [['ref', 'wo', 'wieviel', 'statt', 'was']],
      fields: { title: ['was'], original_price: ['statt'] },
    });
    const third = await newSource('Third');
    await sendFile(third.columns, file.html);
    const read = (await open(third.columns)).html;
    expect(read).toContain('Read with the file “First, uploads”');
    expect(read).toContain('Automatic: wieviel');
    await send(third.columns, { intent: 'dry-run' });
    await work();
    const report = (await open('/admin/imports/runs/1')).html;
    expect(report).toContain('50% of rows have a sale price');
  });

  test('rejects invalid mappings with their errors', async () => {
    const { columns, id } = await newSource('First');
    await sendFile(columns, '{"label":"x"}');
    expect((await open(columns)).html).not.toContain('Read by the file');
    const source = await database.db
      .selectFrom('feed_sources')
      .select('mapping_file')
      .where('id', '=', Number(id))
      .executeTakeFirst();
    expect(source?.mapping_file).toBeNull();
  });

  test('asks for the shop’s URL when a mapped feed has no links', async () => {
    const shopify = 'Handle,Title,Variant Price,Variant Compare At Price\ncup,Cup,5,8\n';
    const columns = (await upload(shopify, { merchant: 'Mills' })).headers.get('location') ?? '';
    expect((await open(columns)).html).toContain('This feed has no links');
    await send(columns, { intent: 'dry-run', shop_url: 'mills.example' });
    await work();
    expect((await open('/admin/imports/runs/1')).html).toContain('100% of rows have a sale price');
  });

  test('lists product elements and nested values for the mapping of any XML', async () => {
    const xml =
      '<katalog><kopf><datum>1</datum></kopf>' +
      [1, 2]
        .map(
          (n) =>
            `<ding nr="${n}"><wo>https://x.example/${n}</wo><kosten><jetzt waehrung="USD">5</jetzt></kosten><was>Cup</was></ding>`,
        )
        .join('') +
      '</katalog>';
    const columns = (await upload(xml, { merchant: 'Nested' })).headers.get('location') ?? '';
    const { html } = await open(columns);
    expect(html).toContain('<option value="kosten/jetzt">kosten/jetzt</option>');
    expect(html).toContain('<option value="@nr">@nr</option>');
    const download = /href="([^"]*mapping\.json[^"]*)"/.exec(html)?.[1] ?? '';
    expect(JSON.parse((await open(download)).html)).toMatchObject({ shape: 'xml' });
    await send(columns, {
      intent: 'dry-run',
      'map.title': 'was',
      'map.deal_url': 'wo',
      'map.sale_price': 'kosten/jetzt',
    });
    await work();
    const { rows_new } = await database.db
      .selectFrom('import_runs')
      .select('rows_new')
      .executeTakeFirstOrThrow();
    expect(rows_new).toBe(2);
  });

  test('rejects a source in a currency other than the site’s', async () => {
    const { id } = await newSource('First');
    const { html, status } = await send(`/admin/imports/sources/${id}`, {
      name: 'First',
      merchant: 'First',
      currency: 'EUR',
    });
    expect(status).toBe(422);
    expect(html).toContain('This site’s currency is USD, so prices in others are rejected.');
  });
});
