-- The way to read a feed is stored with its source: the element of its products, the shop's address for relative
-- links, and the column names, which identify the next feed of the same shape.

alter table feed_sources
  add column record_path text, -- the element or list that holds a product each; null: found
  add column shop_url text, -- for feeds that name no whole links; null: the merchant's or the feed's own host
  add column mapping_file jsonb, -- a mapping that somebody gave us as a file
  add column head text;
create index feed_sources_head on feed_sources (md5(head)) where head is not null;

alter table import_runs
  add column rows_reduced integer not null default 0, -- rows with an old price above the present one
  add column field_changes jsonb; -- of a dry run: how many deals would change in which field
