import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { rowsPerPage } from '#app/platform/table-query.ts';
import type { AuditQuery } from './audit-table.ts';

export type AuditRow = Selectable<Database['audit_log']>;

/** Where a page begins: behind an entry, or before one; null for the newest. */
export type AuditPlace = { olderThan: number } | { newerThan: number } | null;

/** Its rows, and whether there is more on either side. */
export type AuditPage = Awaited<ReturnType<typeof listAuditRows>>;

/** A page of the log, newest first. Costs the same on every page, however long the log is. */
export async function listAuditRows(
  db: Db,
  { query, timeZone, place }: { query: AuditQuery; timeZone: string; place: AuditPlace },
) {
  const isBackwards = place !== null && 'newerThan' in place;
  let found = matching(db, query, timeZone);
  if (place && 'olderThan' in place) found = found.where('id', '<', place.olderThan);
  if (place && 'newerThan' in place) found = found.where('id', '>', place.newerThan);
  const rows = await found
    .selectAll()
    .orderBy('id', isBackwards ? 'asc' : 'desc')
    .limit(rowsPerPage + 1)
    .execute();
  const hasMore = rows.length > rowsPerPage;
  const shown = rows.slice(0, rowsPerPage);
  return isBackwards
    ? { rows: shown.toReversed(), hasNewer: hasMore, hasOlder: true }
    : { rows: shown, hasNewer: place !== null, hasOlder: hasMore };
}

function matching(db: Db, { search, filters }: AuditQuery, timeZone: string) {
  let found = db.selectFrom('audit_log');
  const { actor, action, entity, id: entity_id, from, to } = filters;
  const wanted = { actor, action, entity, entity_id };
  for (const column of ['actor', 'action', 'entity', 'entity_id'] as const) {
    const value = wanted[column];
    if (value !== null) found = found.where(column, '=', value);
  }
  // A day begins where the site's clocks say so.
  const midnight = (day: RawBuilder<unknown>) =>
    sql<Date>`(${day})::timestamp at time zone ${timeZone}`;
  if (isDay(from)) found = found.where('at', '>=', midnight(sql`${from}::date`));
  if (isDay(to)) found = found.where('at', '<', midnight(sql`${to}::date + 1`));
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  if (words === null) return found;
  const query = words.map((word) => `${word}:*`).join(' & '); // `desk lam`: `desk:* & lam:*`
  return found.where(
    sql<boolean>`audit_words(action, entity, entity_id, before, after) @@ to_tsquery('simple', ${query})`,
  );
}

/** There is no February 31, and the database would fail at it. */
function isDay(text: string | null): text is string {
  if (text === null) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const mostChoices = 200;

/** What there is to filter by. */
export async function listAuditChoices(db: Db) {
  const [actors, actions, entities] = await Promise.all([
    listValues(db, 'actor'),
    listValues(db, 'action'),
    listValues(db, 'entity'),
  ]);
  return { actors, actions, entities };
}

/** Each value is looked up behind the one before: the log is long, its values are few. */
async function listValues(db: Db, column: 'actor' | 'action' | 'entity'): Promise<string[]> {
  const name = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    with recursive seen (value) as (
      (select ${name} from audit_log order by ${name} limit 1)
      union all
      select (select ${name} from audit_log where ${name} > seen.value order by ${name} limit 1)
        from seen where seen.value is not null
    )
    select value from seen where value is not null limit ${mostChoices}`.execute(db);
  return rows.map(({ value }) => value);
}

/** Whether such an act was ever written down. */
export async function wasEverDone(db: Db, action: string): Promise<boolean> {
  const found = db.selectFrom('audit_log').select('id').where('action', '=', action).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}
