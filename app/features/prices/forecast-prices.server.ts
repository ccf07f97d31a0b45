import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  countPlaces,
  daysAhead,
  daysRead,
  type Forecast,
  forecastPrice,
  leastDays,
  noRates,
  type PlaceRates,
  readPriceDays,
} from './forecast-price.ts';
import { readForecastScore } from './forecast-queries.server.ts';
import { isWrongTooOften } from './score-forecasts.ts';

/** ms; leaves time for other work; the next hourly run continues */
const mostMilliseconds = 10 * 60_000;
const dealsAStep = 1_000;
const day = 86_400_000;
/** number of forecasts stored per week for scoring */
export const storedPerWeek = 1_000;

interface Pass {
  made_on: string | null;
  deal_next: number | null;
  counted: PlaceRates | null;
  rates: PlaceRates | null;
}

/**
 * Computes how often each deal's price fell from its current level. There is one pass a day, in
 * steps. Each step is a transaction that stores its position.
 */
export async function forecastPrices(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const until = performance.now() + mostMilliseconds;
  const step = () => db.transaction().execute((tx) => stepForecasts(tx, now()));
  const mayGoOn = () => !signal?.aborted && performance.now() < until;
  while (mayGoOn() && (await step()));
}

/** Runs one bounded step. Returns `false` when the day's pass is done. */
export async function stepForecasts(tx: Db, now: Date): Promise<boolean> {
  await sql`insert into forecast_pass default values on conflict do nothing`.execute(tx);
  const pass = await ask(tx).row<Pass>`
    select made_on::text, deal_next, counted, rates from forecast_pass for update`;
  const today = now.toISOString().slice(0, 10);
  if (!pass || (pass.deal_next === null && pass.made_on === today)) return false;
  const counted = pass.deal_next === null ? noRates() : (pass.counted ?? noRates());
  const ids = await ask(tx).column<number>`
    select id from deals where id >= ${pass.deal_next ?? 0} order by id limit ${dealsAStep}`;
  const last = ids.at(-1);
  if (last !== undefined) {
    await forecastDeals(tx, ids, { now, counted, rates: pass.rates ?? noRates() });
    await sql`
      update forecast_pass set made_on = ${today}, deal_next = ${last + 1}, counted = ${JSON.stringify(counted)}`.execute(
      tx,
    );
    return true;
  }
  // The first pass had no rates, so another pass follows immediately.
  const isAgain = isEmpty(pass.rates ?? noRates()) && !isEmpty(counted);
  await sql`
    update forecast_pass
       set made_on = ${today}, deal_next = ${isAgain ? 0 : null}, counted = null, rates = ${JSON.stringify(counted)}`.execute(
    tx,
  );
  if (isAgain) return true;
  await judgeForecasts(tx, today);
  await storeForecasts(tx, today);
  const groups = await readForecastScore(tx, now);
  await sql`update forecast_pass set is_hidden = ${isWrongTooOften(groups)}`.execute(tx);
  return false;
}

const isEmpty = ({ days }: PlaceRates) => days.every((one) => one === 0);

interface LoggedDeal {
  deal_id: number;
  price: number;
  /**
   * Times in milliseconds since 1970 and prices in minor units, oldest first. The price is 0 while
   * out of stock.
   */
  steps: [at: number, price: number][];
}

/** Stores forecasts for the live deals among these, and deletes all others. */
async function forecastDeals(
  tx: Db,
  ids: readonly number[],
  { now, counted, rates }: { now: Date; counted: PlaceRates; rates: PlaceRates },
): Promise<void> {
  const until = now.getTime();
  const from = new Date((Math.floor(until / day) - daysRead) * day);
  const deals = await ask(tx).rows<LoggedDeal>`
    select d.id as deal_id, d.sale_price as price, log.steps
      from deals d
      join merchants m on m.id = d.merchant_id and m.keep_history
      join price_proofs p on p.deal_id = d.id and p.watched_since < ${new Date(until - (leastDays - 1) * day)}
      cross join lateral (
        select json_agg(json_build_array(epoch_ms(greatest(l.at, ${from})),
                 case when l.availability = 'out_of_stock' then 0 else l.sale_price end) order by l.at, l.id) as steps
          from valid_prices l
         where l.deal_id = d.id and l.at <= ${now}
           and l.at >= coalesce((select o.at from valid_prices o where o.deal_id = d.id and o.at < ${from}
                                  order by o.at desc, o.id desc limit 1), '-infinity')) log
     where d.id = any(${ids}::bigint[]) and d.is_active and not d.is_expired and d.availability <> 'out_of_stock'
       and log.steps is not null`;
  const rows = deals.flatMap(({ deal_id, price, steps }) => {
    const days = readPriceDays(steps, until);
    countPlaces(days, days.lows.length, counted);
    const forecast = forecastPrice(days, days.lows.length - 1, price, rates);
    return forecast ? [asRow(deal_id, price, forecast)] : [];
  });
  await writeForecasts(tx, ids, rows, now);
}

function asRow(deal_id: number, price: number, forecast: Forecast) {
  const { share, low, high, loggedDays, nearDays } = forecast;
  return { deal_id, price, share, low, high, logged_days: loggedDays, near_days: nearDays };
}

async function writeForecasts(
  tx: Db,
  ids: readonly number[],
  rows: ReturnType<typeof asRow>[],
  now: Date,
): Promise<void> {
  await sql`
    with made as (
      select r.* from json_to_recordset(${JSON.stringify(rows)}::json)
               r (deal_id bigint, price integer, share real, low real, high real, logged_days smallint, near_days smallint)
        -- a deal deleted meanwhile is not an error
        join deals d on d.id = r.deal_id order by r.deal_id for key share of d
    ), written as (
      insert into deal_forecasts as f (deal_id, made_on, price, share, low, high, logged_days, near_days)
        select deal_id, ${now.toISOString()}::date, price, share, low, high, logged_days, near_days from made
      on conflict (deal_id) do update
        set (made_on, price, share, low, high, logged_days, near_days) =
            (excluded.made_on, excluded.price, excluded.share, excluded.low, excluded.high, excluded.logged_days, excluded.near_days)
    )
    delete from deal_forecasts
     where deal_id between ${ids[0]} and ${ids.at(-1)} and deal_id not in (select deal_id from made)`.execute(
    tx,
  );
}

/** Records whether a price lower by 5% or more was available in the 30 days after each forecast. */
async function judgeForecasts(tx: Db, today: string): Promise<void> {
  await sql`
    update forecasts f
       set judged_on = ${today},
           fell = case when d.is_active and m.keep_history and (d.expires_at is null or d.expires_at >= span.ends) then exists (
             select from valid_prices l
              where l.deal_id = f.deal_id and l.at < span.ends and l.availability <> 'out_of_stock' and l.sale_price * 20 <= f.price * 19
                and l.at >= coalesce((select o.at from valid_prices o where o.deal_id = f.deal_id and o.at <= span.begins
                                       order by o.at desc, o.id desc limit 1), '-infinity')) end
      from forecasts due
      join deals d on d.id = due.deal_id
      join merchants m on m.id = d.merchant_id
      cross join lateral (
        select (due.made_on + 1)::timestamp at time zone 'utc' as begins,
               (due.made_on + 1 + ${daysAhead}::integer)::timestamp at time zone 'utc' as ends) span
     where due.made_on < ${today}::date - ${daysAhead}::integer and due.judged_on is null
       and (f.deal_id, f.made_on) = (due.deal_id, due.made_on)`.execute(tx);
}

/** Stores a random sample once a week. Demo prices never change again, so they are excluded. */
async function storeForecasts(tx: Db, today: string): Promise<void> {
  await sql`
    insert into forecasts (deal_id, made_on, price, share)
      select deal_id, made_on, price, share from (
        select f.* from deal_forecasts f join deals d on d.id = f.deal_id and not d.is_demo
         where made_on > ${today}::date - 2 and not exists (select from forecasts where made_on > ${today}::date - 7)
         order by random() limit ${storedPerWeek}) drawn
       order by deal_id`.execute(tx);
}
