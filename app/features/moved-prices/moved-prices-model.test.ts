import { expect, test } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import * as fc from '#test/fast-check.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { removeMovedPrices } from './prices-of-deal.server.ts';
import { movePrices, startPriceMove, undoPriceMove } from './run-price-move.server.ts';
import { stagePrices } from './stage-prices.server.ts';

// Runs imports, undos, removals, deletions and restores in any order, and compares the stored
// prices with a naive model. The price log and its proofs never change.

const database = useTestDatabase();

const acts = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('move' as const),
      deal: fc.nat({ max: 1 }),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('undo' as const), move: fc.nat({ max: 4 }) }),
    fc.record({
      kind: fc.constantFrom('delete' as const, 'restore' as const, 'remove' as const),
      deal: fc.nat({ max: 1 }),
    }),
  ),
  { minLength: 3, maxLength: 12 },
);

/** The expected state: which import stored the price of each deal and day. */
class Account {
  readonly live = new Map<string, number>();
  readonly trash = new Map<number, Map<string, number>>();
  readonly undone = new Set<number>();

  ofDeal(deal: number): [string, number][] {
    return [...this.live].filter(([key]) => key.startsWith(`${deal} `));
  }

  move(deal: number, days: readonly number[], move: number): void {
    if (this.trash.has(deal)) return;
    for (const day of days) {
      const key = `${deal} 2025-01-0${day}`;
      if (!this.live.has(key)) this.live.set(key, move);
    }
  }

  undo(move: number): void {
    this.undone.add(move);
    for (const [key, by] of this.live) if (by === move) this.live.delete(key);
  }

  clear(deal: number): void {
    for (const [key] of this.ofDeal(deal)) this.live.delete(key);
  }

  delete(deal: number): void {
    this.trash.set(deal, new Map(this.ofDeal(deal)));
    this.clear(deal);
  }

  restore(deal: number): void {
    for (const [key, move] of this.trash.get(deal) ?? [])
      if (!this.undone.has(move)) this.live.set(key, move);
    this.trash.delete(deal);
  }
}

async function stageAndRun(deal: number, days: readonly number[]): Promise<number> {
  async function* content() {
    const rows = days.map((day) => `${deal},2025-01-0${day},100\n`).join('');
    yield Buffer.from(`id,date,price\n${rows}`);
  }
  const id = await stagePrices(database.db, content(), {
    name: 'prices.csv',
    actor: 'admin',
    limits: { rawBytes: 1e6, unpackedBytes: 1e6 },
    choices: {},
  });
  const choices = { source: 'Keepa', day_order: null };
  await startPriceMove(database.db, id, { ...choices, actor: 'admin' });
  await movePrices(database.db);
  return id;
}

const inTx = <T>(act: (tx: Parameters<typeof deleteDeals>[0]) => Promise<T>) =>
  database.db.transaction().execute(act);

const stored = async () => {
  const rows = await database.db.selectFrom('moved_prices').selectAll().execute();
  return rows.map((row) => `${row.deal_id} ${row.day} ${row.move_id}`).toSorted();
};

async function evidence(ids: number[]) {
  const log = await database.db.selectFrom('price_log').selectAll().orderBy('id').execute();
  const deals = await database.db.selectFrom('deals').selectAll().orderBy('id').execute();
  const proofs = await findPriceProofs(database.db, deals);
  return { log, proofs: ids.map((id) => proofs.get(id)) };
}

test('does not change the log and its summaries, and stores exactly the prices of the remaining imports', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (some) => {
      await database.reset();
      const ids = [
        await plantDeal(database.db, [{ daysAgo: 30, price: 10_000 }]),
        await plantDeal(database.db, [
          { daysAgo: 40, price: 12_000 },
          { daysAgo: 5, price: 9_000 },
        ]),
      ];
      const before = await evidence(ids);
      const account = new Account();
      const moves: number[] = [];
      const batches = new Map<number, string>();
      const restore = async (id: number, batch: string) => {
        await inTx((tx) => restoreDeals(tx, { ids: [id], batch }));
        batches.delete(id);
        account.restore(id);
      };
      for (const act of some) {
        if (act.kind === 'undo') {
          const move = moves[act.move];
          if (move === undefined) continue;
          await undoPriceMove(database.db, move, 'admin');
          await movePrices(database.db);
          account.undo(move);
          continue;
        }
        const id = ids[act.deal] ?? 0;
        const batch = batches.get(id);
        if (act.kind === 'move') {
          const move = await stageAndRun(id, act.days);
          moves.push(move);
          account.move(id, act.days, move);
        } else if (act.kind === 'restore') {
          if (batch !== undefined) await restore(id, batch);
        } else if (act.kind === 'remove') {
          await removeMovedPrices(database.db, id, 'admin');
          account.clear(id);
        } else if (batch === undefined) {
          const fresh = crypto.randomUUID();
          await inTx((tx) => deleteDeals(tx, { ids: [id], batch: fresh, actor: 'admin' }));
          batches.set(id, fresh);
          account.delete(id);
        }
        expect(await stored()).toEqual(
          [...account.live].map(([key, by]) => `${key} ${by}`).toSorted(),
        );
      }
      for (const [id, batch] of batches) await restore(id, batch);
      expect(await stored()).toEqual(
        [...account.live].map(([key, by]) => `${key} ${by}`).toSorted(),
      );
      expect(await evidence(ids)).toEqual(before);
    }),
    { numRuns: 15 },
  );
});
