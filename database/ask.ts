import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

type Query = Parameters<typeof sql>;

/**
 * Runs raw SQL, and returns all rows, the first row, the single column of all rows, or the single
 * value.
 */
export function ask(db: Db) {
  const rows = async <Row>(...query: Query) => (await sql<Row>(...query).execute(db)).rows;
  const column = async <Value>(...query: Query) =>
    (await rows<Record<string, Value>>(...query)).flatMap((row) => Object.values(row));
  return {
    rows,
    row: async <Row>(...query: Query) => (await rows<Row>(...query))[0] ?? null,
    column,
    value: async <Value>(...query: Query) => (await column<Value>(...query))[0] ?? null,
  };
}
