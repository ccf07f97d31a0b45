-- A pasted link finds its deal among a million deals of one script. A million deals take some seconds.
drop index deals_address;
-- The path, and the end of the first parameter that names a product.
create index deals_address on deals
  (left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\.)?|/+$', '', 'g'), 80),
   lower(right(coalesce(substring(split_part(deal_url, '#', 1) from '(?i)[?&]((?:(?:(?:product|item|article|variant|style)[-_]?)?(?:id|no|nr|number|sku|asin|code|ean|gtin)|p|pid|product|item|article|variant)=[^&]*|[^=&]*=https?(?::|%3a)[^&]*)'), ''), 80))) where is_active;
