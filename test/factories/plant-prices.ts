import type { Db } from '#database/connect.ts';
import { insertDeal } from './insert.ts';

/** A line of the price log: days ago, price, and struck price. */
export interface PlantedPrice {
  daysAgo: number;
  price: number;
  struck?: number | null;
  availability?: 'in_stock' | 'out_of_stock' | 'unknown';
}

type Overrides = NonNullable<Parameters<typeof insertDeal>[1]>;

/** Inserts a deal with this price log, oldest line first. Returns its id. */
export async function plantDeal(
  db: Db,
  lines: PlantedPrice[],
  overrides: Overrides = {},
): Promise<number> {
  const last = lines.at(-1);
  const { id } = await insertDeal(db, {
    price_source: 'demo', // Inserts no price, because the test writes the deal's price log itself.
    sale_price: last?.price ?? 1_000,
    original_price: last?.struck ?? null,
    price_since: daysAgo(last?.daysAgo ?? 0),
    ...overrides,
  });
  await logPrices(db, id, lines);
  return id;
}

export async function logPrices(db: Db, id: number, lines: PlantedPrice[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map(({ daysAgo: days, price, struck = null, availability = 'in_stock' }) => ({
    deal_id: id,
    at: daysAgo(days),
    sale_price: price,
    original_price: struck,
    availability,
    source: 'demo' as const,
  }));
  await db.insertInto('price_log').values(rows).execute();
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}
