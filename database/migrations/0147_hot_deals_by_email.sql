-- Subscribers can get an email of the day's real lows. Turn it on in Settings, Newsletter.
alter table newsletter_issues
  add column kind text not null default 'weekly' check (kind in ('weekly', 'hot')),
  -- A deal is not repeated for a week.
  add column deal_ids integer[] not null default '{}';
