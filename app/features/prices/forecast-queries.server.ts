import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type ForecastGroup, groupBounds } from './score-forecasts.ts';

/** days; the score uses forecasts of the last 12 weeks */
export const scoredDays = 84;

/**
 * Returns the predicted and actual shares of the forecasts scored in the last 12 weeks, without
 * empty groups.
 */
export function readForecastScore(db: Db, now: Date): Promise<ForecastGroup[]> {
  return ask(db).rows<ForecastGroup>`
    select width_bucket(share::double precision, ${groupBounds}::double precision[]) as place, count(*) as count,
           sum(share) as promised, count(*) filter (where fell) as fell
      from forecasts
     where judged_on > (${now}::timestamptz at time zone 'utc')::date - ${scoredDays}::integer and fell is not null
     group by 1 order by 1`;
}
