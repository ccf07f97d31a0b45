import { data } from 'react-router';
import type { Db } from '#database/connect.ts';
import { parseRowId } from './parse-row-id.ts';

/** Returns the row whose id is in the URL, or responds with 404. */
export async function askedRow<Row>(
  db: Db,
  id: string,
  find: (db: Db, id: number) => Promise<Row | null>,
): Promise<Row> {
  const row = await find(db, parseRowId(id) ?? 0);
  if (!row) throw data(null, { status: 404 });
  return row;
}
