import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface OutDeal {
  id: number;
  slug: string;
  deal_url: string;
  is_expired: boolean;
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
}

/** What following a deal out needs; null for an unknown or inactive deal. */
export async function findOutDeal(db: Db, id: number): Promise<OutDeal | null> {
  return ask(db).row<OutDeal>`
    select d.id, d.slug, d.deal_url, (d.is_expired or coalesce(d.expires_at <= now(), false)) as is_expired,
           m.affiliate_template, m.affiliate_sub_id
      from deals d join merchants m on m.id = d.merchant_id
     where d.id = ${id} and d.is_active`;
}

export interface Clicks {
  dealId: number;
  day: string;
  count: number;
}

/** Adds clicks per deal and day, in one statement; those of deals deleted meanwhile are dropped. */
export async function addClicks(db: Db, clicks: Clicks[]) {
  await sql`
    insert into clicks (deal_id, day, count)
    select c.deal_id, c.day, c.count
      from unnest(${clicks.map((click) => click.dealId)}::bigint[], ${clicks.map((click) => click.day)}::date[],
                  ${clicks.map((click) => click.count)}::integer[]) c (deal_id, day, count)
      join deals d on d.id = c.deal_id
     order by c.deal_id, c.day
    on conflict (deal_id, day) do update set count = clicks.count + excluded.count`.execute(db);
}
