-- A product can be watched at all stores. All its watches share its lows, so a changed price is compared once and
-- reported in batches.
alter table watched_searches
  add column product_id bigint references products (id) on delete cascade,
  add column offer_class text check (offer_class in ('new', 'refurbished', 'used')),
  -- Whether the price includes shipping. If so, only stores that state a shipping cost are compared.
  add column with_shipping boolean,
  -- The id of the low in the last email. Old lows are deleted, so the row may be gone.
  add column told_low bigint,
  -- A watched product has no filter.
  alter column filter_id drop not null,
  add constraint watched_searches_one_kind check (num_nonnulls(product_id, offer_class, with_shipping) in (0, 3));
create index watched_searches_product on watched_searches (product_id, offer_class, with_shipping, id) where product_id is not null;

-- The lowest price in an offer class of a watched product since `at`. The newest row is the current one.
create table product_lows (
  id bigint generated always as identity primary key,
  product_id bigint not null references products (id) on delete cascade,
  offer_class text not null,
  with_shipping boolean not null,
  deal_id bigint, -- no foreign key, because a deleted deal may be restored without being reported again
  total integer, -- null if no store has an offer
  former integer,
  line_id bigint,
  at timestamptz not null default now(),
  -- The last notified watch; null if all were notified, or if the low rose.
  done_to bigint
);
create index product_lows_newest on product_lows (product_id, offer_class, with_shipping, id);
create index product_lows_open on product_lows (id) where done_to is not null;

-- Products whose offers changed, and new watches. Writers only add rows, so they never wait for each other.
create table product_checks (
  id bigint generated always as identity primary key,
  product_id bigint not null,
  search_id bigint,
  due_at timestamptz not null default now()
);
create index product_checks_due on product_checks (due_at);

create function deals_check_products() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger deals_check_products_insert after insert on deals referencing new table as new_rows
  for each statement execute function deals_check_products();
create trigger deals_check_products_update after update on deals referencing old table as old_rows new table as new_rows
  for each statement execute function deals_check_products();
create trigger deals_check_products_delete after delete on deals referencing old table as old_rows
  for each statement execute function deals_check_products();

create function merchants_check_products() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger merchants_check_products after update on merchants referencing old table as old_rows new table as new_rows
  for each statement execute function merchants_check_products();

create function products_check_merged() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger products_check_merged after update of merged_into on products
  for each row when (old.merged_into is distinct from new.merged_into) execute function products_check_merged();

create function watched_searches_check_product() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger watched_searches_check_product after insert or update of product_id, offer_class, with_shipping, max_price, is_active on watched_searches
  for each row when (new.product_id is not null and new.is_active) execute function watched_searches_check_product();
