import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeDeals, undoEdit } from '#app/features/deals/change-deals.server.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { importFeed } from '../runs/import-feed.server.ts';
import { rollBackImport } from './roll-back-import.server.ts';

// Random sequences of imports, edits by staff, undone edits, and rollbacks in any order. In the
// reference model a deal is a stack of layers, each with a price and its author. A rollback removes
// a run's layer if it is on top, and the run's lines of the price log. A failure prints its seed
// and the shortest failing sequence; TEST_SEED=random uses new sequences.

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
  /** The order in which runs with remaining changes are rolled back, newest first. */
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

/** `run` is `null` if staff set the price. */
interface Layer {
  run: number | null;
  price: number;
}

interface Run {
  id: number;
  restored: number;
  removed: number;
}

interface Line {
  price: number;
  /** `null` if a price was restored. */
  by: number | 'staff' | null;
}

interface World {
  deals: Map<string, Layer[]>;
  /** The price log's lines that are not voided, by deal. */
  logs: Map<string, Line[]>;
  runs: Run[];
  edits: { deal: string; batch: string; was: number; is: number }[];
}

/** Logs a price, unless the last line that is not voided has the same one. */
function log({ logs }: World, name: string, line: Line) {
  const lines = logs.get(name) ?? [];
  if (lines.at(-1)?.price !== line.price) lines.push(line);
  logs.set(name, lines);
}

/** Voids a price that staff typed, since all edits in this test happen within the hour. */
function voidTyped({ logs }: World, name: string) {
  if (logs.get(name)?.at(-1)?.by === 'staff') logs.get(name)?.pop();
}

const isLeft = ({ deals }: World, { id: run }: Run) =>
  [...deals.values()].some((layers) => layers.some((layer) => layer.run === run));
const top = (layers: Layer[] = []) => layers.at(-1);

function takeBackAll(world: World, run: Run) {
  const { deals, logs } = world;
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
    const former = top(layers);
    if (former) {
      run.restored += 1;
      logs.set(
        name,
        (logs.get(name) ?? []).filter(({ by }) => by !== run.id),
      );
      log(world, name, { price: former.price, by: null });
    } else {
      logs.delete(name);
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

test.each(seeds)(
  'rolls back runs layer by layer in random sequences with seed %i',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        shops += 1;
        const shop = `Shop ${shops}`;
        const { id: merchantId } = await insertMerchant(database.db, {
          name: shop,
          slug: `shop-${shops}`,
        });
        const world: World = { deals: new Map(), logs: new Map(), runs: [], edits: [] };
        for (const one of steps) {
          const { said, wanted } = await doStep(world, one, { shop, merchantId });
          expect(said).toEqual(wanted);
          const prices = [...world.deals].map(([name, layers]) => [name, top(layers)?.price]);
          expect(await pricesOf(merchantId)).toEqual(Object.fromEntries(prices));
          expect(await logsOf(merchantId)).toEqual(
            Object.fromEntries(
              [...world.logs].map(([name, lines]) => [name, lines.map((line) => line.price)]),
            ),
          );
          await compareStates(world);
        }
      }),
      { seed, numRuns: 6 },
    );
  },
);

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
      log(world, name, { price: given, by: run });
    }
  } else if ('edit' in one) {
    const was = top(deals.get(one.edit))?.price;
    if (was !== undefined && was !== one.price) {
      const batch = await typePrice(one.edit, one.price, shop);
      edits.push({ deal: one.edit, batch, was, is: one.price });
      setPrice(world, one.edit, one.price);
    }
  } else if ('undo' in one) {
    const edit = edits.pop();
    if (edit) await undoEdit(database.db, { actor: 'u1', batch: edit.batch });
    if (edit && top(deals.get(edit.deal))?.price === edit.is) setPrice(world, edit.deal, edit.was);
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

function setPrice(world: World, name: string, sale_price: number) {
  world.deals.get(name)?.push({ run: null, price: sale_price });
  voidTyped(world, name);
  log(world, name, { price: sale_price, by: 'staff' });
}

async function typePrice(deal: string, amount: number, { merchantId }: Shop): Promise<string> {
  const { id: dealId } = await database.db
    .selectFrom('deals')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('external_id', '=', deal)
    .executeTakeFirstOrThrow();
  const edit = { field: 'sale_price', amount, seen: 'infinity' } as const;
  const change = { actor: 'u1', verb: 'price', categoryId: null, edit } as const;
  const result = await changeDeals(database.db, change, { ids: [dealId] });
  if (!result.ok || result.state !== 'done') throw new Error('The price was not changed.');
  return result.batch;
}

async function logsOf(merchantId: number): Promise<Record<string, number[]>> {
  const { rows } = await sql<{ name: string; prices: number[] }>`
    select d.external_id as name, array_agg(l.sale_price order by l.id) as prices
      from valid_prices l join deals d on d.id = l.deal_id where d.merchant_id = ${merchantId} group by d.id`.execute(
    database.db,
  );
  return Object.fromEntries(rows.map(({ name, prices }) => [name, prices]));
}

async function pricesOf(merchantId: number): Promise<Record<string, number>> {
  const deals = await database.db
    .selectFrom('deals')
    .select(['external_id', 'sale_price'])
    .where('merchant_id', '=', merchantId)
    .execute();
  return Object.fromEntries(deals.map((deal) => [deal.external_id ?? '', deal.sale_price]));
}

/** A run is considered rolled back if it had changes and none is left. */
async function compareStates(world: World): Promise<void> {
  const rows = await database.db.selectFrom('import_runs').select(['id', 'state']).execute();
  const states = new Map(rows.map((row) => [row.id, row.state]));
  for (const run of world.runs) {
    const isWhole = !isLeft(world, run) && run.restored + run.removed > 0;
    expect(states.get(run.id)).toBe(isWhole ? 'rolled_back' : 'done');
  }
}
