import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { rowsPerPage } from '#app/platform/table-query.ts';
import type { AuditQuery } from './audit-table.ts';

export interface AuditRow {
  id: number;
  at: Date;
  /** A user's id, also after there is no such account, or `cli`, `system`. */
  actor: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: unknown;
  after: unknown;
}

/** Where a page begins: behind an entry, or before one; null for the newest. */
export type AuditPlace = { olderThan: number } | { newerThan: number } | null;

export interface AuditPage {
  rows: AuditRow[];
  /** Whether there is more on either side. */
  hasNewer: boolean;
  hasOlder: boolean;
}

/** A page of the log, newest first. Costs the same on every page, however long the log is. */
export async function listAuditRows(
  db: Db,
  { query, timeZone, place }: { query: AuditQuery; timeZone: string; place: AuditPlace },
): Promise<AuditPage> {
  const isBackwards = place !== null && 'newerThan' in place;
  let found = matching(db, query, timeZone);
  if (place && 'olderThan' in place) found = found.where('id', '<', place.olderThan);
  if (place && 'newerThan' in place) found = found.where('id', '>', place.newerThan);
  const rows = await found
    .select(['id', 'at', 'actor', 'action', 'entity', 'entity_id', 'before', 'after'])
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
  if (filters.actor !== null) found = found.where('actor', '=', filters.actor);
  if (filters.action !== null) found = found.where('action', '=', filters.action);
  if (filters.entity !== null) found = found.where('entity', '=', filters.entity);
  if (filters.id !== null) found = found.where('entity_id', '=', filters.id);
  // A day begins where the site's clocks say so.
  if (isDay(filters.from)) {
    found = found.where(
      sql<boolean>`at >= (${filters.from}::date::timestamp at time zone ${timeZone})`,
    );
  }
  if (isDay(filters.to)) {
    found = found.where(
      sql<boolean>`at < ((${filters.to}::date + 1)::timestamp at time zone ${timeZone})`,
    );
  }
  const words = wordsOf(search);
  if (words === null) return found;
  return found.where(
    sql<boolean>`audit_words(action, entity, entity_id, before, after)
                 @@ to_tsquery('simple', ${words})`,
  );
}

/** `desk lam` as `desk:* & lam:*`; null where there is no word. */
function wordsOf(search: string): string | null {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words === null ? null : words.map((word) => `${word}:*`).join(' & ');
}

/** There is no February 31, and the database says so too loudly. */
function isDay(text: string | null): text is string {
  if (text === null) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

export interface AuditChoices {
  actors: string[];
  actions: string[];
  entities: string[];
}

const mostChoices = 200;

/** What there is to filter by. Each value is looked up behind the one before: the log is long, its values are few. */
export async function listAuditChoices(db: Db): Promise<AuditChoices> {
  const [actors, actions, entities] = await Promise.all([
    listValues(db, 'actor'),
    listValues(db, 'action'),
    listValues(db, 'entity'),
  ]);
  return { actors, actions, entities };
}

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
  const entry = await db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
