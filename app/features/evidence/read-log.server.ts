import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A price or void in its sealed form. */
export interface Leaf {
  id: number;
  deal: number;
  /** The id of the deal's previous price, or of the voided line. 0 if there is none. */
  fact: number;
  text: string;
  /** ms since 1970 */
  at: number;
}

/** A kind of leaf. Each kind is read by the ids of its own table. */
export type LeafKind = 'price' | 'void';

const inUtc = sql.raw(`at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`);

/** The text of a price leaf, without the previous price. `l` is a line of the log. */
export const priceText = sql`concat_ws(' ', 'price', l.id, 'deal', l.deal_id, 'at', to_char(l.at ${inUtc}), l.sale_price, coalesce(l.original_price::text, '-'), l.currency, l.availability, l.source)`;
/** The text of a void leaf. The reason is hashed, and the person is omitted. */
export const voidText = sql`concat_ws(' ', 'void', l.id, 'deal', l.deal_id, 'price', l.line_id, 'at', to_char(l.voided_at ${inUtc}), encode(sha256(convert_to(l.reason, 'utf8')), 'hex'))`;
/** The id of the deal's line before `l`, in the order of the chart. */
export const priceBefore = sql`select p.id from price_log p where p.deal_id = l.deal_id and (p.at, p.id) < (l.at, l.id) order by p.at desc, p.id desc limit 1`;

/** The SQL parts for reading each kind of leaf. `l` is a row of its table. */
const kinds = {
  price: {
    table: 'price_log',
    fact: sql`coalesce((${priceBefore}), 0)`,
    factInTrash: sql`lag(l.id, 1, 0::bigint) over (partition by l.deal_id order by l.at, l.id)`,
    text: priceText,
    at: sql`l.at`,
  },
  void: {
    table: 'price_voids',
    fact: sql`l.line_id`,
    factInTrash: sql`l.line_id`,
    text: voidText,
    at: sql`l.voided_at`,
  },
};

/** lines read per query */
const atOnce = 10_000;

/**
 * A range of ids in the log. `trashSince` includes lines of deals that were deleted since that day.
 */
interface Range {
  after: number;
  through: number;
  trashSince: string | null;
}

/**
 * Reads the log by id, in batches. Lines of deals in the trash are sealed as well, since a restore
 * returns them to the log. One query reads both, so that no deal is missed while it is restored.
 */
export async function* readLog(db: Db, kind: LeafKind, range: Range): AsyncGenerator<Leaf> {
  const { table, fact, factInTrash, text, at } = kinds[kind];
  const { through, trashSince } = range;
  const columns = sql`l.id, l.deal_id as deal, ${text} as text, extract(epoch from ${at})::float8 * 1000 as at`;
  const trash = await listTrash(db, kind, range);
  const listed = trash.map(({ id }) => id);
  for (let last = range.after; last < through;) {
    const end =
      (await ask(db).value<number>`
        select id from ${sql.table(table)} where id > ${last} and id <= ${through} order by id offset ${atOnce - 1} limit 1`) ??
      through;
    const due = trash.flatMap(({ id, first, newest }) =>
      first !== null && first <= end && newest > last ? id : [],
    );
    const leaves = await ask(db).rows<Leaf>`
      select * from (
        (select ${columns}, ${fact} as fact from ${sql.table(table)} l
          where l.id > ${last} and l.id <= ${end} order by l.id limit ${atOnce})
        union all
        select * from (
          select ${columns}, ${factInTrash} as fact
            from ${trashedLines(table)}
           where k.deleted_at >= ${trashSince}::date
             and (k.id = any(${due}::bigint[]) or k.id <> all(${listed}::bigint[]))) trash
         where id > ${last} and id <= ${end}) found
       order by id limit ${atOnce}`;
    for (const leaf of leaves) {
      yield { ...leaf, text: kind === 'price' ? withBefore(leaf.text, leaf.fact) : leaf.text };
    }
    last = leaves.length === atOnce ? (leaves.at(-1)?.id ?? end) : end;
  }
}

/** The lines `l` of each deleted deal `k`. */
const trashedLines = (table: string) => sql`deleted_deals k
  cross join lateral (
    select jsonb_array_elements(k.snapshot -> ${table}) as one
    union all select jsonb_array_elements(r.kept) from deleted_deal_rows r where r.deleted_id = k.id and r.part = ${table}) part
  -- A snapshot from before prices had currencies uses the one of its row.
  cross join jsonb_populate_record(null::${sql.table(table)},
    jsonb_build_object('currency', coalesce(k.snapshot ->> 'currency', site_currency())) || part.one) l`;

/**
 * Lists deleted deals with the range of their unsealed ids, since reading all lines in the trash is
 * slow.
 */
async function listTrash(db: Db, kind: LeafKind, { after, through, trashSince }: Range) {
  return ask(db).rows<{ id: number; first: number | null; newest: number }>`
    select t.id, min(lines.id) as first, max(lines.id) as newest
      from deleted_deals t
      left join (select k.id as deleted, l.id from ${trashedLines(kinds[kind].table)}
                  where k.deleted_at >= ${trashSince}::date and l.id > ${after} and l.id <= ${through}) lines on lines.deleted = t.id
     where t.deleted_at >= ${trashSince}::date
     group by t.id`;
}

/** Returns the complete text of a price leaf. */
export const withBefore = (text: string, before: number) => `${text} after ${before}`;
