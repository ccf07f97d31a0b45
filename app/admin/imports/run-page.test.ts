import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { underImportLock } from '#app/features/feeds/runs/import-queries.server.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { runQueuedImports } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

// Tests a run's page as staff use it: uploads a real feed, which the job imports.

const database = useTestDatabase();
let folder = '';
let staff: TestVisitor & { userId: string };
const env = () =>
  readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder, LOG_LEVEL: 'silent' });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'run-page-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  staff = await signedInVisitor(database, testSite(database, { env: env() }), 'admin');
});

const head = 'id,title,link,price,product type';
const line = (id: number, price: number | string = 20) =>
  `${id},Kettle ${id},https://shop.example/${id},${price},Kitchen`;
const feedOf = (ids: number[], price?: number | string) =>
  [head, ...ids.map((id) => line(id, price))].join('\n');
const tenKettles = Array.from({ length: 10 }, (_, n) => n + 1);

/**
 * Uploads a feed to a new source or to source 1. Returns the stored copy, as the columns page does.
 */
async function upload(text: string): Promise<{ path: string; name: string }> {
  const form = new FormData();
  const source = await database.db.selectFrom('feed_sources').select('id').executeTakeFirst();
  if (source) form.set('source', String(source.id));
  else form.set('merchant', 'Kettle House');
  form.set('file', new File([text], 'feed.csv'));
  const cookie = [...staff.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await testSite(database, { env: env() }).request('/admin/imports/upload', {
    method: 'POST',
    headers: { cookie },
    body: form,
  });
  const { searchParams } = new URL(answer.headers.get('location') ?? '', testOrigin);
  return { path: searchParams.get('file') ?? '', name: searchParams.get('name') ?? '' };
}

/** Returns a run of this feed that the job has finished. */
async function run(text: string, more: { isDryRun?: boolean } = {}): Promise<number> {
  const file = await upload(text);
  const id = await queueImport(database.db, { sourceId: 1, actor: staff.userId, file, ...more });
  await work();
  return id ?? 0;
}
const work = () =>
  runQueuedImports({
    db: database.db,
    env: env(),
    log: createLog('silent'),
    now: () => new Date(),
  });

const pageOf = (id: number) => `/admin/imports/runs/${id}`;
const open = async (id: number) => {
  const { html } = await staff.open(pageOf(id));
  return { html, words: textOf(/<main.*<\/main>/s.exec(html)?.[0] ?? '') };
};
const act = (id: number, fields: Record<string, string>) => staff.send(pageOf(id), fields);
/** Returns the intents of the page's forms. */
const intentsOf = (html: string) =>
  [...tagsOf(html, 'input'), ...tagsOf(html, 'button')]
    .filter((tag) => tag.includes('name="intent"'))
    .map((tag) => /value="([^"]+)"/.exec(tag)?.[1]);
const stateOf = async (id: number) =>
  (
    await database.db
      .selectFrom('import_runs')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;
const liveDeals = async () =>
  (
    await database.db
      .selectFrom('deals')
      .select('external_id')
      .where('is_active', '=', true)
      .where('is_expired', '=', false)
      .execute()
  ).length;

describe('a finished run', () => {
  test('shows a finished run’s results, who started it, and which rows need review', async () => {
    const id = await run(`${feedOf([1, 2])}\n${line(3, 'ask')}`);
    const { html, words } = await open(id);
    expect(words).toContain(`Import ${id} Kettle House, uploads Done`);
    expect(words).toMatch(/New 2 Changed 0 Unchanged 0 Ended 0 Rejected 1/);
    expect(words).toContain('Line Product Result Reason 4 3 Rejected price is not a number: ask');
    expect(html).toContain(`href="${pageOf(id)}/report"`);
    expect(intentsOf(html)).toEqual(['roll-back']);
  });

  test('asks to confirm a rollback with its number of deals, and rolls back once', async () => {
    const id = await run(feedOf(tenKettles));
    expect((await open(id)).words).toContain(
      `Roll back import ${id}? 10 deals are restored to their earlier`,
    );
    const done = await act(id, { intent: 'roll-back' });
    expect([done.status, done.headers.get('location')]).toEqual([302, pageOf(id)]);
    expect(flashOf(done)).toBe('The import was rolled back.');
    expect(await liveDeals()).toBe(0);
    const { html, words } = await open(id);
    expect(words).toContain('Rolled back: 0 restored, 10 new ones removed');
    expect(intentsOf(html)).toEqual([]);
    expect(flashOf(await act(id, { intent: 'roll-back' }))).toBe('There is nothing to roll back.');
  });

  test('explains what a rollback skipped, and offers to retry it', async () => {
    const id = await run(feedOf([1, 2]));
    const later = await run(feedOf([1], 25));
    expect(flashOf(await act(id, { intent: 'roll-back' }))).toBe(
      '1 deal was skipped. See the table below for the reasons.',
    );
    const { html, words } = await open(id);
    expect(words).toContain('Partly rolled back: 0 restored, 1 new ones removed');
    expect(words).toContain(`Import ${id} Kettle House, uploads Partly rolled back`);
    const { html: list } = await staff.open('/admin/imports');
    expect(textOf(list).match(/Partly rolled back|Done/g)).toEqual(['Partly rolled back']);
    expect(words).toContain(`import ${later} changed the deal later; roll that one back first`);
    expect(words).toContain(`Roll back the rest of import ${id}?`);
    expect(intentsOf(html)).toEqual(['roll-back']);
  });

  test('exports a finished run’s report as a file with the result for each deal', async () => {
    const id = await run(feedOf([1]));
    const report = await staff.open(`${pageOf(id)}/report`);
    expect(report.headers.get('content-disposition')).toContain('attachment');
    expect(report.html).toContain('created,1,,Kettle 1,,,20.00,USD,');
  });

  test('delays a rollback while another import runs', async () => {
    const id = await run(feedOf([1]));
    const answer = await underImportLock(database.db, () => act(id, { intent: 'roll-back' }));
    if (!answer) throw new Error('the lock was not to be had');
    expect(flashOf(answer)).toBe('Another import is running. Try again when it has finished.');
    expect(await liveDeals()).toBe(1);
  });

  test('rejects the cancellation of a finished run', async () => {
    const id = await run(feedOf([1]));
    expect(flashOf(await act(id, { intent: 'cancel' }))).toBe('The import has already ended.');
    expect(await stateOf(id)).toBe('done');
  });
});

describe('a large rollback', () => {
  test('shows a large rollback’s progress without other actions, and refreshes its page', async () => {
    const id = await run(feedOf(tenKettles));
    await database.db
      .updateTable('import_runs')
      .set({
        rolled_back_by: staff.userId,
        rollback: JSON.stringify({ restored: 21, removed: 8, hidden: 1, skipped: 0 }),
      })
      .execute();
    const { html, words } = await open(id);
    expect(words).toContain(
      'Rolling back 30 of 40 deals. You can leave this page: the rollback continues.',
    );
    const [progress = ''] = tagsOf(html, 'progress');
    expect(progress).toContain('max="40"');
    expect(progress).toContain('value="30"');
    expect(html).toContain('http-equiv="refresh"');
    expect(intentsOf(html)).toEqual([]);
    await work();
    expect((await open(id)).words).toContain('Rolled back: 21 restored, 18 new ones removed');
  });
});

describe('a waiting run', () => {
  test('imports nothing when a waiting run is canceled before it starts', async () => {
    const file = await upload(feedOf([1]));
    const id = (await queueImport(database.db, { sourceId: 1, actor: staff.userId, file })) ?? 0;
    const { html, words } = await open(id);
    expect(words).toContain('Waiting to start');
    expect(intentsOf(html)).toEqual(['cancel']);
    expect(flashOf(await act(id, { intent: 'cancel' }))).toBe(
      'The import stops after the current batch.',
    );
    await work();
    expect(await stateOf(id)).toBe('cancelled');
    expect(await liveDeals()).toBe(0);
    expect(flashOf(await act(id, { intent: 'roll-back' }))).toBe('There is nothing to roll back.');
  });

  test('rejects the rollback of a run that has not ended', async () => {
    const file = await upload(feedOf([1]));
    const id = (await queueImport(database.db, { sourceId: 1, actor: staff.userId, file })) ?? 0;
    expect(flashOf(await act(id, { intent: 'roll-back' }))).toBe(
      'The import is still running. Cancel it first.',
    );
    expect(await stateOf(id)).toBe('queued');
  });
});

describe('a dry run', () => {
  test('changes nothing in a dry run, lists each price change, and offers to run the same feed', async () => {
    await run(feedOf([1, 2], 20));
    const id = await run(feedOf([1, 2, 3], 25), { isDryRun: true });
    const { html, words } = await open(id);
    expect(words).toContain(`Dry run ${id}`);
    expect(words).toContain('Nothing has been changed yet.');
    expect(words).toMatch(/New 1 Changed 2 Unchanged 0 Ending 0/);
    expect(words).toContain('Price changes');
    expect(words).toMatch(/Kettle 1 line 2 \$20\.00 \$25\.00 \+ ?25 ?%/);
    expect(await liveDeals()).toBe(2);
    expect(html).not.toContain(`${pageOf(id)}/report`);

    const began = await act(id, { intent: 'import' });
    expect(flashOf(began)).toBe('The import has started.');
    const next = began.headers.get('location') ?? '';
    expect(next).toBe(pageOf(id + 1));
    // A second click does not start another run.
    expect((await act(id, { intent: 'import' })).headers.get('location')).toBe(next);
    await work();
    expect(await liveDeals()).toBe(3);
    expect((await open(id + 1)).words).toMatch(/New 1 Changed 2/);
  });

  test('asks in a dry run whether to end many deals, and applies the answer in the run', async () => {
    await run(feedOf(tenKettles));
    const id = await run(feedOf([1, 2, 3]), { isDryRun: true });
    expect((await open(id)).words).toContain('7 deals would end');
    await act(id, { intent: 'import', may_end_many: 'on' });
    await work();
    expect(await stateOf(id + 1)).toBe('done');
    expect(await liveDeals()).toBe(3);
  });

  test('neither rolls back a dry run nor asks about ending its deals', async () => {
    const id = await run(feedOf([1]), { isDryRun: true });
    expect(flashOf(await act(id, { intent: 'roll-back' }))).toBe('This run cannot be rolled back.');
    expect(flashOf(await act(id, { intent: 'end' }))).toBe('This has already been decided.');
  });

  test('does not start a run from a dry run if the source was deleted', async () => {
    const id = await run(feedOf([1]), { isDryRun: true });
    await database.db.updateTable('import_runs').set({ feed_source_id: null }).execute();
    const { html } = await open(id);
    expect(intentsOf(html)).toEqual([]);
    expect((await act(id, { intent: 'import' })).status).toBe(400);
  });
});

describe('a run that asks whether to end deals', () => {
  const ask = async () => {
    await run(feedOf(tenKettles));
    return run(feedOf([1, 2, 3]));
  };

  test('keeps deals until staff answer whether a run may end them', async () => {
    const id = await ask();
    const { html, words } = await open(id);
    expect(words).toContain('End 7 deals?');
    expect(intentsOf(html)).toEqual(['keep', 'end']);
    expect(await liveDeals()).toBe(10);
  });

  test('ends a run’s waiting deals once when staff agree', async () => {
    const id = await ask();
    expect(flashOf(await act(id, { intent: 'end' }))).toBe('7 deals ended.');
    expect(await liveDeals()).toBe(3);
    expect(flashOf(await act(id, { intent: 'end' }))).toBe('This has already been decided.');
    expect((await open(id)).words).not.toContain('End 7 deals?');
  });

  test('uses the singular when a run asks about one deal', async () => {
    await run(feedOf([1, 2]));
    const id = await run(feedOf([1]));
    expect(flashOf(await act(id, { intent: 'end' }))).toBe('1 deal ended.');
  });

  test('keeps a run’s waiting deals and stops asking when staff refuse', async () => {
    const id = await ask();
    expect(flashOf(await act(id, { intent: 'keep' }))).toBe('The deals are kept.');
    expect(await liveDeals()).toBe(10);
    expect(await stateOf(id)).toBe('done');
    expect(flashOf(await act(id, { intent: 'end' }))).toBe('This has already been decided.');
    expect(await liveDeals()).toBe(10);
  });

  test('delays the end of a run’s deals while another import runs', async () => {
    const id = await ask();
    const answer = await underImportLock(database.db, () => act(id, { intent: 'end' }));
    if (!answer) throw new Error('the lock was not to be had');
    expect(flashOf(answer)).toBe('Another import is running. Try again when it has finished.');
    expect(await stateOf(id)).toBe('asking');
  });
});

test.each(['', 'explode', '__proto__', 'End'])(
  'ignores an unknown intent on the page of a run: %j',
  async (intent) => {
    const id = await run(feedOf([1]));
    expect((await act(id, { intent })).status).toBe(400);
    expect(await stateOf(id)).toBe('done');
  },
);

test('does not show a file outside the folder of copies, even if the URL of the columns page names it', async () => {
  await upload(feedOf([1]));
  for (const file of ['../../../../etc/passwd', '/etc/passwd', '..%2f..%2fetc%2fpasswd', '.']) {
    const { status, html } = await staff.open(
      `/admin/imports/sources/1/columns?file=${encodeURIComponent(file)}&name=x`,
    );
    expect(status).toBe(200);
    expect(html).not.toContain('root:');
    expect(textOf(html)).toContain('There is no feed to read.');
  }
});
