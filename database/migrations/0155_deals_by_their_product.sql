-- A pasted link finds its deal even if a million deals share the same path. The upgrade takes a few seconds for a million deals.
drop index deals_address;
-- The path, and the end of the first parameter that contains a link, or else of the first that identifies a product.
-- Affiliate networks put an account or program id before the store's link.
create index deals_address on deals
  (left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\.)?|/+$', '', 'g'), 80),
   lower(right(coalesce(
     substring(split_part(deal_url, '#', 1) from '(?i)[?&]([^?&=]*=https?(?::|%3a)[^&]*)'),
     substring(split_part(deal_url, '#', 1) from '(?i)[?&]((?:(?:(?:product|item|article|variant|style)[-_]?)?(?:id|no|nr|number|sku|asin|code|ean|gtin)|p|pid|product|item|article|variant)=[^&]*)'),
     ''), 80))) where is_active;
