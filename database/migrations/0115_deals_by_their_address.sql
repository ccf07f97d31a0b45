-- A store's product URL typed into the search finds its deal. The upgrade takes a few seconds for a million deals.
create index deals_address on deals
  (left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\.)?|/+$', '', 'g'), 80)) where is_active;
