-- A pasted link finds its deal among a million deals of one script. A million deals take some seconds.
drop index deals_address;
-- The path, and the end of the first parameter with a link, otherwise of the first that names a product.
-- Networks put the number of an account or programme before the store's link.
create index deals_address on deals
  (left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\.)?|/+$', '', 'g'), 80),
   lower(right(coalesce(
     substring(split_part(deal_url, '#', 1) from '(?i)[?&]([^?&=]*=https?(?::|%3a)[^&]*)'),
     substring(split_part(deal_url, '#', 1) from '(?i)[?&]((?:(?:(?:product|item|article|variant|style)[-_]?)?(?:id|no|nr|number|sku|asin|code|ean|gtin)|p|pid|product|item|article|variant)=[^&]*)'),
     ''), 80))) where is_active;
