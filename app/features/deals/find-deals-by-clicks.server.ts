import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { rowsPerPage } from '#app/platform/table-query.ts';

/** Deals that were followed in 30 days, in the order of their index, or the rest, in that of time. */
type Half = 'followed' | 'rest';

// As a value: as a join it would come before the order.
const isRest = sql`(exists (select from recent_clicks c where c.deal_id = d.id)) is false`;

interface Wanted {
  condition: RawBuilder<boolean>;
  /** Whether it is met by every deal. */
  isAll: boolean;
  isDescending: boolean;
  /** Of all deals of the condition. */
  total: number;
  offset: number;
  /** So many rows from an end are walked over before anything is counted. */
  near?: number;
}

/**
 * The ids of a page in the order of clicks. How many deals of a filter were followed has to be counted only for pages that lie
 * far from both ends.
 */
export async function findDealsByClicks(db: Db, wanted: Wanted): Promise<number[]> {
  const { isDescending, total, offset, near = 2_000 } = wanted;
  const size = Math.min(rowsPerPage, total - offset);
  const [first, last]: readonly [Half, Half] = isDescending
    ? ['followed', 'rest']
    : ['rest', 'followed'];
  const walk = (half: Half, isFromEnd: boolean, from: number, count: number) =>
    walkHalf(db, wanted, { half, isFromEnd, from, count });
  if (offset <= near) {
    const ids = await walk(first, false, offset, size);
    if (ids.length === size) return ids;
  }
  const behind = total - offset - size;
  if (behind <= near) {
    const ids = await walk(last, true, behind, size);
    if (ids.length === size) return ids;
  }
  const followed = await countFollowed(db, wanted);
  const inFirst = first === 'followed' ? followed : total - followed;
  const cut = (from: number, to: number, count: number, half: Half) => {
    if (from >= to) return [];
    const isFromEnd = from > count / 2;
    return walk(half, isFromEnd, isFromEnd ? count - to : from, to - from);
  };
  const end = offset + size;
  return [
    ...(await cut(offset, Math.min(end, inFirst), inFirst, first)),
    ...(await cut(Math.max(0, offset - inFirst), end - inFirst, total - inFirst, last)),
  ];
}

async function countFollowed(db: Db, { condition, isAll }: Wanted): Promise<number> {
  const followed = isAll
    ? sql`recent_clicks`
    : sql`recent_clicks c join deals d on d.id = c.deal_id where ${condition}`;
  return (await ask(db).value<number>`select count(*) from ${followed}`) ?? 0;
}

/** In the order of the list, whichever end they are read from. */
async function walkHalf(
  db: Db,
  { condition, isDescending }: Pick<Wanted, 'condition' | 'isDescending'>,
  { half, isFromEnd, from, count }: { half: Half; isFromEnd: boolean; from: number; count: number },
): Promise<number[]> {
  const direction = isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const rows =
    half === 'followed'
      ? sql`recent_clicks c join deals d on d.id = c.deal_id where ${condition}
             order by c.count ${direction}, c.deal_id ${direction}`
      : sql`deals d where ${isRest} and ${condition}
             order by d.created_at ${direction}, d.id ${direction}`;
  const ids = await ask(db).column<number>`
    select d.id from ${rows} limit ${count} offset ${from}`;
  return isFromEnd ? ids.toReversed() : ids;
}
