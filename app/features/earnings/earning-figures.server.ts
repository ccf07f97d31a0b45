import { type RawBuilder, sql } from 'kysely';
import { toDecimal } from '#app/platform/money.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { SaleStatus } from '#database/schema/earning-tables.ts';
import { isNetworkId, networkOf } from './affiliate-networks.ts';

/** Commissions in one currency, without declined sales. */
export interface Earned {
  currency: string;
  /** Minor units, including pending commissions. */
  amount: number;
  pending: number;
}

/** The scope that earnings belong to. A `feed` is a feed source. */
export type EarningKind = 'deal' | 'merchant' | 'category' | 'feed' | 'newsletter';

export interface EarningRow {
  id: number;
  /** `null` if the scope was deleted. */
  name: string | null;
  sales: number;
  clicks: number;
  earned: Earned[];
}

const scopes: Record<EarningKind, { column: string; table: string; name: string }> = {
  deal: { column: 'deal_id', table: 'deals', name: 'title' },
  merchant: { column: 'merchant_id', table: 'merchants', name: 'name' },
  category: { column: 'category_id', table: 'categories', name: 'name' },
  feed: { column: 'feed_source_id', table: 'feed_sources', name: 'name' },
  newsletter: { column: 'newsletter_id', table: 'newsletters', name: 'subject' },
};

/** Returns the first day of a period that ends today (UTC). */
const since = (now: Date, days: number) =>
  sql`((${now}::timestamptz at time zone 'UTC')::date - (${days}::integer - 1))`;

/** Aggregates rows with `currency`, `amount` and `pending` into `Earned[]`. */
const earnedColumn = sql`
  jsonb_agg(jsonb_build_object('currency', s.currency, 'amount', s.amount, 'pending', s.pending)
            order by s.amount desc, s.currency)`;

/** The commissions of one day, or `[]` if there are none. `day` is a column. */
export const earnedOn = (day: RawBuilder<unknown>) => sql`
  coalesce((select ${earnedColumn}
              from (select currency, sum(amount) as amount,
                           coalesce(sum(amount) filter (where status = 'pending'), 0) as pending
                      from earnings where day = ${day} and status <> 'declined'
                     group by currency) s), '[]')`;

const sums = sql`
  count(*)::integer as sales, sum(e.amount) as amount,
  coalesce(sum(e.amount) filter (where e.status = 'pending'), 0) as pending`;

/** Counts the clicks of a scope in the period. For a newsletter, counts all clicks. */
function clicksOf(kind: EarningKind, start: RawBuilder<unknown>): RawBuilder<unknown> {
  if (kind === 'newsletter')
    return sql`(select sum(l.clicks) from newsletter_links l where l.newsletter_id = top.id)`;
  if (kind === 'deal')
    return sql`(select sum(c.count) from clicks c where c.deal_id = top.id and c.day >= ${start})`;
  return sql`(select sum(c.count) from click_days c
               where c.kind = ${kind} and c.place_id = top.id and c.day >= ${start})`;
}

/**
 * Returns the deals, stores or other scopes that earned most in the period, in the currency with
 * the most sales. A newsletter's sales and clicks count regardless of the period.
 */
export async function listEarnings(
  db: Db,
  kind: EarningKind,
  { days, now, limit }: { days: number; now: Date; limit: number },
): Promise<EarningRow[]> {
  const { column, table, name } = scopes[kind];
  const id = sql.ref(`e.${column}`);
  const start = since(now, days);
  const inPeriod =
    kind === 'newsletter'
      ? sql`e.newsletter_id in (select newsletter_id from earnings
                                 where day >= ${start} and newsletter_id is not null)`
      : sql`e.day >= ${start}`;
  return ask(db).rows<EarningRow>`
    with s as (
      select ${id} as id, e.currency, ${sums} from earnings e
       where ${inPeriod} and ${id} is not null and e.status <> 'declined' group by 1, 2
    ), main as (
      select currency from s group by 1 order by sum(sales) desc, 1 limit 1
    ), top as (
      select s.id, sum(s.sales)::integer as sales, ${earnedColumn} as earned,
             max(s.amount) filter (where s.currency = (select currency from main)) as first
        from s group by s.id order by first desc nulls last, sales desc, s.id limit ${limit}
    )
    select top.id, case when ${kind} = 'feed' and top.id = 0 then 'Without a feed'
                        else named.${sql.ref(name)} end as name,
           top.sales, top.earned, coalesce(${clicksOf(kind, start)}, 0)::integer as clicks
      from top left join ${sql.table(table)} named on named.id = top.id
     order by top.first desc nulls last, top.sales desc, top.id`;
}

/**
 * Returns the earnings of these deals, stores or other scopes in the period, by id. A newsletter's
 * sales and clicks count regardless of the period.
 */
export async function earningsOf(
  db: Db,
  kind: EarningKind | 'coupon' | 'slot',
  ids: readonly number[],
  { days, now }: { days: number; now: Date },
): Promise<Map<number, Earned[]>> {
  const id = sql.ref(
    `e.${kind === 'coupon' || kind === 'slot' ? `${kind}_id` : scopes[kind].column}`,
  );
  const inPeriod = kind === 'newsletter' ? sql`true` : sql`e.day >= ${since(now, days)}`;
  const rows = await ask(db).rows<{ id: number; earned: Earned[] }>`
    with s as (
      select ${id} as id, e.currency, ${sums} from earnings e
       where ${id} = any(${ids}::bigint[]) and ${inPeriod}
         and e.status <> 'declined' group by 1, 2
    )
    select s.id, ${earnedColumn} as earned from s group by s.id`;
  return new Map(rows.map((row) => [row.id, row.earned]));
}

/** Returns what each link of a newsletter earned, by its position. */
export async function earningsOfLinks(
  db: Db,
  newsletterId: number,
): Promise<Map<number, Earned[]>> {
  const rows = await ask(db).rows<{ position: number; earned: Earned[] }>`
    with s as (
      select e.newsletter_link as position, e.currency, ${sums} from earnings e
       where e.newsletter_id = ${newsletterId} and e.newsletter_link is not null
         and e.status <> 'declined' group by 1, 2
    )
    select s.position, ${earnedColumn} as earned from s group by s.position`;
  return new Map(rows.map(({ position, earned }) => [position, earned]));
}

export interface EarningTotal extends Earned {
  sales: number;
  declined: number;
  /** Sales that name no deal, newsletter or source on this site. */
  unmatched: number;
}

/** Returns the totals of the period by currency. */
export async function sumEarnings(db: Db, days: number, now: Date): Promise<EarningTotal[]> {
  return ask(db).rows<EarningTotal>`
    select e.currency, count(*) filter (where e.status <> 'declined')::integer as sales,
           coalesce(sum(e.amount) filter (where e.status <> 'declined'), 0) as amount,
           coalesce(sum(e.amount) filter (where e.status = 'pending'), 0) as pending,
           count(*) filter (where e.status = 'declined')::integer as declined,
           count(*) filter (where e.status <> 'declined' and e.channel is null)::integer as unmatched
      from earnings e where e.day >= ${since(now, days)}
     group by e.currency order by sales desc, e.currency`;
}

export interface GroupedEarnings {
  /** The id of a network or channel, or `null` for sales without a source. */
  name: string | null;
  sales: number;
  earned: Earned[];
}

/** Returns the earnings of each network or click source. */
export async function groupEarnings(
  db: Db,
  by: 'network' | 'channel',
  days: number,
  now: Date,
): Promise<GroupedEarnings[]> {
  const column = sql.ref(`e.${by}`);
  return ask(db).rows<GroupedEarnings>`
    with s as (
      select ${column} as name, e.currency, ${sums} from earnings e
       where e.day >= ${since(now, days)} and e.status <> 'declined' group by 1, 2
    )
    select s.name, sum(s.sales)::integer as sales, ${earnedColumn} as earned
      from s group by s.name order by sales desc, s.name nulls last`;
}

export interface EarningImport {
  id: number;
  network: string;
  fileName: string;
  added: number;
  changed: number;
  at: Date;
  by: string | null;
  undoneAt: Date | null;
  canUndo: boolean;
}

/** Returns the latest report imports. */
export async function listEarningImports(db: Db, limit: number): Promise<EarningImport[]> {
  return ask(db).rows<EarningImport>`
    select i.id, i.network, i.file_name as "fileName", i.added, i.changed, i.created_at as at,
           u.full_name as by, i.undone_at as "undoneAt",
           i.undone_at is null and exists (select from earning_changes c where c.import_id = i.id) as "canUndo"
      from earning_imports i left join users u on u.id::text = i.created_by
     order by i.id desc limit ${limit}`;
}

export const earningExportHeadings = [
  'Day',
  'Network',
  'Transaction',
  'Status',
  'Commission',
  'Currency',
  'Deal ID',
  'Deal',
  'Store',
  'Category',
  'Source',
  'Newsletter',
  'Clicked on (UTC)',
];

interface ExportedSale {
  id: number;
  day: string;
  network: string;
  transaction_id: string;
  status: SaleStatus;
  amount: number;
  currency: string;
  deal_id: number | null;
  deal: string | null;
  store: string | null;
  category: string | null;
  channel: string | null;
  newsletter: string | null;
  clicked_on: string | null;
}

const exportedAtATime = 1_000;

/** Yields the sales of the period, oldest first. */
export async function* exportEarnings(db: Db, days: number, now: Date) {
  let after = { day: '1900-01-01', id: 0 };
  for (;;) {
    const rows: ExportedSale[] = await ask(db).rows<ExportedSale>`
      select e.id, e.day, e.network, e.transaction_id, e.status, e.amount, e.currency, e.deal_id,
             d.title as deal, m.name as store, g.name as category, e.channel,
             n.subject as newsletter, e.clicked_on
        from (select * from earnings
               where day >= ${since(now, days)} and (day, id) > (${after.day}::date, ${after.id})
               order by day, id limit ${exportedAtATime}) e
        left join deals d on d.id = e.deal_id
        left join merchants m on m.id = e.merchant_id
        left join categories g on g.id = e.category_id
        left join newsletters n on n.id = e.newsletter_id
       order by e.day, e.id`;
    for (const row of rows) yield exportedRow(row);
    const last = rows.at(-1);
    if (!last || rows.length < exportedAtATime) return;
    after = last;
  }
}

function exportedRow(row: ExportedSale): (string | number | null)[] {
  return [
    row.day,
    nameNetwork(row.network),
    row.transaction_id,
    row.status,
    // A number, since a negative amount as text would be escaped like a formula.
    Number(toDecimal(row.amount, row.currency)),
    row.currency,
    row.deal_id,
    row.deal,
    row.store,
    row.category,
    row.channel,
    row.newsletter,
    row.clicked_on,
  ];
}

export function nameNetwork(id: string): string {
  return isNetworkId(id) ? networkOf(id).name : id;
}
