import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { oneOf, type PageParameters } from '#app/platform/page-parameters.ts';
import type { Availability, PriceSource } from '#database/schema/catalog-tables.ts';
import { historyRanges } from './price-history-days.ts';

/** The URL parameters of a page with the price chart. */
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
  /** `moved` means that the owner imported the price and the site did not see it. */
  source: PriceSource | 'moved';
  /** The tracker of an imported price, whose time is the beginning of its day in UTC. */
  moved_from?: string | null;
}

const mostEntries = 1_000;
const mostMoved = 500;

/**
 * Returns a deal's price log over this many days (`null`: all), oldest first. The first entry is
 * the one in force at the window's beginning. The oldest entries of a very long log are omitted.
 * Imported prices are from days before the log begins, so they come first.
 */
export async function readPriceHistory(db: Db, dealId: number, days: number | null) {
  return ask(db).rows<PriceHistoryEntry>`
    select at, sale_price, availability, source, moved_from from (
      (select id, at, sale_price, availability, source, null as moved_from from valid_prices
       where deal_id = ${dealId}
         and (${days}::integer is null or at >= coalesce(
           (select max(at) from valid_prices
             where deal_id = ${dealId} and at < now() - make_interval(days => ${days}::integer)), '-infinity'))
       order by at desc, id desc limit ${mostEntries})
      union all
      (select null, day at time zone 'utc', sale_price, 'unknown', 'moved', tracker from (${movedSteps(dealId)}) steps
        where ${days}::integer is null or until > now() - make_interval(days => ${days}::integer)
        order by day desc limit ${mostMoved})) newest
     order by at, id`;
}

/**
 * Selects the imported prices that differ from the previous one, each until the next one or until
 * the log begins.
 */
function movedSteps(dealId: number) {
  return sql`
    select day::timestamp, sale_price, tracker, coalesce(lead(day) over (order by day), since)::timestamp at time zone 'utc' as until
      from (select m.day, m.sale_price, m.source as tracker, own.since,
                   lag(m.sale_price) over (order by m.day) as last_price, lag(m.source) over (order by m.day) as last_source
              from moved_prices m
              join deals d on d.id = m.deal_id and d.currency = m.currency
              cross join lateral (select (min(l.at) at time zone 'utc' - interval '12 hours')::date as since
                                    from valid_prices l where l.deal_id = m.deal_id) own
             where m.deal_id = ${dealId} and m.day < own.since) one
     where (last_price, last_source) is distinct from (sale_price, tracker)`;
}
