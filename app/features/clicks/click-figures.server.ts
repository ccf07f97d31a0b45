import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ClickPlaceAsked, ClicksAsked } from './click-range.ts';

export interface DayOfClicks {
  /** A day in UTC, such as `2026-11-21`. */
  day: string;
  count: number;
}

const shownOfEach = 10;
/** days; deals live for fewer are too new to count as unclicked */
const daysOfChance = 30;

/** A slice of a list, for one page. */
interface Cut {
  limit: number;
  offset: number;
}

const first: Cut = { limit: shownOfEach, offset: 0 };

const today = (now: Date) => sql`(${now}::timestamptz at time zone 'UTC')::date`;

/** Returns the clicks of each of these days, without gaps, oldest first. */
export async function listClickDays(
  db: Db,
  { days, place }: ClicksAsked,
  now: Date,
): Promise<DayOfClicks[]> {
  return ask(db).rows<DayOfClicks>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.count, 0) as count
      from generate_series(${today(now)} - (${days}::integer - 1), ${today(now)}, interval '1 day') d (day)
      left join click_days c on c.kind = ${place.kind} and c.place_id = ${place.id} and c.day = d.day
     order by d.day`;
}

/** Returns the clicks of the preceding period of the same length. */
export async function countClicksBefore(
  db: Db,
  { days, place }: ClicksAsked,
  now: Date,
): Promise<number> {
  const sum = await ask(db).value<number>`
    select coalesce(sum(count), 0)::integer from click_days
     where kind = ${place.kind} and place_id = ${place.id}
       and day > ${today(now)} - 2 * ${days}::integer and day <= ${today(now)} - ${days}::integer`;
  return sum ?? 0;
}

/** Returns the clicks of one deal for each of the last `days` days. */
export async function listDealClicks(
  db: Db,
  dealId: number,
  now: Date,
  days = 30,
): Promise<DayOfClicks[]> {
  return ask(db).rows<DayOfClicks>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.count, 0) as count
      from generate_series(${today(now)} - (${days}::integer - 1), ${today(now)}, interval '1 day') d (day)
      left join clicks c on c.deal_id = ${dealId} and c.day = d.day
     order by d.day`;
}

export async function isDeal(db: Db, id: number): Promise<boolean> {
  return (await ask(db).value`select id from deals where id = ${id}`) !== null;
}

export type PlaceKind = Exclude<ClickPlaceAsked['kind'], 'site'>;

export interface ClickedPlace {
  id: number;
  /** `null` if the store, category or feed was deleted. */
  name: string | null;
  count: number;
}

const tables: Record<PlaceKind, string> = {
  merchant: 'merchants',
  category: 'categories',
  feed: 'feed_sources',
};

/** Returns the stores, categories or feeds with the most clicks. */
export async function listTopPlaces(
  db: Db,
  kind: PlaceKind,
  days: number,
  now: Date,
  cut: Cut = first,
): Promise<ClickedPlace[]> {
  return ask(db).rows<ClickedPlace>`
    select top.place_id as id, top.count,
           case when ${kind} = 'feed' and top.place_id = 0 then ${byHand} else named.name end as name
      from (select place_id, sum(count)::integer as count from click_days
             where kind = ${kind} and day > ${today(now)} - ${days}::integer and day <= ${today(now)}
             group by place_id order by 2 desc, 1 limit ${cut.limit} offset ${cut.offset}) top
      left join ${sql.table(tables[kind])} named on named.id = top.place_id
     order by top.count desc, top.place_id`;
}

/** Returns how many stores, categories or feeds have any clicks. */
export async function countClickedPlaces(
  db: Db,
  kind: PlaceKind,
  days: number,
  now: Date,
): Promise<number> {
  const count = await ask(db).value<number>`
    select count(distinct place_id)::integer from click_days
     where kind = ${kind} and day > ${today(now)} - ${days}::integer and day <= ${today(now)}`;
  return count ?? 0;
}

/**
 * Returns the scope's name, or `null` if the scope does not exist. `byHand` is for deals without a
 * feed.
 */
export async function nameClickPlace(
  db: Db,
  { kind, id }: ClickPlaceAsked,
): Promise<string | null> {
  if (kind === 'site') return 'The whole site';
  if (kind === 'feed' && id === 0) return byHand;
  return ask(db).value<string>`select name from ${sql.table(tables[kind])} where id = ${id}`;
}

const byHand = 'Without a feed';

export interface ClickedDeal {
  id: number;
  slug: string;
  title: string;
  merchant: string;
  merchant_id: number;
  merchant_slug: string;
  is_live: boolean;
  count: number;
  since: Date;
}

const columns: Record<PlaceKind, string> = {
  merchant: 'd.merchant_id',
  category: 'd.category_id',
  feed: 'd.feed_source_id',
};

function isOf({ kind, id }: ClickPlaceAsked): RawBuilder<unknown> {
  if (kind === 'site') return sql`true`;
  const column = sql.ref(columns[kind]);
  return id === 0 ? sql`${column} is null` : sql`${column} = ${id}`;
}

const dealColumns = sql`
  d.id, d.slug, d.title, m.name as merchant, m.id as merchant_id, m.slug as merchant_slug,
  d.is_active > d.is_expired as is_live, d.created_at as since`;

/** Returns a scope's most clicked deals of 30 days, read by an index. */
export async function listTopDeals(
  db: Db,
  place: ClickPlaceAsked,
  cut: Cut = first,
): Promise<ClickedDeal[]> {
  return ask(db).rows<ClickedDeal>`
    select ${dealColumns}, c.count
      from recent_clicks c join deals d on d.id = c.deal_id join merchants m on m.id = d.merchant_id
     where ${isOf(place)}
     order by c.count desc, c.deal_id desc limit ${cut.limit} offset ${cut.offset}`;
}

/** Counts a scope's deals with clicks in 30 days, up to `most`. */
export async function countTopDeals(db: Db, place: ClickPlaceAsked, most: number): Promise<number> {
  const followed =
    place.kind === 'site'
      ? sql`recent_clicks`
      : sql`recent_clicks c join deals d on d.id = c.deal_id where ${isOf(place)}`;
  const count = await ask(db).value<number>`
    select count(*)::integer from (select from ${followed} limit ${most}) counted`;
  return count ?? 0;
}

/** Returns a scope's live deals without clicks in 30 days of being live, oldest first. */
export async function listFlopDeals(db: Db, place: ClickPlaceAsked): Promise<ClickedDeal[]> {
  const found = await ask(db).column<number>`
    select d.id from deals d
     where ${isOf(place)} and d.is_active > d.is_expired
       and d.created_at < now() - make_interval(days => ${daysOfChance})
       and not exists (select from recent_clicks c where c.deal_id = d.id)
     order by d.created_at, d.id limit ${shownOfEach}`;
  return ask(db).rows<ClickedDeal>`
    select ${dealColumns}, 0 as count
      from unnest(${found}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id join merchants m on m.id = d.merchant_id
     order by wanted.place`;
}

const words: Record<ClickPlaceAsked['kind'], string> = {
  site: 'Site',
  merchant: 'Store',
  category: 'Category',
  feed: 'Feed',
};

/** Yields the data of every chart, day by day. */
export async function* exportClicks(db: Db, { days, place }: ClicksAsked, now: Date) {
  const isAll = place.kind === 'site';
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const rows = await ask(db).rows<{
      day: string;
      kind: PlaceKind;
      id: number;
      name: string;
      count: number;
    }>`
      select to_char(c.day, 'YYYY-MM-DD') as day, c.kind, c.place_id as id, c.count,
             coalesce(m.name, g.name, f.name, '') as name
        from click_days c
        left join merchants m on c.kind = 'merchant' and m.id = c.place_id
        left join categories g on c.kind = 'category' and g.id = c.place_id
        left join feed_sources f on c.kind = 'feed' and f.id = c.place_id
       where c.kind in ('site', 'merchant', 'category', 'feed') and c.day = ${today(now)} - ${ago}::integer
         and (${isAll} or (c.kind = ${place.kind} and c.place_id = ${place.id}))
       order by c.kind <> 'site', c.kind, c.count desc, c.place_id`;
    for (const { day, kind, id, name, count } of rows) {
      yield [
        day,
        words[kind],
        id === 0 ? '' : id,
        kind === 'feed' && id === 0 ? byHand : name,
        count,
      ];
    }
  }
}

export const clickExportHeadings = ['Day (UTC)', 'By', 'ID', 'Name', 'Clicks'];
