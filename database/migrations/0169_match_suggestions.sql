-- Staff judge pairs of deals that may be one product. Feeds state part numbers and groups of variants.
alter table deals add column mpn text, add column item_group_id text;
create index deals_item_group on deals (merchant_id, item_group_id) where item_group_id is not null;
