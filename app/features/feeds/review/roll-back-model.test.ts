import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { importFeed } from '../runs/import-feed.server.ts';
import { rollBackImport } from './roll-back-import.server.ts';

// Random walks of imports, edits by staff, their undoing and rollbacks in any order. In the reference a deal is a pile of layers,
// each a price and whose it is. A rollback takes a run's layer where it lies on top. A failure prints its seed and the shortest
// walk that fails; TEST_SEED=random draws walks that no run has seen.

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rollback-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Feed = Record<string, number>;
type Step =
  | { bring: Feed }
  | { edit: string; price: number }
  | { undo: true }
  /** Which of the runs of which something is left, from the newest, in which order. */
  | { takeBack: number[] };

const id = fc.constantFrom('a', 'b');
const price = fc.constantFrom(5_000, 6_000, 7_000, 10_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.dictionary(id, price, { minKeys: 1 }).map((feed) => ({ bring: feed })),
  },
  { weight: 2, arbitrary: fc.record({ edit: id, price }) },
  { weight: 1, arbitrary: fc.constant({ undo: true as const }) },
  { weight: 3, arbitrary: fc.shuffledSubarray([0, 1, 2]).map((takeBack) => ({ takeBack })) },
);
const walk = fc.array(step, { minLength: 4, maxLength: 9, size: 'max' });

/** `run` is null where staff set the price. */
interface Layer {
  run: number | null;
  price: number;
}

interface Run {
  id: number;
  restored: number;
  removed: number;
}

interface World {
  deals: Map<string, Layer[]>;
  runs: Run[];
  edits: { deal: string; before: number }[];
}

const isLeft = ({ deals }: World, { id: run }: Run) =>
  [...deals.values()].some((layers) => layers.some((layer) => layer.run === run));
const top = (layers: Layer[] = []) => layers.at(-1);

function takeBackAll({ deals }: World, run: Run) {
  let skipped = 0;
  let taken = 0;
  for (const [name, layers] of deals) {
    if (!layers.some((layer) => layer.run === run.id)) continue;
    if (top(layers)?.run !== run.id) {
      skipped += 1;
      continue;
    }
    taken += 1;
    layers.pop();
    if (layers.length > 0) run.restored += 1;
    else {
      run.removed += 1;
      deals.delete(name);
    }
  }
  if (skipped + taken === 0) return { ok: false, reason: 'nothing-to-undo' };
  const { restored, removed } = run;
  return { ok: true, counts: { restored, removed, hidden: 0, skipped } };
}

const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4];
let shops = 0;

test.each(seeds)('runs are rolled back layer by layer on walks of seed %i', async (seed) => {
  await fc.assert(
    fc.asyncProperty(walk, async (steps) => {
      shops += 1;
      const shop = `Shop ${shops}`;
      const { id: merchantId } = await insertMerchant(database.db, {
        name: shop,
        slug: `shop-${shops}`,
      });
      const world: World = { deals: new Map(), runs: [], edits: [] };
      for (const one of steps) {
        const { said, wanted } = await doStep(world, one, { shop, merchantId });
        expect(said).toEqual(wanted);
        const prices = [...world.deals].map(([name, layers]) => [name, top(layers)?.price]);
        expect(await pricesOf(merchantId)).toEqual(Object.fromEntries(prices));
        await compareStates(world);
      }
    }),
    { seed, numRuns: 6 },
  );
});

interface Shop {
  shop: string;
  merchantId: number;
}

async function doStep(world: World, one: Step, shop: Shop) {
  const { deals, runs, edits } = world;
  const said: unknown[] = [];
  const wanted: unknown[] = [];
  if ('bring' in one) {
    const run = await bring(one.bring, shop.shop);
    runs.unshift({ id: run, restored: 0, removed: 0 });
    for (const [name, given] of Object.entries(one.bring)) {
      const layers = deals.get(name) ?? [];
      if (top(layers)?.price !== given) layers.push({ run, price: given });
      deals.set(name, layers);
    }
  } else if ('edit' in one) {
    const before = top(deals.get(one.edit))?.price;
    if (before !== undefined) {
      edits.push({ deal: one.edit, before });
      await setPrice(world, one.edit, one.price, shop);
    }
  } else if ('undo' in one) {
    const edit = edits.pop();
    if (edit && deals.has(edit.deal)) await setPrice(world, edit.deal, edit.before, shop);
  } else {
    const left = runs.filter((run) => isLeft(world, run));
    for (const run of one.takeBack.map((n) => left[n] ?? runs[n])) {
      if (!run) continue;
      wanted.push(takeBackAll(world, run));
      said.push(await rollBackImport(database.db, 'u1', run.id));
    }
  }
  return { said, wanted };
}

async function bring(feed: Feed, merchant: string): Promise<number> {
  const file = path.join(folder, 'feed.csv');
  const lines = Object.entries(feed).map(
    ([name, cents]) =>
      `${name},Kettle ${name},https://shop.example/${name},${(cents / 100).toFixed(2)},Home`,
  );
  await writeFile(file, `id,title,link,price,category\n${lines.join('\n')}\n`);
  const { runId } = await importFeed(database.db, { file }, { merchant });
  return runId ?? 0;
}

async function setPrice(world: World, deal: string, sale_price: number, { merchantId }: Shop) {
  world.deals.get(deal)?.push({ run: null, price: sale_price });
  await database.db
    .updateTable('deals')
    .set({ sale_price, version: sql`version + 1` })
    .where('merchant_id', '=', merchantId)
    .where('external_id', '=', deal)
    .execute();
}

async function pricesOf(merchantId: number): Promise<Record<string, number>> {
  const deals = await database.db
    .selectFrom('deals')
    .select(['external_id', 'sale_price'])
    .where('merchant_id', '=', merchantId)
    .execute();
  return Object.fromEntries(deals.map((deal) => [deal.external_id ?? '', deal.sale_price]));
}

/** A run is rolled back when it did something of which nothing is left. */
async function compareStates(world: World): Promise<void> {
  const rows = await database.db.selectFrom('import_runs').select(['id', 'state']).execute();
  const states = new Map(rows.map((row) => [row.id, row.state]));
  for (const run of world.runs) {
    const isWhole = !isLeft(world, run) && run.restored + run.removed > 0;
    expect(states.get(run.id)).toBe(isWhole ? 'rolled_back' : 'done');
  }
}
