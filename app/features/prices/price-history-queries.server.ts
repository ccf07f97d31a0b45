import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { oneOf, type PageParameters } from '#app/platform/page-parameters.ts';
import type { Availability, PriceSource } from '#database/schema/catalog-tables.ts';
import { historyRanges } from './price-history-days.ts';

/** The parameters of a page with the price chart. */
export const historyParameters: PageParameters<{ days: string }> = {
  days: oneOf<string>(
    'days',
    historyRanges.map(({ value }) => value),
  ),
};

/** One entry of a deal's price log, with prices in minor units. */
export interface PriceHistoryEntry {
  at: Date;
  sale_price: number;
  availability: Availability;
  source: PriceSource;
}

const mostEntries = 1_000;

/**
 * Returns a deal's price log over this many days (`null`: all), oldest first. The first entry is
 * the one in force at the window's beginning. A very long log loses its oldest entries.
 */
export async function readPriceHistory(db: Db, dealId: number, days: number | null) {
  return ask(db).rows<PriceHistoryEntry>`
    select at, sale_price, availability, source from (
      select id, at, sale_price, availability, source from valid_prices
       where deal_id = ${dealId}
         and (${days}::integer is null or at >= coalesce(
           (select max(at) from valid_prices
             where deal_id = ${dealId} and at < now() - make_interval(days => ${days}::integer)), '-infinity'))
       order by at desc, id desc limit ${mostEntries}) newest
     order by at, id`;
}
