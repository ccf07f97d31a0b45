import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { runQueuedImports } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { storeFeedFile } from '#app/features/feeds/sources/feed-files.server.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
let folder = '';
let staff: TestVisitor;
let sourceId = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'run-rehearsal-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  const { env } = testServices(database, { DATA_DIR: folder });
  staff = await signedInVisitor(database, testSite(database, { env }), 'admin');
  const input = { merchant: 'Kettle House', name: 'Feed', kind: 'upload', ends_missing: 'on' };
  sourceId = (await saveFeedSource(database.db, 'u1', feedSourceInput.parse(input))) ?? 0;
});

const head = 'id,title,link,price,sale price,image link,product type';
const kettle = (id: number, was: number, now: number) =>
  `${id},Kettle ${id},https://shop.example/${id},${was},${now},https://shop.example/${id}.jpg,Kitchen`;

async function run(lines: string[], isDryRun: boolean): Promise<string> {
  const body = Readable.from([Buffer.from([head, ...lines].join('\n'))]);
  const file = { path: await storeFeedFile(folder, body), name: 'feed.csv' };
  const id = await queueImport(database.db, { sourceId, actor: 'u1', file, isDryRun });
  await runQueuedImports(testServices(database, { DATA_DIR: folder }));
  const { html } = await staff.open(`/admin/imports/runs/${id}`);
  return /<main.*<\/main>/s.exec(html)?.[0] ?? '';
}

const countOf = async (table: 'deals' | 'categories' | 'price_log' | 'import_changes') =>
  (await database.db.selectFrom(table).selectAll().execute()).length;

describe('the page of a dry run', () => {
  test('shows three cards of a dry run with discounts and pictures, and writes nothing', async () => {
    const before = await countOf('categories');
    const page = await run(
      [1, 2, 3, 4].map((id) => kettle(id, 40, 30)),
      true,
    );
    expect(page.match(/<article/g)).toHaveLength(3);
    expect(textOf(page)).toContain('How the first deals will look Kettle 1, $30.00');
    expect(page).toContain('src="https://shop.example/1.jpg"');
    expect(textOf(page)).toMatch(/−?25%/);
    expect(textOf(page)).toContain('New categories Kitchen .');
    expect(await countOf('deals')).toBe(0);
    expect(await countOf('price_log')).toBe(0);
    expect(await countOf('import_changes')).toBe(0);
    expect(await countOf('categories')).toBe(before);
  });

  test('lists the deals that a dry run would end, and shows cards only for changed prices', async () => {
    await run(
      [1, 2, 3, 4, 5].map((id) => kettle(id, 40, 30)),
      false,
    );
    const page = await run([kettle(1, 40, 25), ...[2, 3, 4].map((id) => kettle(id, 40, 30))], true);
    expect(page.match(/<article/g)).toHaveLength(1);
    expect(textOf(page)).toContain('Kettle 1, $25.00');
    expect(textOf(page)).toContain('Deals that would end Kettle 5');
    expect(textOf(page)).not.toContain('New categories');
    const prices = await database.db
      .selectFrom('deals')
      .select('sale_price')
      .orderBy('id')
      .execute();
    expect(prices.map((deal) => deal.sale_price)).toEqual([3000, 3000, 3000, 3000, 3000]);
  });
});
