-- A shop's address typed into the search finds its deal. A million deals take some seconds.
create index deals_address on deals
  (left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\.)?|/+$', '', 'g'), 80)) where is_active;
