import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  countPlaces,
  daysAhead,
  forecastPrice,
  noRates,
  type PriceDays,
  readPriceDays,
} from './forecast-price.ts';
import { scoredDays } from './forecast-queries.server.ts';

const day = 86_400_000;

/**
 * Stores the forecasts that the demo deals would have had in each scored week, since a new shop has
 * no past. The forecasts are computed from the log before that week and scored by the prices after
 * it.
 */
export async function forecastDemoPast(db: Db, now: Date): Promise<void> {
  const deals = await ask(db).rows<{ deal_id: number; steps: [at: number, price: number][] }>`
    select l.deal_id, json_agg(json_build_array(epoch_ms(l.at),
             case when l.availability = 'out_of_stock' then 0 else l.sale_price end) order by l.at, l.id) as steps
      from valid_prices l join deals d on d.id = l.deal_id
     where d.is_demo and d.is_active and not d.is_expired and l.at <= ${now}
     group by l.deal_id order by l.deal_id`;
  const logs = deals.map(({ deal_id, steps }) => ({
    deal_id,
    days: readPriceDays(steps, now.getTime()),
  }));
  const rows = [];
  for (let ago = daysAhead + 1; ago - daysAhead < scoredDays; ago += 7)
    rows.push(...forecastsOf(logs, ago, now));
  if (rows.length > 0)
    await db
      .insertInto('forecasts')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Returns the forecasts made `ago` days ago, with their outcomes. */
function forecastsOf(logs: { deal_id: number; days: PriceDays }[], ago: number, now: Date) {
  const rates = noRates();
  for (const { days } of logs) countPlaces(days, days.lows.length - ago, rates);
  return logs.flatMap(({ deal_id, days }) => {
    const then = days.lows.length - 1 - ago;
    const price = days.lows[then] ?? 0;
    const forecast = price > 0 && forecastPrice(days, then, price, rates);
    if (!forecast) return [];
    return {
      deal_id,
      made_on: dateBefore(now, ago),
      price,
      share: forecast.share,
      judged_on: dateBefore(now, ago - daysAhead - 1),
      fell: days.fell[then] === 1,
    };
  });
}

function dateBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * day).toISOString().slice(0, 10);
}
