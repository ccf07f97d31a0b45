-- Lists and searches can be filtered by brand, and watched by condition, discount and brand. The folded brand is
-- stored with a deal's words, in a table that new prices do not touch.
alter table deal_texts add column brand text;
update deal_texts t set brand = nullif(fold(d.brand), '') from deals d where d.id = t.deal_id and d.brand <> '';
create index deal_texts_brand on deal_texts (brand) where brand is not null;
do $$ begin if exists (select from deal_texts) then analyze deal_texts; end if; end $$;

drop trigger deals_change_texts_place on deals;
create trigger deals_change_texts_place after update on deals
  for each row when ((old.is_active, old.is_expired, old.traits, old.category_id, old.merchant_id, old.created_at, old.expires_at, old.brand)
    is distinct from (new.is_active, new.is_expired, new.traits, new.category_id, new.merchant_id, new.created_at, new.expires_at, new.brand))
  execute function deals_change_texts('place');

alter table watched_searches
  add column condition text check (condition in ('acceptable', 'good', 'very_good', 'like_new', 'refurbished')),
  add column off smallint check (off between 1 and 99),
  add column brand text;
