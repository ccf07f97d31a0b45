import { type RawBuilder, sql } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { TrashKind } from './trash-kinds.ts';
import type { TrashFilter, TrashSort } from './trash-table.ts';

interface Entry {
  id: number;
  entity: TrashKind;
  row_id: number;
  name: string;
  deleted_by: string;
  deleted_at: Date;
  /** The bulk deletion that removed the deal. */
  batch: string | null;
}

export type TrashQuery = TableQuery<TrashSort, TrashFilter>;
export type TrashRow = Awaited<ReturnType<typeof listTrash>>['rows'][number];

const orders: Record<TrashSort, RawBuilder<unknown>> = {
  deleted: sql`t.deleted_at`,
  name: sql`lower(t.name)`,
};

/** Returns a page of the trash, with the number of rows that each entry would restore. */
export async function listTrash(db: Db, query: TrashQuery, kinds: readonly TrashKind[]) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = matching(db, query, kinds)
    .leftJoin('users as u', 'u.id', 't.deleted_by')
    .select(['t.id', 't.entity', 't.name', 't.deleted_by', 't.deleted_at', 't.batch'])
    .select(['u.full_name', 'u.email'])
    .orderBy(orders[query.sort], direction)
    .orderBy('t.id', direction);
  const page = await readTablePage(rows, query);
  const [inside, together] = await Promise.all([
    countInside(db, page.rows),
    countBatches(db, page.rows),
  ]);
  return {
    ...page,
    rows: page.rows.map(({ full_name, email, batch, ...row }) => ({
      ...row,
      by: full_name || email || row.deleted_by,
      inside: inside.get(row.id) ?? {},
      /** The number of deals in the trash that were deleted together with this one. */
      together: batch === null ? 1 : (together.get(batch) ?? 1),
    })),
  };
}

/** Returns the ids of all matching entries. */
export async function listTrashIds(db: Db, query: TrashQuery, kinds: readonly TrashKind[]) {
  const rows = await matching(db, query, kinds).select('t.id').execute();
  return rows.map(({ id }) => id);
}

/** Counts the entries of each kind. */
export async function countTrash(db: Db, kinds: readonly TrashKind[]) {
  return ask(db).rows<{ kind: TrashKind; count: number }>`
    select entity as kind, count(*) as count from trash_entries
     where entity = any(${kinds}) group by entity order by count(*) desc, entity`;
}

function matching(db: Db, { search, filters }: TrashQuery, kinds: readonly TrashKind[]) {
  const shown = kinds.filter((kind) => filters.kind === null || kind === filters.kind);
  return db
    .selectFrom(
      sql<Entry>`(select id, entity, row_id, name, deleted_by, deleted_at, batch from trash_entries)`.as(
        't',
      ),
    )
    .where(sql<boolean>`t.entity = any(${shown})`)
    .where(containsIn(search, 't.name'));
}

/** Returns the `deleted_deals` ids of the entries that are deals. */
export function dealEntries(ids: readonly number[]): number[] {
  return ids.filter((id) => id % 2 === 0).map((id) => id / 2);
}

/** Returns the `deleted_rows` ids of the other entries. */
export function otherEntries(ids: readonly number[]): number[] {
  return ids.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2);
}

/** Counts the rows stored in each entry, by table. */
async function countInside(db: Db, entries: readonly { id: number }[]) {
  const ids = entries.map(({ id }) => id);
  const [deals, others] = [dealEntries(ids), otherEntries(ids)];
  const rows = await ask(db).rows<{ id: number; part: string; count: number }>`
    select id, part, sum(jsonb_array_length(kept))::integer as count from (
      select k.id * 2 as id, p.part, p.kept from deleted_deals k, jsonb_each(k.snapshot) as p (part, kept)
       where k.id = any(${deals}::bigint[]) and jsonb_typeof(p.kept) = 'array'
      union all
      select r.deleted_id * 2, r.part, r.kept from deleted_deal_rows r where r.deleted_id = any(${deals}::bigint[])
      union all
      select r.deleted_id * 2 + 1, r.from_table, r.kept from deleted_row_parts r
       where r.deleted_id = any(${others}::bigint[]) and r.place > 0) parts
     group by id, part`;
  const inside = new Map<number, Record<string, number>>();
  for (const { id, part, count } of rows) inside.set(id, { ...inside.get(id), [part]: count });
  return inside;
}

async function countBatches(db: Db, entries: readonly { batch: string | null }[]) {
  const batches = [...new Set(entries.flatMap(({ batch }) => batch ?? []))];
  const rows = await ask(db).rows<{ batch: string; count: number }>`
    select batch, count(*)::integer as count from deleted_deals
     where batch = any(${batches}::uuid[]) group by batch`;
  return new Map(rows.map(({ batch, count }) => [batch, count]));
}
