import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { useTestDatabase } from '#test/database.ts';
import { answerEndings } from '../review/answer-endings.server.ts';
import { FeedError } from '../formats/feed-error.ts';
import { removeOldFeedFiles, storeFeedFile } from '../sources/feed-files.server.ts';
import { feedSourceInput, readCategoryMapping, readMapping } from '../sources/feed-source-input.ts';
import { findFeedSource, listFeedSources } from '../sources/feed-source-queries.server.ts';
import { judgePair, type Verdict } from '#app/features/products/judge-pair.server.ts';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { suggestMatches } from '#app/features/products/suggest-matches-job.server.ts';
import { listSuggestions } from '#app/features/products/suggestion-queue.server.ts';
import { decideHeldPrice, listHeldPrices } from '#app/features/deals/held-prices.server.ts';
import { importSampleDeals } from './import-sample-deals.server.ts';
import { sampleDeals } from './sample-deals.ts';
import { previewFeed } from '../sources/preview-feed.server.ts';
import { cancelImport, queueDueImports, queueImport } from './queue-import.server.ts';
import {
  askForRollback,
  rollBackAsked,
  rollBackImport,
} from '../review/roll-back-import.server.ts';
import { forgetOldImports, runQueuedImports } from './run-queued-imports-job.server.ts';
import {
  deleteFeedSource,
  saveFeedSource,
  saveMappings,
} from '../sources/save-feed-source.server.ts';

const database = useTestDatabase();
let folder = '';
let shop: Server;
let address = '';
/** The shop's response, and the headers of its requests. */
const stock = { text: '', etag: '', asked: [] as (string | undefined)[] };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'imports-'));
  shop = createServer((request, response) => {
    stock.asked.push(request.headers['if-none-match']);
    const isSame = stock.etag !== '' && request.headers['if-none-match'] === stock.etag;
    response.writeHead(isSame ? 304 : 200, stock.etag ? { etag: stock.etag } : {});
    response.end(isSame ? undefined : stock.text);
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/feed.csv?key=secret`;
});
afterAll(async () => {
  shop.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  stock.etag = '';
  stock.asked = [];
});

interface Product {
  id: string;
  title?: string;
  price?: string;
  group?: string;
  availability?: string;
  gtin?: string;
}

describe('a source whose feed no longer lists a deal', () => {
  test('ends an unlisted deal, keeps it ended, and reactivates it when the feed lists it again', async () => {
    const id = await source();
    await deliver(id, many(10));
    const run = await deliver(id, many(9));
    expect(run).toMatchObject({ state: 'done', counts: { ended: 1, unchanged: 9 } });
    const ended = await deal('10');
    expect(ended).toMatchObject({ is_expired: true, is_active: true, version: 2 });
    expect((await deliver(id, many(10))).counts).toMatchObject({ changed: 1, ended: 0 });
    expect(await deal('10')).toMatchObject({ is_expired: false, expires_at: null });
  });

  test('asks before a source ends more than 30% of its deals, and applies the answer', async () => {
    const id = await source();
    await deliver(id, many(10));
    const asking = await deliver(id, many(6));
    expect(asking).toMatchObject({ state: 'asking', counts: { ended: 0, unchanged: 6 } });
    expect((await deal('10')).is_expired).toBe(false);
    const { runId } = asking;
    expect(await answerEndings(database.db, 'u1', runId ?? 0, true)).toEqual({
      ok: true,
      ended: 4,
    });
    expect((await deal('10')).is_expired).toBe(true);
    expect(await answerEndings(database.db, 'u1', runId ?? 0, true)).toEqual({
      ok: false,
      reason: 'not-asking',
    });
    await deliver(id, many(10));
    const again = await deliver(id, many(5));
    expect(await answerEndings(database.db, 'u1', again.runId ?? 0, false)).toEqual({
      ok: true,
      ended: 0,
    });
    expect((await deal('10')).is_expired).toBe(false);
  });

  test('keeps deals of rejected rows and of other sources, and all deals if staff decide so', async () => {
    const id = await source();
    await deliver(id, many(4));
    const other = await source({ name: 'Second feed' });
    await deliver(other, [{ id: 'other' }]);
    const products: Product[] = [...many(3), { id: '4', price: 'ask' }];
    expect((await deliver(id, products)).counts).toMatchObject({ ended: 0, rejected: 1 });
    expect(await deal('other')).toMatchObject({ is_expired: false, feed_source_id: other });
    const keeping = await source({ name: 'Third feed', ends_missing: '' });
    await deliver(keeping, [{ id: 'a' }, { id: 'b' }]);
    expect((await deliver(keeping, [{ id: 'a' }])).state).toBe('done');
    expect((await deal('b')).is_expired).toBe(false);
  });

  test('does not end any deal when the feed is interrupted', async () => {
    const id = await source();
    await deliver(id, many(4));
    stock.text = `${csv(many(2))}3,"Ope`;
    expect((await runNow(id)).state).toBe('failed');
    expect((await deal('4')).is_expired).toBe(false);
  });
});

describe('variants', () => {
  test('imports variants as one deal, the cheapest in stock, anywhere in the feed', async () => {
    const id = await source();
    const products = [
      { id: 's', group: 'shirt', price: '9', availability: 'out of stock' },
      ...many(3),
      { id: 'm', group: 'shirt', price: '12', title: 'Shirt M' },
      { id: 'l', group: 'shirt', price: '15' },
    ];
    const run = await deliver(id, products);
    expect(run.counts).toMatchObject({ read: 6, new: 4, folded: 2, rejected: 0 });
    expect(await deal('shirt')).toMatchObject({ sale_price: 1_200, title: 'Shirt M' });
    expect((await deliver(id, products)).counts).toMatchObject({ unchanged: 4, changed: 0 });
    expect(await logOf('shirt')).toHaveLength(1);
    const apart = await source({ name: 'Apart', groups_variants: '', merchant: 'Other Shop' });
    expect((await deliver(apart, products)).counts).toMatchObject({ new: 6, folded: 0 });
  });
});

describe('a rollback', () => {
  // Proves P7: the log names the import (current_import_run.sql)
  test('rolls back prices and texts, removes new deals, and keeps every line of the price log', async () => {
    const id = await source();
    await deliver(id, [
      { id: 'a', price: '20', title: 'Old name' },
      { id: 'b' },
      { id: 'c' },
      { id: 'd' },
    ]);
    const before = await deal('a');
    const bad = await deliver(id, [
      { id: 'a', price: '30', title: 'Wrong name' },
      { id: 'b' },
      { id: 'c' },
      { id: 'new' },
    ]);
    expect(bad.counts).toMatchObject({ changed: 1, new: 1, ended: 1 });
    const result = await rollBackImport(database.db, 'u1', bad.runId ?? 0);
    expect(result).toEqual({
      ok: true,
      counts: { restored: 2, removed: 1, hidden: 0, skipped: 0 },
    });
    expect(await deal('a')).toMatchObject({
      title: 'Old name',
      sale_price: 2_000,
      slug: before.slug,
      version: 3,
    });
    expect(await deal('d')).toMatchObject({ is_expired: false, expires_at: null });
    expect(await find('new')).toBeUndefined();
    expect((await logOf('a')).map((line) => [line.sale_price, line.import_run_id])).toEqual([
      [2_000, expect.any(Number)],
      [3_000, bad.runId], // voided
    ]);
    const run = await runRow(bad.runId);
    expect(run).toMatchObject({ state: 'rolled_back', rolled_back_by: 'u1' });
    // The same feed would repeat the changes.
    expect((await findFeedSource(database.db, id))?.is_active).toBe(false);
    expect(await rollBackImport(database.db, 'u1', bad.runId ?? 0)).toEqual({
      ok: false,
      reason: 'nothing-to-undo',
    });
  });

  test('skips deals changed since a run, and hides new ones that a user saved', async () => {
    const id = await source();
    const first = await deliver(id, [{ id: 'a' }, { id: 'kept' }, { id: 'c' }]);
    await database.db
      .updateTable('deals')
      .set({ title: 'An editor’s title', version: 2 })
      .where('external_id', '=', 'a')
      .execute();
    const user = await insertUser(database.db);
    const kept = await deal('kept');
    await database.db
      .insertInto('user_favorites')
      .values({ user_id: user.id, deal_id: kept.id })
      .execute();
    expect(await rollBackImport(database.db, 'u1', first.runId ?? 0)).toEqual({
      ok: true,
      counts: { restored: 0, removed: 1, hidden: 1, skipped: 1 },
    });
    expect(await deal('a')).toMatchObject({ is_active: true, title: 'An editor’s title' });
    expect(await deal('kept')).toMatchObject({ is_active: false });
    const notes = await database.db.selectFrom('import_issues').selectAll().execute();
    expect(notes).toEqual([
      expect.objectContaining({
        external_id: 'a',
        reason: 'not rolled back: the deal was changed after the import',
      }),
    ]);
  });

  test('fires alerts whose target is met after a rollback, but not alerts for any drop', async () => {
    const id = await source();
    await deliver(id, [
      { id: 'a', price: '20' },
      { id: 'b', price: '20' },
    ]);
    const bad = await deliver(id, [
      { id: 'a', price: '30' },
      { id: 'b', price: '30' },
    ]);
    const [a, b] = [await deal('a'), await deal('b')];
    const user = await insertUser(database.db, { email_verified: true });
    await database.db
      .insertInto('price_alerts')
      .values([
        { user_id: user.id, deal_id: a.id, kind: 'any_drop' },
        { user_id: user.id, deal_id: b.id, kind: 'target', target_price: 2_500 },
      ])
      .execute();
    await rollBackImport(database.db, 'u1', bad.runId ?? 0);
    const alerts = await database.db
      .selectFrom('price_alerts')
      .select(['kind', 'is_active'])
      .orderBy('kind')
      .execute();
    expect(alerts).toEqual([
      { kind: 'any_drop', is_active: true },
      { kind: 'target', is_active: false },
    ]);
  });

  test('lets the import job roll back a run with many deals once', async () => {
    const id = await source();
    const { runId } = await deliver(id, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    const run = runId ?? 0;
    expect(await askForRollback(database.db, 'u1', run, 2)).toEqual({ ok: true, isQueued: true });
    expect(await askForRollback(database.db, 'u2', run, 2)).toEqual({ ok: true, isQueued: true });
    expect(await runRow(run)).toMatchObject({ state: 'done', rolled_back_by: 'u1' });
    expect(await find('a')).toBeDefined();

    await rollBackAsked(database.db, AbortSignal.abort());
    expect(await find('a')).toBeDefined();
    await work();
    expect(await find('a')).toBeUndefined();
    expect(await runRow(run)).toMatchObject({
      state: 'rolled_back',
      rolled_back_by: 'u1',
      rollback: { restored: 0, removed: 3, hidden: 0, skipped: 0 },
    });
    const entries = await database.db
      .selectFrom('audit_log')
      .select('actor')
      .where('action', '=', 'import.roll-back')
      .execute();
    expect(entries).toEqual([{ actor: 'u1' }]);
    expect(await askForRollback(database.db, 'u1', run, 2)).toEqual({
      ok: false,
      reason: 'nothing-to-undo',
    });
  });

  test('completes a rollback that was interrupted after its last batch', async () => {
    const id = await source();
    const { runId } = await deliver(id, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    const run = runId ?? 0;
    await askForRollback(database.db, 'u1', run, 2);
    const counts = { restored: 0, removed: 3, hidden: 0, skipped: 0 };
    await database.db
      .updateTable('import_runs')
      .set({ rollback: JSON.stringify(counts) })
      .where('id', '=', run)
      .execute();
    await database.db.deleteFrom('import_changes').execute();
    await rollBackAsked(database.db);
    expect(await runRow(run)).toMatchObject({ state: 'rolled_back', rollback: counts });
  });

  test('drops a rollback if its changes were deleted first, and continues with other rollbacks', async () => {
    const id = await source();
    const first = await deliver(id, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    const second = await deliver(id, [
      { id: 'a', price: '30' },
      { id: 'b', price: '30' },
      { id: 'c', price: '30' },
    ]);
    await askForRollback(database.db, 'u1', first.runId ?? 0, 2);
    await askForRollback(database.db, 'u1', second.runId ?? 0, 2);
    await database.db
      .deleteFrom('import_changes')
      .where('import_run_id', '=', first.runId ?? 0)
      .execute();
    await rollBackAsked(database.db);
    expect(await runRow(first.runId)).toMatchObject({ state: 'done', rolled_back_by: null });
    expect(await runRow(second.runId)).toMatchObject({ state: 'rolled_back' });
  });

  test('rejects the rollback of missing runs, unfinished runs and dry runs', async () => {
    const id = await source();
    const queued = await queueImport(database.db, { sourceId: id, actor: 'u1' });
    expect(await rollBackImport(database.db, 'u1', queued ?? 0)).toMatchObject({
      reason: 'still-running',
    });
    expect(await rollBackImport(database.db, 'u1', 999)).toMatchObject({ reason: 'not-found' });
  });
});

describe('held prices (P7b)', () => {
  // Proves P7b: held prices are approved or refused (held-prices.server.ts)
  test('publishes and logs an approved held price, and does not hold a rejected one again (P7b)', async () => {
    const id = await source();
    await deliver(id, [
      { id: 'a', price: '100' },
      { id: 'b', price: '100' },
    ]);
    const low: Product[] = [
      { id: 'a', price: '5' },
      { id: 'b', price: '5' },
    ];
    expect((await deliver(id, low)).counts).toMatchObject({ held: 2, changed: 0 });
    const waiting = await listHeldPrices(database.db, { offset: 0, limit: 10 });
    expect(waiting.total).toBe(2);
    const [a, b] = [await deal('a'), await deal('b')];
    expect(await decideHeldPrice(database.db, 'u1', 'approve', a.id, 400)).toBe(false);
    expect(await decideHeldPrice(database.db, 'u1', 'approve', a.id, 500)).toBe(true);
    expect(await deal('a')).toMatchObject({ sale_price: 500, held_price: null });
    expect((await logOf('a')).map((line) => line.sale_price)).toEqual([10_000, 500]);
    expect(await decideHeldPrice(database.db, 'u1', 'refuse', b.id, 500)).toBe(true);
    expect((await deliver(id, low)).counts).toMatchObject({ held: 0, unchanged: 2, changed: 0 });
    expect(await deal('b')).toMatchObject({ sale_price: 10_000, held_price: null });
    // An unconfirmed price is not recorded as seen.
    const checks = await database.db.selectFrom('deal_price_checks').selectAll().execute();
    expect(checks.map((check) => check.deal_id)).toEqual([a.id]);
    // Once the feed has withdrawn the price, the same drop is a new event.
    await deliver(id, [
      { id: 'a', price: '5' },
      { id: 'b', price: '100' },
    ]);
    expect((await deliver(id, low)).counts).toMatchObject({ held: 1 });
    const acts = await database.db.selectFrom('audit_log').select('action').execute();
    expect(acts.map(({ action }) => action)).toContain('deal.refuse-price');
  });
});

describe('a dry run', () => {
  test('previews all changes with their prices in a dry run, and changes nothing', async () => {
    const id = await source();
    await deliver(id, [{ id: 'a', price: '20' }, { id: 'b', price: '100' }, { id: 'c' }]);
    stock.text = csv([{ id: 'a', price: '15' }, { id: 'b', price: '1' }, { id: 'x' }]);
    const run = await runNow(id, { isDryRun: true });
    expect(run).toMatchObject({
      state: 'asking',
      counts: { new: 1, changed: 1, held: 1, unchanged: 0, ended: 1 },
    });
    const row = await runRow(run.runId);
    expect(row.preview).toEqual([
      expect.objectContaining({ before: 2_000, after: 1_500, is_held: false }),
      expect.objectContaining({ before: 10_000, after: 100, is_held: true }),
    ]);
    expect(await deal('a')).toMatchObject({ sale_price: 2_000, version: 1 });
    expect(await find('x')).toBeUndefined();
    // The run reads the same copy that was previewed.
    expect(row.file).toMatch(/^[\w-]+\.feed$/);
    stock.text = csv([{ id: 'a', price: '1.50' }]);
    const real = await queueImport(database.db, {
      sourceId: id,
      file: { path: row.file ?? '', name: 'feed.csv' },
      mayEndMany: true,
      actor: 'u1',
    });
    expect((await work())[0]).toMatchObject({ runId: real, state: 'done' });
    expect(await deal('a')).toMatchObject({ sale_price: 1_500 });
    expect((await deal('c')).is_expired).toBe(true);
    expect(await readdir(path.join(folder, 'imports'))).toEqual([]);
  });
});

describe('fetching', () => {
  test('sends a feed’s ETag, and reads an unchanged feed again only on request', async () => {
    stock.etag = '"one"';
    const id = await source({ schedule_minutes: '60' });
    await deliver(id, many(2));
    await makeDue(id);
    expect(await queueDueImports(database.db)).toHaveLength(1);
    expect(await queueDueImports(database.db)).toEqual([]);
    expect((await work())[0]).toMatchObject({ state: 'unchanged', counts: { read: 0 } });
    expect(stock.asked).toEqual([undefined, '"one"']);
    expect((await runNow(id)).state).toBe('done');
    expect(stock.asked.at(-1)).toBeUndefined();
    const { next_run_at } = (await findFeedSource(database.db, id)) ?? {};
    const minutes = ((next_run_at?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(56);
    expect(minutes).toBeLessThan(64);
  });

  // Proves R29: fetching feeds (fetch-source.server.ts)
  test('R29: rejects a feed address inside the private network', async () => {
    const id = await source();
    await queueImport(database.db, { sourceId: id, actor: 'u1' });
    const [report] = await runQueuedImports(services());
    expect(report).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('not allowed, only 80 and 443'),
    });
  });

  test('imports the newest complete file in a watched folder once', async () => {
    const place = path.join(folder, 'feeds', 'awin');
    await mkdir(place, { recursive: true });
    const put = async (name: string, products: Product[], secondsAgo: number) => {
      await writeFile(path.join(place, name), csv(products));
      const at = new Date(Date.now() - secondsAgo * 1_000);
      await utimes(path.join(place, name), at, at);
    };
    await put('monday.csv', many(1), 9_000);
    await put('tuesday.csv', many(2), 600);
    await put('wednesday.csv', many(3), 2);
    await put('thursday.csv.part', many(4), 600);
    await put('.hidden.csv', many(4), 500);
    const id = await source({ kind: 'folder', location: 'awin' });
    expect((await runNow(id)).counts).toMatchObject({ new: 2 });
    await queueImport(database.db, { sourceId: id, actor: 'system' });
    expect((await work())[0]?.state).toBe('unchanged');
    const lost = await source({ kind: 'folder', location: 'nowhere', name: 'Lost' });
    expect((await runNow(lost)).error).toContain('no folder feeds/nowhere');
  });

  test('deletes the copy of an oversized file', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1024 * 1024);
    }
    await expect(storeFeedFile(folder, endless())).rejects.toThrow(FeedError);
    expect(await readdir(path.join(folder, 'imports'))).toEqual([]);
    await storeFeedFile(folder, [Buffer.from('x')] as unknown as AsyncIterable<Uint8Array>);
    const nextMonth = new Date(Date.now() + 30 * 86_400_000);
    expect(await removeOldFeedFiles(folder, 7, nextMonth)).toBe(1);
  });
});

describe('the queue', () => {
  test('creates one run for two clicks, and cancels a waiting run immediately', async () => {
    const id = await source();
    const first = await queueImport(database.db, { sourceId: id, actor: 'u1' });
    expect(await queueImport(database.db, { sourceId: id, actor: 'u2' })).toBe(first);
    expect(await cancelImport(database.db, first ?? 0)).toBe(true);
    expect(await cancelImport(database.db, first ?? 0)).toBe(false);
    expect(await work()).toEqual([]);
    expect(await queueImport(database.db, { sourceId: 999, actor: 'u1' })).toBeNull();
  });

  test('R30: closes a run whose process died, and continues with the queue', async () => {
    const id = await source();
    const run = await queueImport(database.db, { sourceId: id, actor: 'u1' });
    await database.db
      .updateTable('import_runs')
      .set({ state: 'running', beat_at: sql<Date>`now() - interval '2 minutes'` })
      .execute();
    await work();
    expect(await runRow(run)).toMatchObject({ state: 'interrupted' });
  });

  test('deletes a run’s row results after a month, and keeps the run', async () => {
    const id = await source();
    const { runId } = await deliver(id, many(2));
    await forgetOldImports(services());
    expect(await changesOf(runId)).toBe(2);
    await sql`update import_runs set started_at = now() - interval '31 days'`.execute(database.db);
    await forgetOldImports(services());
    expect(await changesOf(runId)).toBe(0);
    expect(await runRow(runId)).toMatchObject({ state: 'done' });
  });
});

describe('a source', () => {
  test('stores a source’s columns and categories, lists its last run, and keeps its deals when deleted', async () => {
    const id = await source();
    await deliver(id, many(2));
    const category = await database.db
      .selectFrom('categories')
      .select('id')
      .executeTakeFirstOrThrow();
    await saveMappings(database.db, id, {
      mapping: { title: 'availability' },
      categoryMapping: { 'Home > Pots': category.id },
    });
    stock.text = csv(many(3)).replaceAll('Home', 'HOME>pots');
    expect((await runNow(id)).counts).toMatchObject({ new: 1, changed: 2 });
    expect(await deal('3')).toMatchObject({ title: 'in stock', category_id: category.id });
    const [listed] = await listFeedSources(database.db);
    expect(listed).toMatchObject({ live_deals: 3, last_state: 'done', merchant: 'Example Shop' });
    expect(await deleteFeedSource(database.db, 'u1', id)).toBe(true);
    expect(await deleteFeedSource(database.db, 'u1', id)).toBe(false);
    expect(await deal('3')).toMatchObject({ feed_source_id: null, is_expired: false });
  });

  test('rejects an invalid source with a message next to the field', () => {
    const errors = (fields: Record<string, string>) =>
      feedSourceInput
        .safeParse({
          name: 'A',
          merchant: 'B',
          kind: 'url',
          location: 'https://x.example',
          ...fields,
        })
        .error?.issues.map((issue) => `${issue.path.join()}: ${issue.message}`);
    expect(errors({})).toBeUndefined();
    expect(errors({ name: ' ' })).toEqual(['name: Name is required']);
    expect(errors({ location: 'ftp://x.example' })).toEqual(['location: Must be a valid URL']);
    expect(errors({ kind: 'folder', location: '../secrets' })?.[0]).toContain('in the data folder');
    expect(errors({ kind: 'upload', schedule_minutes: '60' })).toEqual([
      'schedule_minutes: An uploaded file has no schedule',
    ]);
    expect(errors({ currency: 'dollars' })).toEqual(['currency: Three letters, such as USD']);
  });

  test('parses a source’s mappings from a form', () => {
    const form = new FormData();
    form.set('map.title', ' label ');
    form.set('map.brand', '');
    form.set('category.0.name', 'A > B');
    form.set('category.0.id', '7');
    form.set('category.1.name', 'C');
    form.set('category.1.id', '');
    expect(readMapping(form)).toEqual({ title: 'label' });
    expect(readCategoryMapping(form)).toEqual({ 'A > B': 7 });
  });
});

test('previews a source’s columns, rows and categories even if required fields are not mapped', async () => {
  const file = path.join(folder, 'strange.csv');
  await writeFile(
    file,
    'code;label;now;group\n1;Cup;5;Home > Cups\n2;Pot;6;Home > Pots\n3;Mug;6;Home > Cups\n',
  );
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const mapping = { title: 'label', category: 'group' };
  const seen = await previewFeed(file, { format: 'auto', mapping, sizeLimits });
  expect(seen).toMatchObject({
    ok: true,
    preview: {
      format: 'csv',
      columns: ['code', 'label', 'now', 'group'],
      chosen: { title: 'label', category: 'group' },
      categories: [
        { name: 'Home > Cups', rows: 2 },
        { name: 'Home > Pots', rows: 1 },
      ],
    },
  });
  await writeFile(file, 'hello');
  expect(await previewFeed(file, { format: 'auto', mapping: {}, sizeLimits })).toMatchObject({
    ok: false,
    reason: expect.stringContaining('the format is unknown'),
  });
});

test('suggests deals with one GTIN as duplicates, but lets only a person hide them or mark them as different', async () => {
  const id = await source();
  const gtin = '4006381333931';
  await deliver(id, [
    { id: 'a', price: '20', gtin },
    { id: 'b', price: '15', gtin },
  ]);
  const other = await source({ name: 'Other', merchant: 'Other Shop' });
  await deliver(other, [{ id: 'c', price: '10', gtin }]);
  await matchProducts(database.db);
  await suggestMatches(database.db);
  const pairs = await listSuggestions(database.db, 1);
  expect(
    pairs.map((pair) => [pair.isSameMerchant, pair.deals.map((one) => one.sale_price)]),
  ).toEqual([
    [true, [1_500, 2_000]],
    [false, [1_000, 2_000]],
    [false, [1_000, 1_500]],
  ]);
  const [a, b, c] = [await deal('a'), await deal('b'), await deal('c')];
  const judge = (verdict: Verdict, one: number, two: number) =>
    judgePair(database.db, 'u1', verdict, { one, other: two });
  expect(await judge('different', c.id, b.id)).toBe(true);
  expect(await judge('different', b.id, c.id)).toBe(false);
  expect(await judge('hide', b.id, a.id)).toBe(true);
  expect(await judge('hide', b.id, a.id)).toBe(false);
  expect(await listSuggestions(database.db, 1)).toEqual([]);
  expect(await deal('a')).toMatchObject({ is_active: false });
});

describe('the six sample deals', () => {
  // Proves Back office 3: sample deal source (sample-deals.ts)
  // Proves Back office 7: Import routine: six sample deals (import-sample-deals.server.ts)
  // Proves Back office 8: Import error strings (import-messages.ts)
  // Proves Back office 9: Sample set: 2, 3, 5, 7, 10, 12 days, featured 30 % (sample-deals.ts)
  // Proves P45: local logos (import-sample-deals.server.ts)
  test('imports the six sample deals once with merchants and local pictures, and updates them later', async () => {
    await database.db
      .insertInto('categories')
      .values([{ name: 'Electronics', slug: 'electronics' }])
      .execute();
    const now = new Date('2026-03-01T12:00:00Z');
    const options = { media: openFolderMedia(folder), now, random: () => 0.29 };
    const first = await importSampleDeals(database.db, options);
    expect(first.imported).toBe(3);
    expect(first.errors).toContain(
      'Category Fashion not found for deal Canvas backpack with a laptop sleeve',
    );
    await database.db
      .insertInto('categories')
      .values({ name: 'Fashion', slug: 'fashion' })
      .execute();
    expect(await importSampleDeals(database.db, { ...options, random: () => 0.3 })).toEqual({
      imported: 6,
      errors: [],
    });
    const deals = await database.db.selectFrom('deals').selectAll().orderBy('expires_at').execute();
    const days = deals.map(
      (one) => ((one.expires_at?.getTime() ?? 0) - now.getTime()) / 86_400_000,
    );
    expect(days).toEqual([2, 3, 5, 7, 10, 12]);
    expect(deals.filter((one) => one.is_featured)).toHaveLength(3);
    for (const one of deals) expect(one.image_url).toMatch(/^\/media\/demo\//);
    const merchants = await database.db.selectFrom('merchants').selectAll().orderBy('id').execute();
    expect(merchants[0]).toMatchObject({
      name: 'Northwind Audio',
      description: 'Official Northwind Audio store',
      website_url: 'https://northwind-audio.example',
      logo_url: expect.stringMatching(/^\/media\/demo\/logo-/),
    });
  });

  const [one] = sampleDeals;
  // Proves Back office 8: Import error strings
  test.each([
    ['insert on merchants', `Failed to create merchant ${one?.merchantName}: the shelf fell`],
    ['insert on deals', `Failed to create deal ${one?.title}: the shelf fell`],
    ['update on deals', `Failed to update deal ${one?.title}: the shelf fell`],
    ['commit', `Unexpected error processing deal ${one?.title}: the shelf fell`],
  ])(
    'reports the error of a sample deal when the database rejects an %s',
    async (when, sentence) => {
      const { db } = database;
      const names = [...new Set(sampleDeals.map(({ categoryName }) => categoryName))];
      const categories = names.map((name) => ({ name, slug: name.toLowerCase() }));
      await db.insertInto('categories').values(categories).execute();
      const run = () => importSampleDeals(db, { media: openFolderMedia(folder), now: new Date() });
      if (when === 'update on deals') await run();
      const trigger =
        when === 'commit'
          ? sql`create constraint trigger shelf after insert on deals deferrable initially deferred
            for each row execute function fall()`
          : sql`create trigger shelf before ${sql.raw(when)} for each row execute function fall()`;
      await sql`create function fall() returns trigger language plpgsql as
      $$ begin raise exception 'the shelf fell'; end $$`.execute(db);
      try {
        await trigger.execute(db);
        const failed = await run();
        expect(failed.imported).toBe(0);
        expect(failed.errors).toHaveLength(6);
        expect(failed.errors[0]).toBe(sentence);
      } finally {
        await sql`drop function fall cascade`.execute(db);
      }
      expect(await run()).toEqual({ imported: 6, errors: [] });
    },
  );
});

function services() {
  return {
    db: database.db,
    env: readEnv({ NODE_ENV: 'test', DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    log: createLog('silent'),
    now: () => new Date(),
  };
}

function work() {
  return runQueuedImports(services(), undefined, { allowPrivate: true });
}

async function source(fields: Record<string, string> = {}): Promise<number> {
  const input = feedSourceInput.parse({
    name: 'Example feed',
    merchant: 'Example Shop',
    kind: 'url',
    location: address,
    groups_variants: 'on',
    ends_missing: 'on',
    is_active: 'on',
    ...fields,
  });
  return (await saveFeedSource(database.db, 'u1', input)) ?? 0;
}

function many(count: number): Product[] {
  return Array.from({ length: count }, (_, n) => ({ id: String(n + 1) }));
}

function csv(products: Product[]): string {
  const lines = products.map(
    ({
      id,
      title = `Thing ${id}`,
      price = '20',
      group = '',
      availability = 'in stock',
      gtin = '',
    }) =>
      [id, title, `https://shop.example/${id}`, price, 'Home', group, availability, gtin].join(','),
  );
  return `id,title,link,price,product type,item group id,availability,gtin\n${lines.join('\n')}\n`;
}

async function deliver(sourceId: number, products: Product[]) {
  stock.text = csv(products);
  return runNow(sourceId);
}

async function runNow(sourceId: number, wish: { isDryRun?: boolean } = {}) {
  await queueImport(database.db, { sourceId, actor: 'u1', ...wish });
  const [report] = await work();
  if (!report) throw new Error('nothing ran');
  return report;
}

async function makeDue(id: number): Promise<void> {
  await database.db
    .updateTable('feed_sources')
    .set({ next_run_at: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute();
}

function find(externalId: string) {
  return database.db
    .selectFrom('deals')
    .selectAll()
    .where('external_id', '=', externalId)
    .executeTakeFirst();
}

async function deal(externalId: string) {
  const found = await find(externalId);
  if (!found) throw new Error(`no deal ${externalId}`);
  return found;
}

function runRow(id: number | null) {
  return database.db
    .selectFrom('import_runs')
    .selectAll()
    .where('id', '=', id ?? 0)
    .executeTakeFirstOrThrow();
}

function logOf(externalId: string) {
  return database.db
    .selectFrom('price_log')
    .innerJoin('deals', 'deals.id', 'price_log.deal_id')
    .select(['price_log.sale_price', 'price_log.import_run_id'])
    .where('external_id', '=', externalId)
    .orderBy('price_log.id')
    .execute();
}

async function changesOf(runId: number | null): Promise<number> {
  const rows = await database.db
    .selectFrom('import_changes')
    .select('deal_id')
    .where('import_run_id', '=', runId ?? 0)
    .execute();
  return rows.length;
}
