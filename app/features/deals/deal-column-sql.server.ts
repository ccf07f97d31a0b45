import { type RawBuilder, sql } from 'kysely';
import { dealColumns } from './deal-columns.ts';

type Name = keyof typeof dealColumns;

/** Returns `title, d.description …`: a select list, or a row within parentheses. */
export function columnList(names: readonly Name[], alias?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => columnOf(name, alias)));
}

/** Returns `title text, sale_price integer …`, for `create table` and `json_to_recordset`. */
export function columnTypes(names: readonly Name[]): RawBuilder<unknown> {
  return sql.join(
    names.map((name) => sql`${sql.ref(name)} ${sql.raw(sqlTypes[dealColumns[name].type])}`),
  );
}

/** Returns `title = excluded.title, …`, for an update from another row. */
export function columnsFrom(names: readonly Name[], alias: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`${sql.ref(name)} = ${columnOf(name, alias)}`));
}

/** Returns a JSON object of these columns. */
export function columnsAsJson(names: readonly Name[], alias: string): RawBuilder<unknown> {
  const fields = names.map((name) => sql`${sql.lit(name)}, ${columnOf(name, alias)}`);
  return sql`jsonb_build_object(${sql.join(fields)})`;
}

function columnOf(name: Name, alias?: string): RawBuilder<unknown> {
  return sql.ref(alias === undefined ? name : `${alias}.${name}`);
}

/** The declared types under PostgreSQL's names. */
export const sqlTypes = {
  text: 'text',
  money: 'integer',
  number: 'integer',
  flag: 'boolean',
  time: 'timestamptz',
  row: 'bigint',
} as const;
