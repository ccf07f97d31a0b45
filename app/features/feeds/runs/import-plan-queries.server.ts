import { type RawBuilder, sql } from 'kysely';
import { columnList, columnsAsJson } from '#app/features/deals/deal-column-sql.server.ts';
import { type ColumnFor, columnsFor } from '#app/features/deals/deal-columns.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceChange } from '#database/schema/feed-tables.ts';
import { mostTimes } from '../formats/read-row-prices.ts';

export interface PlanCounts {
  /** Rows that change something, which are numbered first. */
  writes: number;
  new: number;
  changed: number;
  unchanged: number;
  /** Prices and products held for review, including new deals that become drafts. */
  held: number;
  /** Deals whose id the feed now uses for another product: they end, and a new deal is created. */
  replaced: number;
  /** Deals identified by their link that get the id that their feed now has. */
  renamed: number;
  doubles: number;
  folded: number;
  ending: number;
  /** The source's live deals, including those in `ending`. */
  live: number;
}

/**
 * The currency of the run's prices, as `stageFeed` recorded it. A setting that changes during the
 * run does not affect them.
 */
export const runCurrency = sql`(select coalesce(nullif(current_setting('app.import_currency', true), ''), site_currency()))`;
/** Whether a price drops by more than 90%. Prices in different currencies are not compared. */
const falls = sql`(r.sale_price::bigint * 10 < d.sale_price and d.currency = ${runCurrency})`;
/** Whether an old price is implausible, so that it is not used. */
const isOdd = sql`coalesce(r.original_price > r.sale_price::bigint * ${sql.lit(mostTimes)}, false)`;

/**
 * Columns for which a missing value does not simply keep the deal's value. `r` is the row, `d` the
 * deal.
 */
const merges: Partial<Record<ColumnFor<'feed'>, RawBuilder<unknown>>> = {
  title: sql`r.title`,
  deal_url: sql`r.deal_url`,
  description: sql`coalesce(r.description, d.description, '')`,
  sale_price: sql`case when ${falls} then d.sale_price else r.sale_price end`,
  original_price: sql`case when ${falls} then d.original_price when not ${isOdd} then r.original_price
    when d.original_price > r.sale_price and d.currency = ${runCurrency} then d.original_price end`,
  availability: sql`coalesce(r.availability, d.availability, 'unknown')`,
  status: sql`coalesce(r.status, d.status, 'new')`,
  condition: sql`case when r.status is null then d.condition else r.condition end`,
  // A deal's past expiry is dropped if the feed still lists the deal.
  expires_at: sql`coalesce(r.expires_at, case when d.expires_at > now() then d.expires_at end)`,
};

/**
 * Returns the values that a feed row `r` gives its deal `d`, which may not exist yet. Planning and
 * writing share this function, so that they agree.
 */
export function mergedColumns(): RawBuilder<unknown> {
  const columns = columnsFor('feed').map((name) => {
    const merged = merges[name] ?? sql`coalesce(${sql.ref(`r.${name}`)}, ${sql.ref(`d.${name}`)})`;
    return sql`${merged} as ${sql.ref(name)}`;
  });
  return sql`${sql.join(columns)},
    coalesce(${falls}, false) as is_low,
    coalesce(${falls} and r.sale_price is distinct from d.refused_price, false) as is_held,
    ${isOdd} as is_odd, r.sale_price as asked_price`;
}

/** Whether two rows have equal values in all columns that a feed may set. */
function isSame(a: string, b: string): RawBuilder<unknown> {
  const columns = columnsFor('feed');
  return sql`(${columnList(columns, a)}) is not distinct from (${columnList(columns, b)})`;
}

/**
 * Whether row `r` is still the product of its deal `d`. The cheapest variant of a group may change,
 * so GTINs of variants prove nothing. A person's decision has priority.
 */
const verdict = sql`case
  when d.id is null then 'same'
  when (r.title, r.deal_url, r.brand, r.gtin) is not distinct from (d.title, d.deal_url, d.brand, d.gtin) then 'same'
  when exists (select from product_questions q where q.deal_id = d.id and q.is_same
     and (q.title, q.deal_url, q.brand, q.gtin) is not distinct from (r.title, r.deal_url, r.brand, r.gtin)) then 'same'
  else judge_product(d.title, d.deal_url, d.brand, d.gtin, r.title, r.deal_url, r.brand, case when not r.is_variant then r.gtin end) end`;
/**
 * A feed that reuses more ids than this number and share has probably changed its ids, not its
 * products.
 */
const mostReplaced = 20;
const mostReplacedShare = 0.3;

/**
 * Decides on each product's action before anything is written. The variants of a group become one
 * row, the cheapest in stock. Of other rows with the same id, only the first is used.
 */
export async function makePlan(
  db: Db,
  merchantId: number | null,
  updatesOnly = false,
): Promise<void> {
  await sql`analyze pg_temp.import_rows (n, external_id, is_variant)`.execute(db);
  await sql`
    create temporary table import_plan as
    with chosen as (
      select distinct on (external_id) * from pg_temp.import_rows
       order by external_id, is_variant and availability is not distinct from 'out_of_stock',
                case when is_variant then sale_price end, n
    ), judged as (
      select r.n as row_n, r.line as row_line, r.external_id as id, r.becomes, d.id as deal_id, d.sale_price as before, d.currency as before_currency, d.slug as deal_slug,
             m.is_held, m.is_low, m.is_odd, m.asked_price, r.title as row_title, judged.verdict,
             count(d.id) filter (where judged.verdict = 'other') over () > greatest(${mostReplaced}::int,
               count(d.id) over () * ${mostReplacedShare}::float8) as is_renumbered,
             r.becomes is null and ${isSame('m', 'd')} and d.currency = ${runCurrency} and d.held_price is not distinct from (case when m.is_held then m.asked_price end)
               and (d.refused_price is null or m.is_low) as is_same
        from chosen r
        left join deals d on d.merchant_id = ${merchantId}::bigint and d.external_id = r.external_id
        cross join lateral (select ${mergedColumns()}) m
        cross join lateral (select ${updatesOnly ? sql`'same'` : verdict} as verdict) judged
    ), decided as (
      select *, verdict = 'other' and not is_renumbered as is_other, verdict = 'doubtful' or verdict = 'other' and is_renumbered as is_doubtful
        from judged
    )
    select row_number() over (order by action in ('new', 'write') desc, row_n)::int as seq, p.* from (
      select row_n as n, row_line as line, id as external_id, becomes, case when not is_other then deal_id end as deal_id,
             case when is_other then deal_id end as replaces, before, before_currency, asked_price as after, deal_slug as slug, row_title as title,
             coalesce(is_held, false) and not is_other and not is_doubtful as is_held, is_low, row_n,
             is_odd and (deal_id is null or is_other) as is_draft,
             case when deal_id is null or is_other then 'new' when is_doubtful then 'doubtful' when is_same and is_held then 'still_held' when is_same then 'same'
               else 'write' end as action
        from decided) p`.execute(db);
  await sql`create unique index on pg_temp.import_plan (external_id)`.execute(db);
  await sql`create index on pg_temp.import_plan (seq)`.execute(db);
  await sql`create index on pg_temp.import_rows (external_id)`.execute(db);
  await sql`analyze pg_temp.import_plan`.execute(db);
}

export async function countPlan(db: Db, sourceId: number | null): Promise<PlanCounts> {
  const { rows } = await sql<PlanCounts>`
    select count(*) filter (where action in ('new', 'write')) as writes,
           count(*) filter (where action = 'new' and not is_draft) as new,
           count(*) filter (where action = 'write' and not is_held) as changed,
           count(*) filter (where action = 'same') as unchanged,
           count(*) filter (where is_held or is_draft or action = 'doubtful') as held,
           count(replaces) as replaced,
           count(becomes) as renamed,
           (select count(*) from pg_temp.import_rows where not is_variant)
             - (select count(distinct external_id) from pg_temp.import_rows where not is_variant) as doubles,
           (select count(*) from pg_temp.import_rows where is_variant)
             - (select count(distinct external_id) from pg_temp.import_rows where is_variant) as folded,
           (select count(*) from deals d where ${missingDeals(sourceId)}) as ending,
           (select count(*) from deals d where ${liveDeals(sourceId)}) as live
      from pg_temp.import_plan`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('the plan was not counted');
  return counts;
}

/** Returns rows whose id appeared earlier in the feed. */
export async function listDoubles(db: Db, most: number) {
  const { rows } = await sql<{ line: number; external_id: string; first: number }>`
    select line, external_id, first from (
      select n, line, external_id, first_value(line) over of_id as first, row_number() over of_id as place
        from pg_temp.import_rows where not is_variant
      window of_id as (partition by external_id order by n)) all_rows
     where place > 1 order by n limit ${most}`.execute(db);
  return rows;
}

/**
 * Returns rows whose id belonged, or may have belonged, to another product, with the deal that has
 * the id.
 */
export async function listOtherProducts(db: Db, most: number) {
  return ask(db).rows<{ line: number; external_id: string; slug: string; isDoubtful: boolean }>`
    select line, external_id, slug, action = 'doubtful' as "isDoubtful" from pg_temp.import_plan
     where action = 'doubtful' or replaces is not null order by line limit ${most}`;
}

/** Returns new deals whose old price is implausible. */
export async function listDrafts(db: Db, most: number) {
  return ask(db).rows<{ line: number; external_id: string }>`
    select line, external_id from pg_temp.import_plan where is_draft order by line limit ${most}`;
}

const changing = sql`p.deal_id is not null and p.action in ('write', 'still_held')`;

/**
 * Returns the first deals whose price will change or be held, or whose other fields will change.
 */
export async function listChanges(
  db: Db,
  of: 'prices' | 'other',
  most: number,
): Promise<PriceChange[]> {
  const columns = columnsFor('feed').filter((name) => name !== 'sale_price');
  const { rows } = await sql<PriceChange>`
    with first as (
      select p.* from pg_temp.import_plan p
       where ${changing} and ((p.before, p.before_currency) <> (p.after, ${runCurrency})) = ${of === 'prices'} order by p.n limit ${most}
    )
    select p.line, p.title, p.slug, p.before, p.before_currency, p.after, p.is_held, coalesce((
        select jsonb_agg(jsonb_build_object(
                 'field', a.key, 'before', left(b.value, 200), 'after', left(a.value, 200)) order by a.key)
          from jsonb_each_text(${columnsAsJson(columns, 'm')}) a
          join jsonb_each_text(${columnsAsJson(columns, 'd')}) b on b.key = a.key
         where a.value is distinct from b.value), '[]') as fields
      from first p join pg_temp.import_rows r on r.n = p.n join deals d on d.id = p.deal_id
      cross join lateral (select ${mergedColumns()}) m
     order by p.n`.execute(db);
  return rows;
}

/** Counts the deals in which each field will change, including prices. */
export async function countFieldChanges(db: Db): Promise<Record<string, number>> {
  const counts = columnsFor('feed').map(
    (name) =>
      sql`${sql.lit(name)}, count(*) filter (where ${sql.ref(`m.${name}`)} is distinct from ${sql.ref(`d.${name}`)})`,
  );
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select jsonb_build_object(${sql.join(counts)}) as counts
      from pg_temp.import_plan p join pg_temp.import_rows r on r.n = p.n join deals d on d.id = p.deal_id
      cross join lateral (select ${mergedColumns()}) m
     where ${changing}`.execute(db);
  const found = Object.entries(rows[0]?.counts ?? {}).filter(([, n]) => n > 0);
  return Object.fromEntries(found);
}

function liveDeals(sourceId: number | null) {
  return sql`d.feed_source_id = ${sourceId}::bigint and d.is_active and not d.is_expired
    and (d.expires_at is null or d.expires_at > now())`;
}

/** The live deals of a source that its feed no longer lists, not even in a rejected row. */
export function missingDeals(sourceId: number | null): RawBuilder<unknown> {
  return sql`${liveDeals(sourceId)}
    and not exists (select from pg_temp.import_plan p where p.external_id = d.external_id)
    and not exists (select from pg_temp.import_refused f where f.external_id = d.external_id)`;
}
