-- Results of the job `check-links`: whether the links of live deals still work. Visitors never see them, so they
-- neither change the deal nor invalidate pages.
alter table deals
  add column link_checked_at timestamptz, -- when the link was last checked
  add column link_missed_at timestamptz, -- the first of consecutive "not found" responses
  add column link_broken_since timestamptz; -- the same time, once a later check has confirmed it

-- The next links to check, by merchant, so that a merchant with very many deals does not delay the others.
create index deals_link_due on deals (merchant_id, link_checked_at nulls first, id)
  where is_active and not is_expired and not is_demo;
create index deals_broken_link on deals (created_at desc, id desc) where link_broken_since is not null;

-- A changed URL is a new link and resets its check, whichever program changed it.
create function deals_forget_link_check() returns trigger language plpgsql as $$
begin
  new.link_checked_at := null;
  new.link_missed_at := null;
  new.link_broken_since := null;
  return new;
end $$;
create trigger deals_forget_link_check before update of deal_url on deals
  for each row when (new.deal_url <> old.deal_url) execute function deals_forget_link_check();
