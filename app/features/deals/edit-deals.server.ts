import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { readBatch } from '#app/platform/audit/audit-batches.server.ts';
import type { DealEdit } from './deal-edit.ts';
import type { DealsQuery } from './deals-table.ts';
import { listManagedDeals, listManagedIds } from './managed-deal-queries.server.ts';
import { correctPrices, undoPrices } from './void-prices.server.ts';

/** An edit, and the database time of the preview that was confirmed. */
export type SeenEdit = DealEdit & { seen: string };

/** A value as in JSON: minor units, a time, or `null`. */
type Value = number | string | null;
type ById = Record<string, Value>;

/** The result of an edit, per deal. */
export interface Edited {
  field: DealEdit['field'];
  ids: number[];
  was: ById;
  is: ById;
  /** Skipped deals that someone else changed. */
  changedMeanwhile: number[];
}

/** Returns the new value. Prices stay above zero and within their column. */
function valueOf(edit: DealEdit): RawBuilder<unknown> {
  if (edit.field === 'expires_at') return sql`${edit.at}::timestamptz`;
  if ('amount' in edit) return sql`${edit.amount}::integer`;
  const percent = sql`(100 + ${edit.percent}::numeric)`;
  return sql`least(2147483647, greatest(1, round(d.sale_price * ${percent} / 100)))::integer`;
}

/**
 * Returns whether a field can be edited. A price in another currency cannot be edited until the
 * deal has one in the site's currency.
 */
function isEditable(field: DealEdit['field']): RawBuilder<unknown> {
  return field === 'sale_price' ? sql`d.currency = (select site_currency())` : sql`true`;
}

/**
 * Returns the time before which all changes are visible to this read. A running transaction may
 * still write the time of its start.
 */
export async function readSeen(db: Db): Promise<string> {
  const seen = await ask(db).value<string>`
    select to_jsonb(least(now(), min(xact_start))) from pg_stat_activity
     where backend_xid is not null and datname = current_database()`;
  return seen ?? '';
}

const shownBefore = 5;

/**
 * Previews an edit: the number of deals, the first few before and after, and the time of reading.
 */
export async function previewEdit(
  db: Db,
  selection: { ids: number[] } | { filter: DealsQuery },
  edit: DealEdit | null,
) {
  const seen = await readSeen(db);
  const { count, first } = await findFirst(db, selection);
  const alerts = edit?.field === 'sale_price' ? await countAlerts(db, selection, edit) : 0;
  const examples = edit
    ? await ask(db).rows<{ id: number; title: string; was: Value; will: Value }>`
        select d.id, d.title, to_jsonb(${sql.ref(`d.${edit.field}`)}) as was, to_jsonb(${valueOf(edit)}) as will
          from unnest(${first}::bigint[]) with ordinality wanted (id, place)
          join deals d on d.id = wanted.id and ${isEditable(edit.field)}
         order by wanted.place`
    : [];
  return { seen, count, examples, alerts };
}

/** alerts; limits the preview for a deal with a million alerts */
const mostAlertsCounted = 10_000;

/**
 * Returns how many price alerts these prices would fire, by the rules of `judge_alerts`. Returns
 * `null` if there are too many to count.
 */
async function countAlerts(
  db: Db,
  selection: { ids: number[] } | { filter: DealsQuery },
  edit: DealEdit,
): Promise<number | null> {
  const ids = 'ids' in selection ? selection.ids : await listManagedIds(db, selection.filter);
  return ask(db).value<number>`
    with looked_at as materialized (
      select a.*, d.will, d.sale_price
        from (select d.*, ${valueOf(edit)} as will from deals d where d.id = any(${ids}::bigint[])) d
        join merchants m on m.id = d.merchant_id and m.allow_alerts
        join price_alerts a on a.deal_id = d.id and a.currency = d.currency
       where d.will <> d.sale_price and d.is_active and d.availability <> 'out_of_stock' and not d.is_expired
         and (d.expires_at is null or d.expires_at > now())
       limit ${mostAlertsCounted + 1}
    )
    select case when (select count(*) from looked_at) <= ${mostAlertsCounted} then (
      select count(*) from looked_at a left join users u on u.id = a.user_id
       where a.is_active and u.suspended_at is null
         and case a.kind
             when 'target' then a.will <= a.target_price
             when 'any_drop' then a.will < greatest(a.base_price, a.sale_price)
             when 'percent_drop' then a.will <= a.base_price::bigint * (100 - a.target_percent) / 100.0
             when 'new_low_30' then a.will < lowest_price_within(a.deal_id, 30, now())
             when 'new_low_90' then a.will < lowest_price_within(a.deal_id, 90, now())
             else false end
         and (a.fired_at is null or a.last_mailed_price is null and a.will < a.sale_price)) end`;
}

async function findFirst(db: Db, selection: { ids: number[] } | { filter: DealsQuery }) {
  if ('filter' in selection) {
    const { rows, total } = await listManagedDeals(db, { ...selection.filter, page: 1 });
    return { count: total, first: rows.slice(0, shownBefore).map(({ id }) => id) };
  }
  const ids = await ask(db).column<number>`
    select id from deals where id = any(${selection.ids}::bigint[]) order by id`;
  return { count: ids.length, first: ids.slice(0, shownBefore) };
}

/**
 * Edits deals whose rows the caller has locked. Deals changed since `seen` are skipped. The
 * triggers of `deals` run once per statement (docs/triggers.md).
 */
export async function editDeals(
  tx: Tx,
  { actor, ...edit }: SeenEdit & { actor: string },
  ids: number[],
): Promise<Edited> {
  const rows = await ask(tx).rows<{ id: number; was: Value; will: Value; isNewer: boolean }>`
    select d.id, to_jsonb(${sql.ref(`d.${edit.field}`)}) as was, to_jsonb(${valueOf(edit)}) as will,
           d.updated_at > ${edit.seen}::timestamptz as "isNewer"
      from deals d where d.id = any(${ids}::bigint[]) and ${isEditable(edit.field)} order by d.id`;
  const wanted = rows.filter(({ was, will, isNewer }) => !isNewer && was !== will);
  if (edit.field === 'sale_price') {
    const priced = wanted.map(({ id }) => id);
    await correctPrices(tx, { actor, ids: priced }, () => write(tx, edit.field, wanted));
  } else {
    await write(tx, edit.field, wanted);
  }
  return {
    field: edit.field,
    ids: wanted.map(({ id }) => id),
    was: Object.fromEntries(wanted.map(({ id, was }) => [id, was])),
    is: Object.fromEntries(wanted.map(({ id, will }) => [id, will])),
    changedMeanwhile: rows.filter(({ isNewer }) => isNewer).map(({ id }) => id),
  };
}

/**
 * Restores the values of locked deals from before an edit, except for deals that were changed
 * since. A price in a former currency is skipped.
 */
export async function putBack(
  tx: Tx,
  { actor, batch }: { actor: string; batch: string },
  ids: number[],
): Promise<Edited | null> {
  const entries = await readBatch<Record<string, ById>>(tx, batch, ids);
  const field = entries.flatMap(({ is }) => Object.keys(is)).find(isEdited);
  if (!field) return null;
  const [was, is]: [ById, ById] = [{}, {}];
  for (const entry of entries) {
    Object.assign(was, entry.was[field]);
    Object.assign(is, entry.is[field]);
  }
  const rows = await ask(tx).rows<{ id: number; value: Value }>`
    select d.id, to_jsonb(${sql.ref(`d.${field}`)}) as value from deals d
     where d.id = any(${ids}::bigint[]) and ${isEditable(field)}
       and (${field !== 'sale_price'} or d.currency_since is null or d.currency_since < ${entries[0]?.at}::timestamptz)
     order by d.id`;
  const same = rows.filter(({ id, value }) => value === is[id]);
  const back = same.map(({ id, value }) => ({ id, was: value, will: was[id] ?? null }));
  if (field === 'sale_price') {
    await undoPrices(tx, { actor, ids: back.map(({ id }) => id) }, () => write(tx, field, back));
  } else {
    await write(tx, field, back);
  }
  const [done, sameIds] = [back.map(({ id }) => id), new Set(same.map(({ id }) => id))];
  return {
    field,
    ids: done,
    was: Object.fromEntries(back.map((deal) => [deal.id, deal.was])),
    is: Object.fromEntries(back.map((deal) => [deal.id, deal.will])),
    changedMeanwhile: rows.filter(({ id }) => !sameIds.has(id)).map(({ id }) => id),
  };
}

function isEdited(name: string): name is DealEdit['field'] {
  return name === 'sale_price' || name === 'expires_at';
}

/**
 * Writes the values. Triggers write the price log. The time of the last check is unchanged, since
 * staff did not check the store.
 */
async function write(tx: Tx, field: DealEdit['field'], deals: { id: number; will: Value }[]) {
  const values = deals.map(({ will }) => (will === null ? null : String(will)));
  const given =
    field === 'sale_price'
      ? sql`sale_price = given.value::integer, price_source = 'admin'`
      : sql`expires_at = given.value::timestamptz`;
  await sql`
    update deals d set ${given}, version = d.version + 1, updated_at = now()
      from unnest(${deals.map(({ id }) => id)}::bigint[], ${values}::text[]) as given (id, value)
     where d.id = given.id`.execute(tx);
}
