-- Of new deals, what searches read.
create or replace function deals_add_texts() returns trigger language plpgsql as $$
begin
  insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, title, search)
    select id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, fold(title), deal_words(title, description)
      from new_rows;
  return null;
end $$;
