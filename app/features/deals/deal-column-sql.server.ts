import { type RawBuilder, sql } from 'kysely';
import { dealColumns } from './deal-columns.ts';

type Name = keyof typeof dealColumns;

/** `title, d.description …`: a select list, or a row where it stands in parentheses. */
export function columnList(names: readonly Name[], alias?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => columnOf(name, alias)));
}

/** `title text, sale_price integer …`, as `create table` and `json_to_recordset` want it. */
export function columnTypes(names: readonly Name[]): RawBuilder<unknown> {
  return sql.join(
    names.map((name) => sql`${sql.ref(name)} ${sql.raw(sqlTypes[dealColumns[name].type])}`),
  );
}

/** `title = excluded.title, …`, as an update sets it from another row. */
export function columnsFrom(names: readonly Name[], alias: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`${sql.ref(name)} = ${columnOf(name, alias)}`));
}

/** A JSON object of these columns. */
export function columnsAsJson(names: readonly Name[], alias: string): RawBuilder<unknown> {
  const fields = names.map((name) => sql`${sql.lit(name)}, ${columnOf(name, alias)}`);
  return sql`jsonb_build_object(${sql.join(fields)})`;
}

function columnOf(name: Name, alias?: string): RawBuilder<unknown> {
  return sql.ref(alias === undefined ? name : `${alias}.${name}`);
}

/** The declared types in PostgreSQL's words. */
export const sqlTypes = {
  text: 'text',
  money: 'integer',
  number: 'integer',
  flag: 'boolean',
  time: 'timestamptz',
  row: 'bigint',
} as const;
