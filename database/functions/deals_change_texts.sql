-- Updates the search texts of a changed deal: its words or its filters. The word indexes are
-- written only if the words changed.
create or replace function deals_change_texts() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'words' then
    update deal_texts set title = fold(new.title), search = deal_words(new.title, new.description) where deal_id = new.id;
  else
    update deal_texts
       set is_active = new.is_active, is_expired = new.is_expired, traits = new.traits, category_id = new.category_id,
           merchant_id = new.merchant_id, created_at = new.created_at, expires_at = new.expires_at,
           brand = nullif(fold(new.brand), '')
     where deal_id = new.id;
  end if;
  return null;
end $$;
