-- A feed row that may describe a different product than its deal waits for review instead of changing the deal.
create table product_questions (
  deal_id bigint primary key references deals on delete cascade,
  import_run_id bigint not null references import_runs on delete cascade,
  title text not null,
  deal_url text not null,
  brand text,
  gtin text,
  sale_price integer not null,
  asked_at timestamptz not null default now(),
  -- Staff confirmed that it is the same product, so the next import applies this row.
  is_same boolean not null default false
);
create index product_questions_run on product_questions (import_run_id);
create index product_questions_open on product_questions (asked_at, deal_id) where not is_same;
