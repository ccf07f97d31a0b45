import { type RawBuilder, sql } from 'kysely';
import {
  columnList,
  columnsAsJson,
  columnsFrom,
} from '#app/features/deals/deal-column-sql.server.ts';
import { columnsFor } from '#app/features/deals/deal-columns.ts';
import { fold } from '#app/platform/fold.ts';
import type { Db } from '#database/connect.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';
import { mergedColumns, missingDeals, runCurrency } from './import-plan-queries.server.ts';

export interface PlanTarget {
  /** The site's currency, which is the currency of the plan's prices. */
  currency: string;
  runId: number;
  merchantId: number;
  priceSource: PriceSource;
  sourceId: number | null;
  /** Whether rows may lack a price. Such rows do not confirm the current price. */
  updatesOnly?: boolean;
}

/** The rows of the plan with numbers above `after`, up to and including `upTo`. */
export interface PlanPart {
  after: number;
  upTo: number;
}

/** Marks the price log's new lines with the run until the transaction ends. */
export async function signWithRun(tx: Db, runId: number): Promise<void> {
  await sql`select set_config('app.import_run_id', ${String(runId)}, true)`.execute(tx);
}

/**
 * Builds the CTE `slugs` for the new deals of `merged`. Slugs are made unique for a whole batch at
 * once by `-2`, `-3` and so on. A title that yields no slug gets `deal-{id}`.
 */
const uniqueSlugs = sql`
  wanting as (
    select id, line, coalesce(nullif(slug_base, ''), 'deal-' || id) as base from merged where is_new
  ), bases as (
    select base, regexp_replace(base, '-[0-9]+$', '') as stem, count(*) as wanted from wanting group by base
  ), taken as (
    select b.base, s.slug from bases b
      cross join lateral (
        select slug from deals
         where slug = b.base or (slug > b.base || '-' and slug < b.base || '.' and slug ~ (b.base || '-[0-9]+$'))
        union
        select slug from slug_redirects
         where kind = 'deal'
           and (slug = b.base or (slug > b.base || '-' and slug < b.base || '.' and slug ~ (b.base || '-[0-9]+$')))
      ) s
    union all
    -- A title of this batch that ends in a number may look like another one's suffix.
    select b.base, o.base from bases b join bases o on o.stem = b.base and o.base <> b.base
  ), free as (
    select b.base, c.slug, row_number() over (partition by b.base order by c.n) as place
      from bases b
      cross join lateral (
        select n, case when n = 1 then b.base else b.base || '-' || n end as slug
          from generate_series(1, b.wanted + (select count(*) from taken t where t.base = b.base) + 1) n
      ) c
     where not exists (select 1 from taken t where t.base = b.base and t.slug = c.slug)
  ), slugs as (
    select w.id, f.slug
      from (select id, base, row_number() over (partition by base order by line) as place from wanting) w
      join free f on f.base = w.base and f.place = w.place
  )`;

const hasPrice = sql`and not exists (
  select from merged m where m.external_id = excluded.external_id and m.given_prices = 'none')`;

/**
 * Writes these rows of the plan in one upsert that changes only what differs, and stores the
 * earlier state. A price drop of more than 90% keeps the old price and is held in `held_price`. The
 * category and the featured and active flags are left as editors set them. The triggers of `deals`
 * run once for the batch (docs/triggers.md).
 */
export async function writeBatch(tx: Db, part: PlanPart, to: PlanTarget) {
  const { after, upTo } = part;
  const fed = columnsFor('feed');
  const folded = JSON.stringify(await foldNewTexts(tx, part));
  // Locks deals in a fixed order, so that writers of the same deals wait instead of deadlocking.
  await sql`
    select id from deals where merchant_id = ${to.merchantId} and external_id = any (array(
        select external_id from pg_temp.import_plan where seq > ${after} and seq <= ${upTo}))
     order by id for update`.execute(tx);
  const { rows } = await sql<{
    external_id: string;
    line: number;
    held_price: number | null;
    is_new: boolean;
    is_draft: boolean;
  }>`
    with incoming as (
      select r.* from pg_temp.import_plan p
        join pg_temp.import_rows r on r.n = p.n
       where p.seq > ${after} and p.seq <= ${upTo}
    ), merged as materialized (
      select coalesce(d.id, nextval((select pg_get_serial_sequence('deals', 'id')::regclass))) as id, d.id is null as is_new,
             d.slug as old_slug, r.slug_base, r.n, r.line, r.given_prices, r.external_id, m.*,
             d.sale_price as old_price, d.original_price as old_original, d.availability as old_availability, d.currency as old_currency,
             d.held_price as old_held, d.held_at as old_held_at, d.refused_price as old_refused, d.version as old_version,
             coalesce(d.category_id, r.category_id) as category_id,
             coalesce(d.seller_type, (select seller_type from merchants where id = ${to.merchantId})) as seller_type,
             d.price_source as old_source,
             case when d.id is not null then ${changesOf('d')} end as before
        from incoming r
        -- One index lookup per row, since the planner's statistics are from before the import.
        left join lateral (
          select * from deals where merchant_id = ${to.merchantId} and external_id = r.external_id offset 0) d on true
        cross join lateral (select ${mergedColumns()}) m
    ), ${uniqueSlugs}, written as (
      insert into deals (id, slug, seller_type, category_id, merchant_id, external_id, ${columnList(fed)},
          price_source, held_price, held_at, refused_price, feed_source_id, currency, is_active)
      select m.id, coalesce(m.old_slug, s.slug), seller_type, category_id, ${to.merchantId}::bigint, external_id, ${columnList(fed)},
             case when (sale_price, original_price, availability, ${runCurrency}) is distinct from (old_price, old_original, old_availability, old_currency)
               then ${to.priceSource} else old_source end,
             case when is_held then asked_price end,
             case when is_held then case when old_held = asked_price then old_held_at else now() end end,
             -- A rejection holds as long as the feed repeats the price.
             case when is_low then old_refused end,
             ${to.sourceId}::bigint, ${runCurrency}, not (is_odd and is_new)
        from merged m left join slugs s on s.id = m.id order by m.id
      on conflict (merchant_id, external_id) do update set
        ${columnsFrom([...fed, 'price_source', 'held_price', 'held_at', 'refused_price', 'currency'], 'excluded')},
        feed_source_id = coalesce(excluded.feed_source_id, deals.feed_source_id),
        price_checked_at = case when excluded.held_price is null ${to.updatesOnly ? hasPrice : sql``} then now() else deals.price_checked_at end,
        version = deals.version + 1, updated_at = now()
      returning id, external_id, held_price, version, (xmax = 0) as is_new,
        is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, brand
    ), texts as (
      insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, brand, title, search)
      select w.id, w.is_active, w.is_expired, w.traits, w.category_id, w.merchant_id, w.created_at, w.expires_at,
             nullif(fold(w.brand), ''), f.title,
             folded_words(f.title, f.description)
        from written w join merged m on m.id = w.id
        join json_to_recordset(${folded}::json) as f(n int, title text, description text) on f.n = m.n
       where w.is_new
    ), kept as (
      insert into import_changes (import_run_id, deal_id, kind, before, version_before, version_after)
      select ${to.runId}::bigint, w.id, case when w.is_new then 'created' else 'changed' end, m.before, m.old_version, w.version
        from written w join merged m on m.id = w.id
      -- A deal already changed by this run keeps its state from before the first change.
      on conflict (import_run_id, deal_id) do update set version_after = excluded.version_after
    )
    select w.external_id, m.line, w.held_price, w.is_new, m.is_odd and w.is_new as is_draft from written w join merged m on m.id = w.id order by m.line`.execute(
    tx,
  );
  return {
    created: rows.filter((row) => row.is_new && !row.is_draft).length,
    drafts: rows.filter((row) => row.is_draft),
    changed: rows.filter((row) => !row.is_new && row.held_price === null).length,
    held: rows.flatMap(({ external_id, line, held_price }) =>
      held_price === null ? [] : [{ external_id, line, held_price }],
    ),
  };
}

/**
 * Folds the texts of new deals that contain non-ASCII letters, for searches. Folding here takes a
 * tenth of the time that it takes in the database (`deals_add_texts`).
 */
async function foldNewTexts(tx: Db, { after, upTo }: PlanPart) {
  const { rows } = await sql<{ n: number; title: string; description: string }>`
    select r.n, r.title, coalesce(r.description, '') as description
      from pg_temp.import_plan p join pg_temp.import_rows r on r.n = p.n
     where p.action = 'new' and p.seq > ${after} and p.seq <= ${upTo}
       and (octet_length(r.title) <> length(r.title) or octet_length(r.description) <> length(r.description))`.execute(
    tx,
  );
  return rows.map((row) => ({
    ...row,
    title: fold(row.title),
    description: fold(row.description),
  }));
}

/** The values that a run may change in a deal and a rollback restores. */
export function changesOf(alias: string): RawBuilder<unknown> {
  return columnsAsJson(columnsFor('feed', 'rollback'), alias);
}

/**
 * Records when unchanged prices were seen, without changing the deals. Held prices are not
 * confirmed.
 */
export async function confirmPrices(tx: Db, { after, upTo }: PlanPart) {
  await sql`
    insert into deal_price_checks (deal_id, checked_at)
      select p.deal_id, now() from pg_temp.import_plan p join deals d on d.id = p.deal_id
       where p.action = 'same' and not p.is_low and p.seq > ${after} and p.seq <= ${upTo}
         and not exists (select from pg_temp.import_rows r where r.n = p.row_n and r.given_prices = 'none')
       order by p.deal_id
    on conflict (deal_id) do update set checked_at = excluded.checked_at`.execute(tx);
  const { rows } = await sql<{ unchanged: number; stillHeld: number }>`
    select count(*) filter (where action = 'same') as unchanged,
           count(*) filter (where action in ('still_held', 'doubtful')) as "stillHeld"
      from pg_temp.import_plan where seq > ${after} and seq <= ${upTo}`.execute(tx);
  return rows[0] ?? { unchanged: 0, stillHeld: 0 };
}

/** Assigns deals without a source to this source, including unchanged deals. */
export async function claimDeals(
  tx: Db,
  { after, upTo }: PlanPart,
  sourceId: number,
): Promise<void> {
  await sql`
    update deals set feed_source_id = ${sourceId}
     where feed_source_id is null and id in (
       select deal_id from pg_temp.import_plan where action in ('same', 'still_held') and seq > ${after} and seq <= ${upTo})`.execute(
    tx,
  );
}

/** Returns prices that were already held, which are reported again but not changed. */
export async function listStillHeld(db: Db, most: number) {
  const { rows } = await sql<{ external_id: string; line: number; held_price: number }>`
    select external_id, line, after as held_price from pg_temp.import_plan
     where action = 'still_held' order by line limit ${most}`.execute(db);
  return rows;
}

/** Stores the deals that the feed no longer lists, for a later decision. Returns their number. */
export async function storeEndings(tx: Db, runId: number, sourceId: number): Promise<number> {
  const { numAffectedRows } = await sql`insert into import_endings (import_run_id, deal_id)
    select ${runId}::bigint, d.id from deals d where ${missingDeals(sourceId)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deals that the feed lists again are no longer waiting for an earlier run's decision. */
export async function dropRefutedEndings(tx: Db, sourceId: number): Promise<void> {
  await sql`
    delete from import_endings e using import_runs r, deals d
     where r.id = e.import_run_id and r.feed_source_id = ${sourceId} and d.id = e.deal_id
       and (exists (select from pg_temp.import_plan p where p.external_id = d.external_id)
         or exists (select from pg_temp.import_refused f where f.external_id = d.external_id))`.execute(
    tx,
  );
}

/** Ends some of the deals that are waiting in `import_endings`. `taken` is 0 when none are left. */
export async function endWaitingDeals(tx: Db, runId: number, most: number) {
  await signWithRun(tx, runId);
  const { rows } = await sql<{ taken: number; ended: number }>`
    with next as (
      delete from import_endings where ctid in (
        select ctid from import_endings where import_run_id = ${runId} order by deal_id limit ${most})
      returning deal_id
    ), locked as (
      select d.id, d.version, ${changesOf('d')} as before from deals d
       where d.id in (select deal_id from next) and d.is_active and not d.is_expired order by d.id for update
    ), ended as (
      update deals d set expires_at = now(), version = d.version + 1, updated_at = now()
        from locked l where d.id = l.id returning d.id, d.version
    ), kept as (
      insert into import_changes (import_run_id, deal_id, kind, before, version_before, version_after)
      select ${runId}::bigint, e.id, 'ended', l.before, l.version, e.version from ended e join locked l on l.id = e.id
    )
    select (select count(*) from next) as taken, (select count(*) from ended) as ended`.execute(tx);
  return rows[0] ?? { taken: 0, ended: 0 };
}
