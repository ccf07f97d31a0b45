-- Staff can choose the encoding of a feed, and each import records the one it used.
alter table feed_sources add column encoding text not null default 'auto';
alter table import_runs add column encoding text;
