-- Offers of several stores become one product if they have the same valid GTIN. Existing deals are matched in the background.
create table products (
  id bigint generated always as identity primary key,
  slug text not null unique,
  title text not null,
  -- A variant, such as another colour, names the product that it is a variant of, and how it differs.
  variant_of bigint references products (id) on delete set null check (variant_of <> id),
  variant_label text,
  -- A merged product has no offers and no numbers, and its address redirects.
  merged_into bigint references products (id) on delete set null check (merged_into <> id),
  created_at timestamptz not null default now()
);
create index products_variant_of on products (variant_of) where variant_of is not null;
create index products_merged_into on products (merged_into) where merged_into is not null;

-- The numbers of products. One without a product is shared by different things, so it identifies none.
create table product_gtins (
  gtin text primary key,
  product_id bigint references products (id) on delete cascade
);
create index product_gtins_product on product_gtins (product_id) where product_id is not null;

-- A link is confirmed by staff, or else holds by the deal's GTIN.
alter table deals add column product_id bigint references products (id) on delete set null,
  add column product_confirmed boolean not null default false;
create index deals_product on deals (product_id) where product_id is not null;
create index deals_confirmed on deals (merchant_id) where product_confirmed;

-- Changes by staff, each with the values before and after, so that it can be undone.
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

-- Every link of a deal to a product and its end. Without an actor the GTIN decided.
create table product_links (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals (id) on delete cascade,
  from_product bigint references products (id) on delete cascade,
  to_product bigint references products (id) on delete cascade,
  actor text,
  act_id bigint references product_acts (id) on delete cascade,
  -- The GTIN with which a confirmed link returns that ended because the deal's GTIN changed.
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

-- GTINs whose deals are to be compared. A writer only adds rows, so writers never wait for each other.
create table match_checks (
  id bigint generated always as identity primary key,
  gtin text not null
);

-- Whether the store's deals link by their GTIN without a review. Stores of before do.
alter table merchants add column matches_freely boolean not null default true;
alter table merchants alter column matches_freely set default false;

insert into match_checks (gtin)
  select gtin from deals where gtin is not null group by gtin having count(distinct merchant_id) > 1 order by gtin;
