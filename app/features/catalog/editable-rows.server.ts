import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import { restoreDeleted, type RestoreResult } from '#app/platform/trash/restore-deleted.server.ts';

/** A table with `id`, `version` and `updated_at`. */
interface EditableTable<Row> {
  table: string;
  /** The name of the entity in the audit log. */
  entity: string;
  columns: readonly (keyof Row & string)[];
  /** The column of `deals` that refers to such a row, if one does. */
  dealColumns?: string;
  /** The unique index whose violation is `slug-taken`; by default that of `slug`. */
  unique?: string;
  /** The column that names a row in the trash; by default `name`. */
  nameColumn?: string;
}

export type SaveRowResult<Row> =
  | { ok: true; row: Row }
  | { ok: false; reason: 'slug-taken' | 'not-found' }
  | { ok: false; reason: 'changed-meanwhile'; current: Row };
export type DeleteRowResult =
  | { ok: true; name: string }
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'has-deals'; name: string; deals: number };

/**
 * Creates the rules of a table that staff edit row by row. Each rule runs in a transaction with its
 * audit entry. An update requires the version that was read. A row with deals cannot be deleted. A
 * deletion can be undone for an hour, and restored from the trash for 30 days. A form's columns
 * must all be read, since a form without a stored value would erase it.
 */
export function editableRows<
  Row extends { id: number; version: number } & Record<keyof Input, unknown>,
  Input extends object,
>({
  table,
  entity,
  columns,
  dealColumns,
  unique = `${table}_slug_key`,
  nameColumn = 'name',
}: EditableTable<Row>) {
  const rows = sql.table(table);
  const shown = sql.join(columns.map((column) => sql.ref(column)));
  const refusals = { [unique]: 'slug-taken' } as const;
  const audit = (tx: Db, act: string, entry: { actor: string; entityId: number }, what: object) =>
    writeAudit(tx, { action: `${entity}.${act}`, entity, ...entry, ...what });

  const find = (db: Db, id: number): Promise<Row | null> =>
    first<Row>(db, sql`select ${shown} from ${rows} where id = ${id}`);

  function create(db: Db, input: Input, actor: string): Promise<SaveRowResult<Row>> {
    return refuseKnown(db, refusals, async (tx): Promise<SaveRowResult<Row>> => {
      const names = sql.join(Object.keys(input).map((name) => sql.ref(name)));
      const values = sql.join(Object.values(input));
      const row = await first<Row>(
        tx,
        sql`insert into ${rows} (${names}) values (${values}) returning ${shown}`,
      );
      if (!row) throw new Error(`no ${entity} was stored`);
      await audit(tx, 'create', { actor, entityId: row.id }, { after: input });
      return { ok: true, row };
    });
  }

  function update(
    db: Db,
    id: number,
    input: Input,
    { actor, expectedVersion }: { actor: string; expectedVersion: number },
  ): Promise<SaveRowResult<Row>> {
    return refuseKnown(db, refusals, async (tx): Promise<SaveRowResult<Row>> => {
      const current = await first<Row>(
        tx,
        sql`select ${shown} from ${rows} where id = ${id} for update`,
      );
      if (!current) return { ok: false, reason: 'not-found' };
      if (current.version !== expectedVersion) {
        return { ok: false, reason: 'changed-meanwhile', current };
      }
      const changes = Object.entries(input).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      const row = await first<Row>(
        tx,
        sql`update ${rows} set ${sql.join(changes)}, version = version + 1, updated_at = now()
             where id = ${id} returning ${shown}`,
      );
      if (!row) return { ok: false, reason: 'not-found' };
      await audit(tx, 'update', { actor, entityId: id }, changedFields(current, input));
      return { ok: true, row };
    });
  }

  const remove = (db: Db, id: number, actor: string) =>
    removeRow(db, { table, entity, dealColumns, nameColumn }, { id, actor });

  /** Restores a deleted row with its old id. */
  const restore = (db: Db, id: number, actor: string): Promise<RestoreResult> =>
    restoreDeleted(db, { table, entity, id, actor, unique });

  return { find, create, update, remove, restore };
}

function removeRow(
  db: Db,
  {
    table,
    entity,
    dealColumns,
    nameColumn,
  }: { table: string; entity: string; dealColumns: string | undefined; nameColumn: string },
  { id, actor }: { id: number; actor: string },
): Promise<DeleteRowResult> {
  const rows = sql.table(table);
  return db.transaction().execute(async (tx): Promise<DeleteRowResult> => {
    const whole = sql`select * from ${rows} where id = ${id} for update`;
    const row = await first<Record<string, string | number | null> & { name?: string }>(tx, whole);
    if (!row) return { ok: false, reason: 'not-found' };
    const { name = '' } = row;
    const deals = dealColumns ? await countDeals(tx, dealColumns, id) : 0;
    if (deals > 0) return { ok: false, reason: 'has-deals', name, deals };
    await keepDeleted(tx, { table, entity, id, name: String(row[nameColumn] ?? ''), actor });
    await sql`delete from ${rows} where id = ${id}`.execute(tx);
    const entry = { actor, action: `${entity}.delete`, entity, entityId: id, before: row };
    await writeAudit(tx, entry);
    return { ok: true, name };
  });
}

async function countDeals(db: Db, column: string, id: number): Promise<number> {
  const count = sql`select count(*) as deals from deals where ${sql.ref(column)} = ${id}`;
  return (await first<{ deals: number }>(db, count))?.deals ?? 0;
}

async function first<Row>(db: Db, query: RawBuilder<unknown>): Promise<Row | null> {
  const { rows } = await query.$castTo<Row>().execute(db);
  return rows[0] ?? null;
}
