-- A feed source can be limited to updating existing deals, like Google's supplemental feeds.
alter table feed_sources add column updates_only boolean not null default false;
