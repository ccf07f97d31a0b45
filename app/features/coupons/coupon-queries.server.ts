import { type RawBuilder, sql } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { wordRuns } from '#app/platform/fold.ts';
import type { Clicks } from '#app/features/clicks/click-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ListedCoupon } from './describe-coupon.ts';

/** A condition on `coupons c`: visitors see it at this time. */
export const isLive = (at: RawBuilder<unknown>) =>
  sql`(coalesce(c.starts_at <= ${at}, true) and coalesce(c.ends_at > ${at}, true))`;
const liveAt = (now: Date) => isLive(sql`${now}::timestamptz`);

/** The coupons of some stores, or of all. */
export interface CouponScope {
  merchantIds?: readonly number[] | undefined;
  /** Only those with these words in title or code. */
  words?: string | undefined;
  now: Date;
}

const within = ({ merchantIds, words = '' }: CouponScope) => sql`
  (${merchantIds === undefined ? sql`true` : sql`c.merchant_id = any(${merchantIds}::bigint[])`}
   and ${containsIn(words, 'c.title', 'c.code')})`;

/** Returns live coupons, newest first. */
export function listCoupons(
  db: Db,
  scope: CouponScope,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ListedCoupon[]> {
  return readListed(
    db,
    sql`
    select c.id from coupons c where ${liveAt(scope.now)} and ${within(scope)}
     order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`,
  );
}

/** Returns the live ones among these coupons, newest first. */
export function listLiveCoupons(
  db: Db,
  ids: readonly number[],
  now: Date,
): Promise<ListedCoupon[]> {
  return readListed(
    db,
    sql`
    select c.id from coupons c where c.id = any(${ids}::bigint[]) and ${liveAt(now)}`,
  );
}

function readListed(db: Db, ids: RawBuilder<unknown>): Promise<ListedCoupon[]> {
  return ask(db).rows<ListedCoupon>`
    select c.id, c.code, c.title, c.terms, c.starts_at, c.ends_at,
           coalesce(c.url, m.website_url) is not null as "hasLink",
           jsonb_build_object('id', m.id, 'name', m.name, 'slug', m.slug) as merchant,
           r.works, r.fails, r.worked_at, r.failed_at
      from coupons c join merchants m on m.id = c.merchant_id,
           lateral (select count(*) filter (where works) as works, count(*) filter (where not works) as fails,
                           max(reported_at) filter (where works) as worked_at,
                           max(reported_at) filter (where not works) as failed_at
                      from coupon_reports where coupon_id = c.id) r
     where c.id in (${ids}) order by c.created_at desc, c.id desc`;
}

/** Counts the live coupons, and returns the next time at which any coupon begins or ends. */
export async function countCoupons(
  db: Db,
  scope: CouponScope,
): Promise<{ total: number; changesAt: Date | null }> {
  const { now } = scope;
  const counted = await ask(db).row<{ total: number; changesAt: Date | null }>`
    select count(*) filter (where ${liveAt(now)}) as total,
           least(min(c.starts_at) filter (where c.starts_at > ${now}::timestamptz),
                 min(c.ends_at) filter (where c.ends_at > ${now}::timestamptz)) as "changesAt"
      from coupons c where ${within(scope)}`;
  return counted ?? { total: 0, changesAt: null };
}

export interface CouponStore {
  name: string;
  slug: string;
  count: number;
}

/** Returns the stores with the most live coupons. */
export function listCouponStores(db: Db, now: Date, limit: number): Promise<CouponStore[]> {
  return ask(db).rows<CouponStore>`
    select m.name, m.slug, c.count
      from (select c.merchant_id, count(*) as count from coupons c where ${liveAt(now)}
             group by 1 order by 2 desc, 1 limit ${limit}) c
      join merchants m on m.id = c.merchant_id
     order by c.count desc, lower(m.name), m.id`;
}

/** Returns the stores whose whole name appears in a text. */
export function findNamedStores(db: Db, text: string): Promise<number[]> {
  return ask(db).column<number>`
    select id from merchants where fold(name) = any(${wordRuns(text)}::text[])`;
}

export interface OutCoupon {
  id: number;
  /** null: no link is stored for the coupon or its store. */
  url: string | null;
  isLive: boolean;
  merchant_slug: string;
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
  sub_id_network: string;
}

/** Returns what an outbound click needs; `null` for an unknown coupon. */
export function findOutCoupon(db: Db, id: number, now: Date): Promise<OutCoupon | null> {
  return ask(db).row<OutCoupon>`
    select c.id, coalesce(c.url, m.website_url) as url, ${liveAt(now)} as "isLive", m.slug as merchant_slug,
           m.affiliate_template, m.affiliate_sub_id, m.sub_id_network
      from coupons c join merchants m on m.id = c.merchant_id where c.id = ${id}`;
}

/**
 * Adds clicks per coupon and day, and to the days of its store and of the site. `dealId` is the
 * coupon's number. Clicks on coupons deleted meanwhile are dropped.
 */
export async function addCouponClicks(db: Db, clicks: Clicks[]): Promise<void> {
  await sql`
    with given as (
      select k.id, k.day, k.count, c.merchant_id
        from unnest(${clicks.map((click) => click.dealId)}::bigint[], ${clicks.map((click) => click.day)}::date[],
                    ${clicks.map((click) => click.count)}::integer[]) k (id, day, count)
        join coupons c on c.id = k.id
    ), logged as (
      insert into coupon_clicks (coupon_id, day, count) select id, day, count from given order by id, day
      on conflict (coupon_id, day) do update set count = coupon_clicks.count + excluded.count
    )
    insert into click_days (kind, place_id, day, count)
    select place.kind, place.id, day, sum(count)
      from given, lateral (values ('site', 0), ('merchant', merchant_id)) place (kind, id)
     group by 1, 2, 3 order by 1, 2, 3
    on conflict (kind, place_id, day) do update set count = click_days.count + excluded.count`.execute(
    db,
  );
}
