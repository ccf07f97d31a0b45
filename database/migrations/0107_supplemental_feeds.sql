-- Lets a feed source only update existing deals, as Google's supplemental feeds do.
alter table feed_sources add column updates_only boolean not null default false;
