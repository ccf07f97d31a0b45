-- Subscribers can get an email of the day's real lows. Turn it on in Settings, Newsletter.
alter table newsletter_issues
  add column kind text not null default 'weekly' check (kind in ('weekly', 'hot')),
  -- The deals in the email, so that none is repeated within a week.
  add column deal_ids integer[] not null default '{}';
