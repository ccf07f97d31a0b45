-- Staff can review pairs of deals that may be one product. Feeds can contain part numbers and variant groups.
alter table deals add column mpn text, add column item_group_id text;
create index deals_item_group on deals (merchant_id, item_group_id) where item_group_id is not null;

-- Model and part numbers of deals, used to find pairs that are worth comparing.
create table deal_codes (
  token text collate "C" not null,
  deal_id bigint not null references deals (id) on delete cascade,
  primary key (token, deal_id)
);
create index deal_codes_deal on deal_codes (deal_id);

-- Deals that must be compared with others. Writers only add rows, so they never wait for each other.
create table suggestion_checks (
  id bigint generated always as identity primary key,
  deal_id bigint not null
);

-- Pairs for staff to review. Pairs consist of deals, so that they survive merges and splits of products.
create table match_suggestions (
  deal_id bigint not null references deals (id) on delete cascade,
  other_id bigint not null references deals (id) on delete cascade,
  reason text not null,
  score real not null,
  primary key (deal_id, other_id),
  check (deal_id < other_id)
);
create index match_suggestions_other on match_suggestions (other_id);
create index match_suggestions_score on match_suggestions (score desc, deal_id, other_id);

-- Decisions by staff, to measure each reason and to undo the last decision.
create table match_decisions (
  id bigint generated always as identity primary key,
  deal_id bigint not null,
  other_id bigint not null,
  reason text not null,
  score real not null,
  verdict text not null check (verdict in ('same', 'different', 'variant', 'hide')),
  before jsonb not null,
  actor text not null,
  at timestamptz not null default now()
);
create index match_decisions_actor on match_decisions (actor, id);
create index match_decisions_at on match_decisions (at);

insert into suggestion_checks (deal_id) select id from deals where is_active and not is_expired order by id;
