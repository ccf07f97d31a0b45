import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { CategoryIcon, PriceSource } from '#database/schema.ts';
import { slugify } from '#app/platform/slug.ts';
import type { ImportRow } from './check-feed-row.ts';

/** What became of the rows of one batch; `written` are the deals that are new or differ. */
export interface BatchOutcome {
  created: number;
  changed: number;
  unchanged: number;
  held: { external_id: string; held_price: number }[];
  written: number[];
}

/** One import at a time for a merchant, known or still to be made (R30). The lock lives as long as the session. */
export async function lockMerchantImport(db: Db, merchantName: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${lockName(merchantName)}, 0)) as locked`.execute(
    db,
  );
  return rows[0]?.locked ?? false;
}

export async function unlockMerchantImport(db: Db, merchantName: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended(${lockName(merchantName)}, 0))`.execute(db);
}

/** After many new deals the planner would go by a table that was nearly empty, until autovacuum comes by. */
export async function refreshDealStatistics(db: Db): Promise<void> {
  await sql`analyze deals`.execute(db);
}

function lockName(merchantName: string): string {
  return `import of ${merchantName.toLowerCase()}`;
}

export async function findMerchantId(db: Db, name: string): Promise<number | null> {
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('id')
    .executeTakeFirst();
  return merchant?.id ?? null;
}

export async function insertMerchant(db: Db, name: string): Promise<number> {
  const base = slugify(name) || 'merchant';
  const { rows } = await sql<{ id: number }>`
    insert into merchants (name, slug, description)
    select ${name}, ${freeSlug('merchants', base)}, ${`Official ${name} store`}
    returning id`.execute(db);
  return onlyId(rows);
}

export async function listCategoryNames(
  db: Db,
): Promise<{ id: number; name: string; slug: string }[]> {
  return db.selectFrom('categories').select(['id', 'name', 'slug']).orderBy('id').execute();
}

/** Two imports that meet a new category at once must make it once: only one at a time may add any. */
export async function lockCategories(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import adds categories', 0))`.execute(
    db,
  );
}

export async function insertCategory(db: Db, name: string, icon: CategoryIcon): Promise<number> {
  const base = slugify(name) || 'category';
  const { rows } = await sql<{ id: number }>`
    insert into categories (name, slug, icon)
    select ${name}, ${freeSlug('categories', base)}, ${icon}
    returning id`.execute(db);
  return onlyId(rows);
}

function onlyId(rows: { id: number }[]): number {
  const [row] = rows;
  if (!row) throw new Error('the insert answered no row');
  return row.id;
}

function freeSlug(table: 'merchants' | 'categories', base: string) {
  return sql<string>`(
    select candidate from (
      select 1 as n, ${base}::text as candidate
      union all
      select n, ${base} || '-' || n from generate_series(2, (select count(*) + 2 from ${sql.table(table)})) n
    ) c where not exists (select 1 from ${sql.table(table)} t where t.slug = c.candidate)
    order by n limit 1)`;
}

/** The ids this import has met before, so that a later double neither counts twice nor shakes the price log. */
export async function createSeenTable(db: Db): Promise<void> {
  await sql`drop table if exists pg_temp.import_seen`.execute(db);
  await sql`create temporary table import_seen (external_id text collate "C" primary key)`.execute(
    db,
  );
}

export async function dropSeenTable(db: Db): Promise<void> {
  await sql`drop table if exists pg_temp.import_seen`.execute(db);
}

/** Answers those that were not seen before. */
export async function markSeen(db: Db, externalIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    insert into pg_temp.import_seen select unnest(${externalIds}::text[])
    on conflict do nothing returning external_id`.execute(db);
  return new Set(rows.map((row) => row.external_id));
}

export type WritableRow = ImportRow & { category_id: number };

/**
 * Writes a batch in two statements: one upsert that touches only what differs, and one that notes when the
 * unchanged prices were seen. Slugs of new deals are made unique here too: `-2`, `-3` … for a whole batch at once,
 * and `deal-{id}` where the title leaves nothing (decision 6). A fall of more than 90 % keeps the old price and
 * waits in `held_price` (decision 7b). Category, featured and active stay what an editor made them.
 */
export async function writeBatch(
  db: Db,
  rows: WritableRow[],
  to: { merchantId: number; sellerType: 'amazon' | 'third_party'; source: PriceSource },
): Promise<BatchOutcome> {
  const externalIds = rows.map((row) => row.external_id);
  // In one order everywhere, so that writers of the same deals wait for each other instead of dying together.
  await sql`
    select id from deals where merchant_id = ${to.merchantId} and external_id = any(${externalIds}::text[])
    order by id for update`.execute(db);
  const { rows: touched } = await sql<TouchedDeal>`
    with incoming as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        line int, external_id text, slug_base text, title text, description text, deal_url text,
        image_url text, sale_price int, original_price int, availability text, status text, condition text,
        category_id bigint, brand text, gtin text, coupon_code text, expires_at timestamptz)
    ), merged as materialized (
      select coalesce(d.id, nextval(pg_get_serial_sequence('deals', 'id'))) as id, d.id is null as is_new,
             d.slug as old_slug, r.slug_base, r.line, r.external_id, r.title, r.deal_url,
             coalesce(r.description, d.description, '') as description,
             coalesce(r.image_url, d.image_url) as image_url,
             coalesce(r.sale_price::bigint * 10 < d.sale_price, false) as is_held,
             r.sale_price, r.original_price, d.sale_price as old_price, d.original_price as old_original,
             d.availability as old_availability, d.held_price as old_held, d.held_at as old_held_at,
             coalesce(r.availability, d.availability, 'unknown') as availability,
             coalesce(r.status, d.status, 'new') as status,
             case when r.status is null then d.condition else r.condition end as condition,
             coalesce(d.category_id, r.category_id) as category_id,
             coalesce(d.seller_type, ${to.sellerType}) as seller_type,
             coalesce(r.brand, d.brand) as brand, coalesce(r.gtin, d.gtin) as gtin,
             coalesce(r.coupon_code, d.coupon_code) as coupon_code,
             -- An end that has passed is refuted by a feed that still offers the deal.
             coalesce(r.expires_at, case when d.expires_at > now() then d.expires_at end) as expires_at,
             d.price_source as old_source
        from incoming r
        left join deals d on d.merchant_id = ${to.merchantId} and d.external_id = r.external_id
    ), wanting as (
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
      -- A title of this batch that ends in a number stands where a suffix might.
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
    ), final as (
      select m.*, coalesce(m.old_slug, s.slug) as slug,
             case when m.is_held then m.old_price else m.sale_price end as kept_price,
             case when m.is_held then m.old_original else m.original_price end as kept_original
        from merged m left join slugs s on s.id = m.id
    )
    insert into deals (id, slug, title, description, image_url, sale_price, original_price, coupon_code,
        expires_at, deal_url, status, condition, seller_type, availability, category_id, merchant_id,
        external_id, brand, gtin, price_source, held_price, held_at)
    select id, slug, title, description, image_url, kept_price, kept_original, coupon_code,
           expires_at, deal_url, status, condition, seller_type, availability, category_id,
           ${to.merchantId}::bigint, external_id, brand, gtin,
           case when (kept_price, kept_original, availability) is distinct from (old_price, old_original, old_availability)
             then ${to.source} else old_source end,
           case when is_held then sale_price end,
           case when is_held then case when old_held = sale_price then old_held_at else now() end end
      from final order by id
    on conflict (merchant_id, external_id) do update set
      title = excluded.title, description = excluded.description, image_url = excluded.image_url,
      sale_price = excluded.sale_price, original_price = excluded.original_price,
      coupon_code = excluded.coupon_code, expires_at = excluded.expires_at, deal_url = excluded.deal_url,
      status = excluded.status, condition = excluded.condition, availability = excluded.availability,
      brand = excluded.brand, gtin = excluded.gtin, price_source = excluded.price_source,
      held_price = excluded.held_price, held_at = excluded.held_at,
      price_checked_at = case when excluded.held_price is null then now() else deals.price_checked_at end,
      version = deals.version + 1, updated_at = now()
    where (deals.title, deals.description, deals.image_url, deals.sale_price, deals.original_price,
           deals.coupon_code, deals.expires_at, deals.deal_url, deals.status, deals.condition,
           deals.availability, deals.brand, deals.gtin, deals.held_price)
      is distinct from
          (excluded.title, excluded.description, excluded.image_url, excluded.sale_price,
           excluded.original_price, excluded.coupon_code, excluded.expires_at, excluded.deal_url,
           excluded.status, excluded.condition, excluded.availability, excluded.brand, excluded.gtin,
           excluded.held_price)
    returning id, external_id, held_price, (xmax = 0) as is_new`.execute(db);
  const touchedIds = new Set(touched.map((deal) => deal.external_id));
  const rest = externalIds.filter((id) => !touchedIds.has(id));
  const stillHeld = await confirmPrices(db, to.merchantId, rest);
  return {
    created: touched.filter((deal) => deal.is_new).length,
    changed: touched.filter((deal) => !deal.is_new && deal.held_price === null).length,
    unchanged: rest.length - stillHeld.length,
    held: [...touched, ...stillHeld].flatMap(({ external_id, held_price }) =>
      held_price === null ? [] : [{ external_id, held_price }],
    ),
    written: touched.map((deal) => deal.id),
  };
}

interface TouchedDeal {
  id: number;
  external_id: string;
  held_price: number | null;
  is_new: boolean;
}

/** Notes that these prices stand as shown; a held one was not confirmed, so those are answered instead. */
async function confirmPrices(
  db: Db,
  merchantId: number,
  externalIds: string[],
): Promise<{ external_id: string; held_price: number | null }[]> {
  if (externalIds.length === 0) return [];
  await sql`
    update deals set price_checked_at = now()
     where merchant_id = ${merchantId} and external_id = any(${externalIds}::text[]) and held_price is null`.execute(
    db,
  );
  return db
    .selectFrom('deals')
    .select(['external_id', 'held_price'])
    .where('merchant_id', '=', merchantId)
    .where(sql`external_id`, '=', sql`any(${externalIds}::text[])`)
    .where('held_price', 'is not', null)
    .$narrowType<{ external_id: string }>()
    .execute();
}
