import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { pageOf, rowsPerPage, type TablePage } from '#app/platform/table-query.ts';

/**
 * The two halves of the order: deals clicked in the last 30 days, sorted by clicks, then the rest,
 * sorted by time.
 */
type Half = 'followed' | 'rest';

// A scalar subquery, since a join would be executed before the sort.
const isRest = sql`(exists (select from recent_clicks c where c.deal_id = d.id)) is false`;
const isAny = sql<boolean>`true`;

interface Wanted {
  condition: RawBuilder<boolean>;
  /** The number of all matching deals, if known. */
  total?: number | undefined;
  isDescending: boolean;
  page: number;
  /**
   * The maximum number of rows to scan from an end. Farther pages are found by counting deals per
   * day.
   */
  near?: number;
}

/** The number of matching deals created on a day. `rest` counts those without clicks. */
interface Day {
  day: Date;
  deals: number;
  rest: number;
}

/** A scan of one half, in list order or in reverse. */
interface Slice {
  half: Half;
  isFromEnd: boolean;
  from: number;
  count: number;
  /** Limits deals without clicks to certain creation days. */
  within?: RawBuilder<boolean>;
}

/**
 * Returns the ids of one page of deals, ordered by clicks. A page near either end is scanned from
 * that end. For other pages, deals without clicks are counted by creation day. The counts give the
 * total, and the days on which the page's deals were created.
 */
export async function findDealsByClicks(db: Db, wanted: Wanted): Promise<TablePage<number>> {
  const { condition, isDescending, near = 2_000 } = wanted;
  const isNearStart = (wanted.page - 1) * rowsPerPage <= near;
  const isCounted = wanted.total !== undefined || isNearStart;
  const counted = isCounted ? null : await countDays(db, condition);
  const total = wanted.total ?? (counted ? sumOf(counted, 'deals') : await count(db, condition));
  const { offset, ...place } = pageOf(wanted, total);
  const size = Math.min(rowsPerPage, total - offset);
  const end = offset + size;
  const answer = (rows: number[]) => ({ rows, total, ...place });
  const [first, last]: readonly [Half, Half] = isDescending
    ? ['followed', 'rest']
    : ['rest', 'followed'];
  const read = (way: Slice) => readHalf(db, wanted, way);
  if (offset <= near) {
    const ids = await read({ half: first, isFromEnd: false, from: offset, count: size });
    if (ids.length === size) return answer(ids);
  }
  if (!counted && total - end <= near) {
    const ids = await read({ half: last, isFromEnd: true, from: total - end, count: size });
    if (ids.length === size) return answer(ids);
  }
  const days = counted ?? (await countDays(db, condition));
  const rest = sumOf(days, 'rest');
  const inFirst = first === 'followed' ? total - rest : rest;
  const cut = async (half: Half, from: number, to: number, of: number) => {
    if (from >= to) return [];
    const { within, ...part } =
      half === 'rest' ? daysOf(days, isDescending, from, to) : { from, of };
    const isFromEnd = part.from > part.of / 2;
    const start = isFromEnd ? part.of - part.from - (to - from) : part.from;
    return read({ half, isFromEnd, from: start, count: to - from, ...(within && { within }) });
  };
  return answer([
    ...(await cut(first, offset, Math.min(end, inFirst), inFirst)),
    ...(await cut(last, Math.max(0, offset - inFirst), end - inFirst, total - inFirst)),
  ]);
}

const sumOf = (days: Day[], what: 'deals' | 'rest') =>
  days.reduce((sum, day) => sum + day[what], 0);

async function count(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  return (await ask(db).value<number>`select count(*) from deals d where ${condition}`) ?? 0;
}

/**
 * Counts the deals of each day, oldest first. Extended statistics estimate the number of days, so
 * that the planner uses parallel workers.
 */
function countDays(db: Db, condition: RawBuilder<boolean>): Promise<Day[]> {
  return ask(db).rows<Day>`
    select date_bin('1 day', d.created_at, timestamptz '2000-01-01 00:00+00') as day, count(*) as deals,
           count(*) filter (where c.deal_id is null) as rest
      from deals d left join recent_clicks c on c.deal_id = d.id where ${condition} group by 1 order by 1`;
}

/**
 * Returns the creation days that a slice of the rest spans, their number of deals, and the slice's
 * offset among them.
 */
function daysOf(days: Day[], isDescending: boolean, from: number, to: number) {
  const on: Date[] = [];
  let before = 0;
  let skipped = 0;
  let of = 0;
  for (const { day, rest } of isDescending ? days.toReversed() : days) {
    if (before + rest <= from) skipped += rest;
    else if (before < to) {
      on.push(day);
      of += rest;
    }
    before += rest;
  }
  const [one, other] = isDescending ? [on.at(-1), on[0]] : [on[0], on.at(-1)];
  const within = sql<boolean>`d.created_at >= ${one} and d.created_at < ${other}::timestamptz + interval '1 day'`;
  return { from: from - skipped, of, within };
}

/** Returns rows in list order, no matter which end they were read from. */
async function readHalf(
  db: Db,
  { condition, isDescending }: Pick<Wanted, 'condition' | 'isDescending'>,
  { half, isFromEnd, from, count: size, within = isAny }: Slice,
): Promise<number[]> {
  const direction = isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const rows =
    half === 'followed'
      ? sql`recent_clicks c join deals d on d.id = c.deal_id where ${condition}
             order by c.count ${direction}, c.deal_id ${direction}`
      : sql`deals d where ${isRest} and ${condition} and ${within}
             order by d.created_at ${direction}, d.id ${direction}`;
  const ids = await ask(db).column<number>`
    select d.id from ${rows} limit ${size} offset ${from}`;
  return isFromEnd ? ids.toReversed() : ids;
}
