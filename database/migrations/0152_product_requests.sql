-- Visitors can request a product that the price check doesn't find. Staff see the requests in Search.
create table product_requests (
  id bigint generated always as identity primary key,
  -- The URL without campaign and session parameters.
  url text not null unique check (length(url) <= 2000),
  title text not null,
  visitors integer not null default 0,
  requested_at timestamptz not null default now(),
  dismissed_at timestamptz
);
create index product_requests_recent on product_requests (requested_at);

-- Identifies visitors by a salted hash that differs for each product.
create table product_request_visitors (
  request_id bigint not null references product_requests on delete cascade,
  mark text not null,
  requested_at timestamptz not null default now(),
  primary key (request_id, mark)
);
create index product_request_visitors_recent on product_request_visitors (requested_at);
