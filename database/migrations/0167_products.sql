-- Deals of several stores with the same valid GTIN become offers of one product. Existing deals are matched in the
-- background.
create table products (
  id bigint generated always as identity primary key,
  slug text not null unique,
  title text not null,
  -- The main product, if this is a variant such as another color, and how the variant differs.
  variant_of bigint references products (id) on delete set null check (variant_of <> id),
  variant_label text,
  -- A merged product has no offers and no GTINs, and its URL redirects.
  merged_into bigint references products (id) on delete set null check (merged_into <> id),
  created_at timestamptz not null default now()
);
create index products_variant_of on products (variant_of) where variant_of is not null;
create index products_merged_into on products (merged_into) where merged_into is not null;

-- The GTINs of products. A GTIN without a product is used for different products, so it identifies none.
create table product_gtins (
  gtin text primary key,
  product_id bigint references products (id) on delete cascade
);
create index product_gtins_product on product_gtins (product_id) where product_id is not null;

-- The deal's product, linked by GTIN unless staff confirmed it.
alter table deals add column product_id bigint references products (id) on delete set null,
  add column product_confirmed boolean not null default false;
create index deals_product on deals (product_id) where product_id is not null;
create index deals_confirmed on deals (merchant_id) where product_confirmed;

-- Changes by staff, with the values before and after, so that they can be undone.
create table product_acts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('link', 'split', 'move', 'merge', 'share', 'undo')),
  product_id bigint references products (id) on delete cascade,
  other_id bigint references products (id) on delete cascade,
  undoes bigint unique references product_acts (id) on delete cascade,
  changes jsonb not null,
  actor text not null,
  at timestamptz not null default now()
);
create index product_acts_product on product_acts (product_id, id);
create index product_acts_other on product_acts (other_id, id);
create trigger product_acts_refuse_update before update on product_acts for each row execute function refuse_update();

-- Every link between a deal and a product, and every end of one. If `actor` is null, the GTIN decided.
create table product_links (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals (id) on delete cascade,
  from_product bigint references products (id) on delete cascade,
  to_product bigint references products (id) on delete cascade,
  actor text,
  act_id bigint references product_acts (id) on delete cascade,
  -- If a confirmed link ended because the deal's GTIN changed: the GTIN that restores it.
  returns_with text,
  at timestamptz not null default now(),
  check (from_product is distinct from to_product)
);
create index product_links_deal on product_links (deal_id, id);
create index product_links_from on product_links (from_product);
create index product_links_to on product_links (to_product);
create index product_links_act on product_links (act_id) where act_id is not null;
create index product_links_returning on product_links (deal_id, id) where returns_with is not null;
create trigger product_links_refuse_update before update on product_links for each row execute function refuse_update();

-- GTINs whose deals must be compared. Writers only add rows, so they never wait for each other.
create table match_checks (
  id bigint generated always as identity primary key,
  gtin text not null
);

-- Whether the store's deals are linked by GTIN without a review. True for existing stores.
alter table merchants add column matches_freely boolean not null default true;
alter table merchants alter column matches_freely set default false;

insert into match_checks (gtin)
  select gtin from deals where gtin is not null group by gtin having count(distinct merchant_id) > 1 order by gtin;
