-- Imports in the admin: sources with schedules, and runs that can be watched, stopped and rolled back. The time when
-- an unchanged price was last seen is stored in its own table, so that the deal is not rewritten.

-- A feed that repeats a price must not rewrite a row with thirty indexes. This table is narrow, with free space on
-- each page for in-place (HOT) updates.
create table deal_price_checks (
  deal_id bigint primary key references deals (id) on delete cascade,
  checked_at timestamptz not null
) with (fillfactor = 50);

alter table deals
  add column feed_source_id bigint references feed_sources (id) on delete set null,
  -- A price drop of more than 90% that staff rejected. The same price is not held for review again.
  add column refused_price integer check (refused_price > 0);
create index deals_feed_source on deals (feed_source_id) where feed_source_id is not null;

alter table feed_sources
  add column kind text not null default 'url' check (kind in ('upload', 'url', 'folder')),
  add column decimal_mark text not null default 'auto' check (decimal_mark in ('auto', 'point', 'comma')),
  add column currency text check (currency ~ '^[A-Z]{3}$'), -- the currency of prices that name none; null: the site's
  add column fallback_category_id bigint references categories (id) on delete set null,
  add column groups_variants boolean not null default true,
  add column ends_missing boolean not null default true,
  add column etag text,
  add column last_modified text;
create index feed_sources_due on feed_sources (next_run_at) where is_active and next_run_at is not null;
create index feed_sources_merchant on feed_sources (merchant_id);

alter table import_runs
  drop constraint import_runs_state_check,
  add constraint import_runs_state_check check (state in
    ('queued', 'running', 'done', 'asking', 'unchanged', 'failed', 'interrupted', 'cancelled', 'rolled_back')),
  add column is_dry_run boolean not null default false,
  add column file text, -- the path of the stored copy in the data folder
  add column file_name text, -- the name that the owner gave it
  add column phase text check (phase in ('fetching', 'reading', 'matching', 'writing', 'ending')),
  add column bytes_read bigint not null default 0,
  add column bytes_total bigint,
  add column rows_total integer,
  add column rows_done integer not null default 0,
  add column rows_ended integer not null default 0,
  add column rows_folded integer not null default 0, -- the number of variants merged into their group's deal
  add column may_end_many boolean not null default false,
  add column wants_cancel boolean not null default false,
  add column timing jsonb not null default '{}', -- the duration of each phase in ms
  add column preview jsonb, -- the first price changes of a dry run
  add column rollback jsonb,
  add column rolled_back_by text,
  add column beat_at timestamptz not null default now();
create index import_runs_waiting on import_runs (id) where state in ('queued', 'running');
create index import_runs_source on import_runs (feed_source_id, id desc);

alter table import_issues
  add column kind text not null default 'rejected' check (kind in ('rejected', 'held', 'note'));

-- Each deal's values before a run and what the run changed, for rollbacks.
create table import_changes (
  import_run_id bigint not null references import_runs (id) on delete cascade,
  deal_id bigint not null references deals (id) on delete cascade,
  kind text not null check (kind in ('created', 'changed', 'ended')),
  before jsonb,
  version_after integer not null,
  primary key (import_run_id, deal_id)
);
create index import_changes_deal on import_changes (deal_id);

-- Deals that a run did not end, because there were too many. Staff decide about each run's deals.
create table import_endings (
  import_run_id bigint not null references import_runs (id) on delete cascade,
  deal_id bigint not null references deals (id) on delete cascade,
  primary key (import_run_id, deal_id)
);

-- Pairs of deals with the same GTIN that staff marked as different products.
create table duplicate_dismissals (
  deal_id bigint not null references deals (id) on delete cascade,
  other_id bigint not null references deals (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (deal_id, other_id),
  check (deal_id < other_id)
);
create index duplicate_dismissals_other on duplicate_dismissals (other_id);

-- Returns the id of the writing run from a setting of its transaction.
create function current_import_run() returns bigint language sql stable as $$
  select nullif(current_setting('app.import_run_id', true), '')::bigint
$$;

create or replace function deals_after_insert() returns trigger language plpgsql as $$
begin
  insert into price_log (deal_id, at, sale_price, original_price, availability, source, import_run_id)
    select d.id, d.price_since, d.sale_price, d.original_price, d.availability, d.price_source, current_import_run()
      from new_rows d join merchants m on m.id = d.merchant_id
     where m.keep_history and d.price_source <> 'demo'; -- The demo shop writes its own history.
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, count(*) as n from new_rows where is_active and not is_expired group by 1, 2) c));
  perform announce_deals((select array_agg(id) from new_rows));
  return null;
end $$;

-- Announces only changes that a page may show. A price held for review and the deal's source are not shown.
create or replace function deals_after_update() returns trigger language plpgsql as $$
begin
  insert into price_log (deal_id, sale_price, original_price, availability, source, import_run_id)
    select n.id, n.sale_price, n.original_price, n.availability, n.price_source, current_import_run()
      from new_rows n join old_rows o on o.id = n.id join merchants m on m.id = n.merchant_id
     where m.keep_history
       and (n.sale_price, n.original_price, n.availability) is distinct from (o.sale_price, o.original_price, o.availability);
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, sum(n) as n from (
      select category_id, merchant_id, 1 as n from new_rows where is_active and not is_expired
      union all
      select category_id, merchant_id, -1 from old_rows where is_active and not is_expired) s
      group by 1, 2 having sum(n) <> 0) c));
  perform announce_deals((select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.title, n.description, n.image_url, n.sale_price, n.original_price, n.coupon_code, n.expires_at,
           n.is_expired, n.deal_url, n.is_active, n.is_featured, n.status, n.condition, n.seller_type, n.availability,
           n.category_id, n.merchant_id, n.brand, n.gtin, n.low_30_before, n.price_since, n.price_checked_at, n.created_at)
      is distinct from
          (o.slug, o.title, o.description, o.image_url, o.sale_price, o.original_price, o.coupon_code, o.expires_at,
           o.is_expired, o.deal_url, o.is_active, o.is_featured, o.status, o.condition, o.seller_type, o.availability,
           o.category_id, o.merchant_id, o.brand, o.gtin, o.low_30_before, o.price_since, o.price_checked_at, o.created_at)));
  return null;
end $$;

-- Same as in 0007, except for import rollbacks: a drop that only undoes a mistake does not fire drop alerts. Target
-- alerts are evaluated as usual, because they do not depend on earlier prices.
create or replace function deals_fire_alerts() returns trigger language plpgsql as $$
declare ids bigint[]; old_prices integer[]; new_prices integer[];
begin
  select array_agg(a.id), array_agg(c.old_price), array_agg(c.sale_price) into ids, old_prices, new_prices
    from (
      select n.id, n.sale_price, o.sale_price as old_price, o.availability = 'out_of_stock' as was_out,
             n.availability = 'in_stock' as is_in
        from new_rows n join old_rows o on o.id = n.id join merchants m on m.id = n.merchant_id
       where (n.sale_price, n.availability, n.is_active, n.is_expired)
               is distinct from (o.sale_price, o.availability, o.is_active, o.is_expired)
         and m.allow_alerts and n.is_active and n.availability <> 'out_of_stock'
         and not n.is_expired and (n.expires_at is null or n.expires_at > now())
    ) c
    join price_alerts a on a.deal_id = c.id and a.is_active
   where (a.kind = 'target' or current_setting('app.undoes_import', true) is distinct from 'on')
     and case a.kind
     when 'target' then c.sale_price <= a.target_price
     when 'any_drop' then c.sale_price < greatest(a.base_price, c.old_price)
     when 'percent_drop' then c.sale_price <= a.base_price::bigint * (100 - a.target_percent) / 100.0
     when 'new_low_30' then c.sale_price < lowest_price_within(c.id, 30, now())
     when 'new_low_90' then c.sale_price < lowest_price_within(c.id, 90, now())
     when 'back_in_stock' then c.was_out and c.is_in
   end;
  perform fire_price_alerts(ids, old_prices, new_prices);
  return null;
end $$;
