-- Parsing options of a feed are stored with its source: the product element, the shop's URL for relative links, and
-- the column names, which identify other feeds with the same structure.

alter table feed_sources
  add column record_path text, -- the element or list of each product; null: detected
  add column shop_url text, -- the base of relative links; null: the merchant's or the feed's host
  add column mapping_file jsonb, -- a mapping uploaded as a file
  add column head text;
create index feed_sources_head on feed_sources (md5(head)) where head is not null;

alter table import_runs
  add column rows_reduced integer not null default 0, -- the number of rows with an old price above the current one
  add column field_changes jsonb; -- for a dry run: the number of deals that would change, by field
