-- Requires a held price and the time it was held to be set together. A row with only one of them broke the review
-- page.
update deals set held_at = updated_at where held_price is not null and held_at is null;
update deals set held_at = null where held_price is null and held_at is not null;
alter table deals add constraint deals_held_check check ((held_price is null) = (held_at is null));
