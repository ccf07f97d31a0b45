alter table watched_searches drop column condition, drop column off, drop column brand;
drop trigger deals_change_texts_place on deals;
create trigger deals_change_texts_place after update on deals
  for each row when ((old.is_active, old.is_expired, old.traits, old.category_id, old.merchant_id, old.created_at, old.expires_at)
    is distinct from (new.is_active, new.is_expired, new.traits, new.category_id, new.merchant_id, new.created_at, new.expires_at))
  execute function deals_change_texts('place');
alter table deal_texts drop column brand;
