-- Visitors' reports on a deal: that it has expired, or whether its coupon code works. Each person can make each
-- report once per deal. Users are identified by id, others by a hash of their IP address whose salt is deleted later.
create table deal_reports (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals on delete cascade,
  about text not null check (about in ('over', 'code')),
  code_works boolean,
  -- The reported code. A report says nothing about other codes.
  coupon_code text,
  user_id text references users on delete cascade,
  visitor text not null,
  reported_at timestamptz not null default now(),
  check ((about = 'code') = (code_works is not null and coupon_code is not null))
);
create unique index deal_reports_by_account on deal_reports (deal_id, about, user_id) where user_id is not null;
create unique index deal_reports_by_visitor on deal_reports (deal_id, about, visitor) where user_id is null;
create index deal_reports_of_a_user on deal_reports (user_id) where user_id is not null;
-- Expiry reports, so that their list reads no others.
create index deal_reports_over on deal_reports (deal_id) where about = 'over';

create function deal_reports_announce() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger deal_reports_after_insert after insert on deal_reports referencing new table as changed_rows
  for each statement execute function deal_reports_announce();
create trigger deal_reports_after_delete after delete on deal_reports referencing old table as changed_rows
  for each statement execute function deal_reports_announce();

create function deals_answer_reports() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger deals_answer_reports after update on deals referencing old table as old_rows new table as new_rows
  for each statement execute function deals_answer_reports();
create function price_checks_answer_reports() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger price_checks_answer_reports_insert after insert on deal_price_checks referencing new table as new_rows
  for each statement execute function price_checks_answer_reports();
create trigger price_checks_answer_reports_update after update on deal_price_checks referencing new table as new_rows
  for each statement execute function price_checks_answer_reports();
