import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';

export interface OutDeal {
  id: number;
  slug: string;
  deal_url: string;
  is_expired: boolean;
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
  sub_id_network: string;
}

/** Returns what an outbound click needs; `null` for an unknown or inactive deal. */
export async function findOutDeal(db: Db, id: number): Promise<OutDeal | null> {
  return ask(db).row<OutDeal>`
    select d.id, d.slug, d.deal_url, (d.is_expired or coalesce(d.expires_at <= now(), false)) as is_expired,
           m.affiliate_template, m.affiliate_sub_id, m.sub_id_network
      from deals d join merchants m on m.id = d.merchant_id
     where d.id = ${id} and d.is_active`;
}

export interface Clicks {
  /** The id of the deal, or of anything else that is counted. */
  dealId: number;
  day: string;
  count: number;
}

/**
 * Adds clicks per deal and day, and to the days of the deal's scopes, in one statement. Clicks on
 * deals that were deleted since are dropped.
 */
export async function addClicks(db: Db, clicks: Clicks[]) {
  await sql`
    with given as (
      select c.deal_id, c.day, c.count, d.category_id, d.merchant_id, d.feed_source_id
        from unnest(${clicks.map((click) => click.dealId)}::bigint[], ${clicks.map((click) => click.day)}::date[],
                    ${clicks.map((click) => click.count)}::integer[]) c (deal_id, day, count)
        join deals d on d.id = c.deal_id
    ), logged as (
      insert into clicks (deal_id, day, count)
      select deal_id, day, count from given order by deal_id, day
      on conflict (deal_id, day) do update set count = clicks.count + excluded.count
    )
    insert into click_days (kind, place_id, day, count)
    select place.kind, place.id, day, sum(count)
      from given, lateral (values ('site', 0), ('category', category_id), ('merchant', merchant_id),
                                  ('feed', coalesce(feed_source_id, 0))) place (kind, id)
     group by 1, 2, 3 order by 1, 2, 3
    on conflict (kind, place_id, day) do update set count = click_days.count + excluded.count`.execute(
    db,
  );
}

const dealsALot = 1_000;

/**
 * Recounts the clicks of the last 30 days, deal by deal. A batch is locked before it is counted,
 * so that the trigger adds later clicks to the new counts.
 */
export async function countClicksAnew(
  db: Db,
  signal?: AbortSignal,
  most = dealsALot,
): Promise<void> {
  let last = 0;
  await inBatches(signal, () =>
    db.transaction().execute(async (tx) => {
      const ids = await ask(tx).column<number>`
        select deal_id from recent_clicks where deal_id > ${last} order by deal_id limit ${most} for update`;
      last = ids.at(-1) ?? last;
      await sql`
        with counted as materialized (
          select r.id, coalesce(sum(c.count), 0)::integer as count
            from unnest(${ids}::bigint[]) r (id)
            left join clicks c on c.deal_id = r.id and c.day > (now() at time zone 'UTC')::date - 30 group by r.id
        ), over as (
          delete from recent_clicks r using counted c where c.id = r.deal_id and c.count = 0
        )
        update recent_clicks r set count = c.count from counted c
         where c.id = r.deal_id and c.count > 0 and r.count <> c.count`.execute(tx);
      return ids.length === most;
    }),
  );
}
