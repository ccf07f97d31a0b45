-- Writes the search texts of new deals, unless the statement that inserted the deals wrote them. Looks up each deal by index, because the
-- cached plan must suit a few deals and a hundred thousand.
create or replace function deals_add_texts() returns trigger language plpgsql as $$
begin
  insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, brand, title, search)
    select id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, nullif(fold(brand), ''), fold(title), deal_words(title, description)
      from new_rows n
     where not exists (select from deal_texts t where t.deal_id = n.id offset 0);
  return null;
end $$;
