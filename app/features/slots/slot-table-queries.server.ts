import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { SlotFilter, SlotSort } from './slot-table.ts';

export type SlotRow = Awaited<ReturnType<typeof listSlotRows>>['rows'][number];

/** A slot that is off and past its end counts as ended, since turning it on would show nothing. */
const state = sql<'live' | 'scheduled' | 'ended' | 'off'>`
  case when s.ends_at <= now() then 'ended' when not s.is_on then 'off'
       when s.starts_at > now() then 'scheduled' else 'live' end`;
const counted = (column: 'views' | 'clicks') => sql<number>`
  (select coalesce(sum(${sql.ref(`d.${column}`)}), 0)::bigint from slot_days d
    where d.slot_id = s.id and d.day > (now() at time zone 'utc')::date - 30)`;
const orders: Record<SlotSort, RawBuilder<unknown>> = {
  title: sql`lower(s.title)`,
  // A slot without an end sorts last.
  ends: sql`coalesce(s.ends_at, 'infinity')`,
  views: counted('views'),
  clicks: counted('clicks'),
  created: sql`s.created_at`,
};

/** Returns a page of all slots, with their views and clicks of the last 30 days. */
export async function listSlotRows(db: Db, query: TableQuery<SlotSort, SlotFilter>) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const { show, place } = query.filters;
  const is = (column: RawBuilder<unknown>, value: typeof show): Expression<SqlBool> =>
    value === null ? sql<SqlBool>`true` : sql<SqlBool>`${column} = ${value}`;
  const rows = db
    .selectFrom('slots as s')
    .leftJoin('categories as c', 'c.id', 's.category_id')
    .where(containsIn(query.search, 's.title', 's.text'))
    .where(is(state, show))
    .where(is(sql`s.place`, place))
    .select(['s.id', 's.title', 's.kind', 's.place', 's.starts_at', 's.ends_at'])
    .select(['c.name as category', state.as('state')])
    .select([counted('views').as('views'), counted('clicks').as('clicks')])
    .orderBy(orders[query.sort], direction)
    .orderBy('s.id', direction);
  return readTablePage(rows, query);
}

export async function countSlotFigures(db: Db) {
  const figures = await ask(db).row<{ total: number; live: number; scheduled: number }>`
    select count(*) as total, count(*) filter (where ${state} = 'live') as live,
           count(*) filter (where ${state} = 'scheduled') as scheduled from slots s`;
  return figures ?? { total: 0, live: 0, scheduled: 0 };
}
