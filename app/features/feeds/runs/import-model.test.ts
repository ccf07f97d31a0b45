import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { answerEndings } from '../review/answer-endings.server.ts';
import { decideHeldPrice } from '#app/features/deals/held-prices.server.ts';
import { importFeed } from './import-feed.server.ts';
import type { ImportReport } from './import-steps.ts';
import { rollBackImport } from '../review/roll-back-import.server.ts';

// Compares imports of a source's feeds, with decisions by staff in between, with a naive
// implementation of the rules.

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Row {
  id: string;
  title: string;
  /** null: the feed has a word instead of a price, so that the row is rejected. */
  price: number | null;
  availability: Availability | '';
}

/** The expected state of a deal. Prices in cents. */
interface Deal {
  title: string;
  price: number;
  availability: Availability;
  held: number | null;
  refused: number | null;
  isLive: boolean;
}

type Shop = Map<string, Deal>;

interface Question {
  runId: number;
  ids: Set<string>;
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
// Prices at about a tenth of each other, since larger drops are held.
const prices = [1, 9, 10, 11, 99, 100, 101, 110, 1000, 1001];

const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom(...ids),
  title: fc.constantFrom('Kettle', 'Pot', 'Cup'),
  price: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...prices) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  availability: fc.constantFrom<Row['availability']>('in_stock', 'out_of_stock', ''),
});
const feed = fc.array(row, { minLength: 1, maxLength: 14 });
const decisions = fc.array(fc.constantFrom('approve', 'refuse', 'leave', 'end', 'keep'), {
  maxLength: 4,
});
const history = fc.array(fc.record({ feed, decisions }), { minLength: 2, maxLength: 5 });

const words: Record<Row['availability'], string> = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  unknown: '',
  '': '',
};

let made = 0;

async function newSource(): Promise<{ merchant: string; merchantId: number; sourceId: number }> {
  made += 1;
  const name = `Shop ${made}`;
  const merchant = await insertMerchant(database.db, { name, slug: `shop-${made}` });
  const { id } = await insertFeedSource(database.db, { merchant_id: merchant.id, name });
  return { merchant: name, merchantId: merchant.id, sourceId: id };
}

async function bring(
  rows: readonly Row[],
  source: { merchant: string; sourceId: number },
): Promise<ImportReport> {
  const lines = rows.map(({ id, title, price, availability }) =>
    [
      id,
      title,
      `https://shop.example/${id}`,
      price === null ? 'ask us' : (price / 100).toFixed(2),
      'Home',
      words[availability],
    ].join(','),
  );
  const file = path.join(folder, 'feed.csv');
  await writeFile(file, `id,title,link,price,product type,availability\n${lines.join('\n')}\n`);
  return importFeed(
    database.db,
    { file },
    { merchant: source.merchant, feedSourceId: source.sourceId, endsMissing: true },
  );
}

/** Returns the expected deals after a feed, and the expected counts of its report. */
function expectedAfter(shop: Shop, rows: readonly Row[]) {
  const after: Shop = new Map(shop);
  const counts = { read: rows.length, new: 0, changed: 0, unchanged: 0, held: 0, rejected: 0 };
  const named = new Set<string>();
  const done = new Set<string>();
  for (const { id, title, price, availability } of rows) {
    named.add(id);
    if (price === null || done.has(id)) {
      counts.rejected += 1;
      continue;
    }
    done.add(id);
    const old = shop.get(id);
    const isLow = old !== undefined && price * 10 < old.price;
    const isHeld = isLow && price !== old.refused;
    const deal: Deal = {
      title,
      price: isLow ? old.price : price,
      availability: availability || (old?.availability ?? 'unknown'),
      held: isHeld ? price : null,
      refused: isLow ? old.refused : null,
      isLive: true,
    };
    after.set(id, deal);
    if (!old) counts.new += 1;
    else if (isHeld) counts.held += 1;
    else if (JSON.stringify(deal) === JSON.stringify(old)) counts.unchanged += 1;
    else counts.changed += 1;
  }
  const live = [...shop].filter(([, { isLive }]) => isLive).map(([id]) => id);
  const missing = live.filter((id) => !named.has(id));
  const asks = missing.length > live.length * 0.3;
  if (!asks) for (const id of missing) end(after, id);
  return { after, counts: { ...counts, ended: asks ? 0 : missing.length }, missing, asks, named };
}

function end(shop: Shop, id: string): boolean {
  const deal = shop.get(id);
  if (!deal?.isLive) return false;
  shop.set(id, { ...deal, isLive: false });
  return true;
}

async function readShop(merchantId: number): Promise<Record<string, Deal>> {
  const { rows } = await sql<Deal & { id: string }>`
    select external_id as id, title, sale_price as price, availability, held_price as held, refused_price as refused,
           not is_expired as "isLive"
      from deals where merchant_id = ${merchantId} order by external_id`.execute(database.db);
  return Object.fromEntries(rows.map(({ id, ...deal }) => [id, deal]));
}

const plain = (shop: Shop) =>
  Object.fromEntries([...shop].toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function idsOf(merchantId: number): Promise<Map<string, number>> {
  const rows = await database.db
    .selectFrom('deals')
    .select(['id', 'external_id'])
    .where('merchant_id', '=', merchantId)
    .execute();
  return new Map(rows.map((deal) => [deal.external_id ?? '', deal.id]));
}

/**
 * Decides on the first waiting item: a held price or a question about endings, including old ones.
 */
async function decide(
  decision: 'approve' | 'refuse' | 'leave' | 'end' | 'keep',
  shop: Shop,
  questions: Question[],
  merchantId: number,
): Promise<{ said: unknown; wanted: unknown }> {
  if (decision === 'approve' || decision === 'refuse') {
    const waiting = [...shop].find(([, deal]) => deal.held !== null);
    if (!waiting) return nothingToDecide;
    const [id, deal] = waiting;
    const dealId = (await idsOf(merchantId)).get(id) ?? 0;
    const price = deal.held ?? 0;
    const said = await decideHeldPrice(database.db, 'u1', decision, dealId, price);
    shop.set(
      id,
      decision === 'approve'
        ? { ...deal, price, held: null, refused: null }
        : { ...deal, held: null, refused: price },
    );
    return { said, wanted: true };
  }
  if (decision === 'end' || decision === 'keep') {
    const question = questions.shift();
    if (!question) return nothingToDecide;
    const shallEnd = decision === 'end';
    const ending = shallEnd ? [...question.ids].filter((id) => end(shop, id)) : [];
    const said = await answerEndings(database.db, 'u1', question.runId, shallEnd);
    return { said, wanted: { ok: true, ended: ending.length } };
  }
  return nothingToDecide;
}

const nothingToDecide = { said: null, wanted: null };

test('updates deals by the rules after any sequence of feeds and decisions by staff', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const source = await newSource();
      let shop: Shop = new Map();
      const questions: Question[] = [];
      for (const { feed: rows, decisions: wished } of steps) {
        const expected = expectedAfter(shop, rows);
        const report = await bring(rows, source);
        expect(report.error).toBeNull();
        expect(report.counts).toMatchObject(expected.counts);
        expect(report.state).toBe(expected.asks ? 'asking' : 'done');
        shop = expected.after;
        for (const question of questions) {
          for (const id of expected.named) question.ids.delete(id);
        }
        if (expected.asks) {
          questions.push({ runId: report.runId ?? 0, ids: new Set(expected.missing) });
        }
        expect(await readShop(source.merchantId)).toEqual(plain(shop));
        for (const decision of wished) {
          const { said, wanted } = await decide(decision, shop, questions, source.merchantId);
          expect(said).toEqual(wanted);
        }
        expect(await readShop(source.merchantId)).toEqual(plain(shop));
      }
    }),
    { numRuns: 25 },
  );
});

test('restores the deals when the last run is rolled back, regardless of what it changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(feed, { minLength: 2, maxLength: 3 }), async (feeds) => {
      const source = await newSource();
      let before: Record<string, Deal> = {};
      let counted = 0;
      let runId = 0;
      for (const rows of feeds) {
        before = await readShop(source.merchantId);
        counted = await countLines(source.merchantId, 'valid_prices');
        runId = (await bring(rows, source)).runId ?? 0;
      }
      const after = await readShop(source.merchantId);
      const logged = await countLines(source.merchantId);
      const result = await rollBackImport(database.db, 'u1', runId);
      expect(['nothing-to-undo', null]).toContain(result.ok ? null : result.reason);
      expect(await readShop(source.merchantId)).toEqual(before);
      const gone = Object.keys(after).filter((id) => !Object.hasOwn(before, id));
      const counts = result.ok ? result.counts : { removed: 0, hidden: 0, skipped: 0 };
      expect(counts).toMatchObject({ removed: gone.length, hidden: 0, skipped: 0 });
      // Nothing is removed from the log of a remaining deal. The run's lines are voided, so a
      // restored price needs no new line.
      expect(await countLines(source.merchantId)).toBe(logged - gone.length);
      expect(await countLines(source.merchantId, 'valid_prices')).toBe(counted);
    }),
    { numRuns: 15 },
  );
});

async function countLines(
  merchantId: number,
  log: 'price_log' | 'valid_prices' = 'price_log',
): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from ${sql.table(log)} l join deals d on d.id = l.deal_id
     where d.merchant_id = ${merchantId}`.execute(database.db);
  return Number(rows[0]?.lines);
}

test('counts in a dry run the changes of the real run, and makes none', async () => {
  await fc.assert(
    fc.asyncProperty(feed, feed, async (first, second) => {
      const source = await newSource();
      await bring(first, source);
      const before = await readShop(source.merchantId);
      const file = path.join(folder, 'rehearsed.csv');
      const options = {
        merchant: source.merchant,
        feedSourceId: source.sourceId,
        endsMissing: true,
        mayEndMany: true,
      };
      const lines = second.map(({ id, title, price, availability }) =>
        [id, title, `https://shop.example/${id}`, price ?? 'x', 'Home', words[availability]].join(),
      );
      await writeFile(file, `id,title,link,price,product type,availability\n${lines.join('\n')}\n`);
      const previewed = await importFeed(database.db, { file }, { ...options, dryRun: true });
      expect(await readShop(source.merchantId)).toEqual(before);
      const real = await importFeed(database.db, { file }, options);
      expect(previewed.counts).toEqual(real.counts);
    }),
    { numRuns: 25 },
  );
});
