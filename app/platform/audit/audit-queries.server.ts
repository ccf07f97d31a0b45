import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { rowsPerPage } from '#app/platform/table-query.ts';
import type { AuditQuery } from './audit-table.ts';

export type AuditRow = Selectable<Database['audit_log']>;

/** The cursor at which a page begins: after an entry, or before one. `null` for the first page. */
export type AuditPlace = { olderThan: number } | { newerThan: number } | null;

/** The rows of a page, and whether there are newer and older ones. */
export type AuditPage = Awaited<ReturnType<typeof listAuditRows>>;

/** Lists the newest actions of one user. */
export function listNewestOf(db: Db, actor: string, limit: number): Promise<AuditRow[]> {
  const theirs = db.selectFrom('audit_log').selectAll().where('actor', '=', actor);
  return theirs.orderBy('id', 'desc').limit(limit).execute();
}

/** Returns a page of the log, newest first. Every page costs the same, however long the log is. */
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
  const { entity, id, from, to } = filters;
  let found = db.selectFrom(entriesOf(db, entity, id).as('audit_log'));
  for (const column of ['actor', 'action', 'entity'] as const) {
    const value = filters[column];
    if (value !== null) found = found.where(column, '=', value);
  }
  // A day begins at midnight in the site's time zone.
  const midnight = (day: RawBuilder<unknown>) =>
    sql<Date>`(${day})::timestamp at time zone ${timeZone}`;
  if (isDay(from)) found = found.where('at', '>=', midnight(sql`${from}::date`));
  if (isDay(to)) found = found.where('at', '<', midnight(sql`${to}::date + 1`));
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  if (words === null) return found;
  // `desk lam` becomes `desk:* & lam:*`.
  const query = words.map((word) => `${word}:*`).join(' & ');
  return found.where(
    sql<boolean>`audit_words(action, entity, entity_id, before, after, names) @@ to_tsquery('simple', ${query})`,
  );
}

/**
 * Selects the entries of one entity: its own and those of bulk actions that included it. Each of
 * the two queries has an index that ends with the sort column.
 */
function entriesOf(db: Db, entity: string | null, id: string | null) {
  const all = db.selectFrom('audit_log').selectAll();
  if (id === null) return all;
  const own = all.where('entity_id', '=', id);
  if (entity === null || parseRowId(id) === null) return own;
  const among = sql<boolean>`after -> 'ids' @> ${`[${id}]`}::jsonb`;
  return own.unionAll(all.where('entity_id', 'is', null).where(among));
}

/** Returns whether the day exists, since the database would fail on February 31. */
function isDay(text: string | null): text is string {
  if (text === null) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const mostChoices = 200;

/** Lists the options of the filters. */
export async function listAuditChoices(db: Db) {
  const [actors, actions, entities] = await Promise.all([
    listValues(db, 'actor'),
    listValues(db, 'action'),
    listValues(db, 'entity'),
  ]);
  return { actors, actions, entities };
}

/**
 * Lists the distinct values of a column. Looks up each value after the previous one, since the log
 * is long and has few distinct values.
 */
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

/** Returns the time when this action was last logged, or null. */
export async function lastDoneAt(db: Db, action: string): Promise<Date | null> {
  const acts = db.selectFrom('audit_log').select('at').where('action', '=', action);
  return (await acts.orderBy('id', 'desc').limit(1).executeTakeFirst())?.at ?? null;
}
