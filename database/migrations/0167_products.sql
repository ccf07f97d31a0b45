-- Offers of several stores become one product if they have the same valid GTIN. Existing deals are matched in the background.
create table products (
  id bigint generated always as identity primary key,
  gtin text not null unique,
  slug text not null unique,
  title text not null,
  -- A variant, such as another colour, names the product that it is a variant of, and how it differs.
  variant_of bigint references products (id) on delete set null check (variant_of <> id),
  variant_label text,
  created_at timestamptz not null default now()
);
create index products_variant_of on products (variant_of) where variant_of is not null;

alter table deals add column product_id bigint references products (id) on delete set null;
create index deals_product on deals (product_id) where product_id is not null;

-- Every link of a deal to a product and its end. Without an actor the GTIN decided.
create table product_links (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals (id) on delete cascade,
  from_product bigint references products (id) on delete cascade,
  to_product bigint references products (id) on delete cascade,
  actor text,
  at timestamptz not null default now(),
  check (from_product is distinct from to_product)
);
create index product_links_deal on product_links (deal_id, id);
create index product_links_from on product_links (from_product);
create index product_links_to on product_links (to_product);
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
