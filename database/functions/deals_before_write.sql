create or replace function deals_before_write() returns trigger language plpgsql as $$
begin
  new.is_expired := coalesce(new.expires_at <= now(), false);
  if tg_op = 'INSERT' then return new; end if;
  if new.sale_price <> old.sale_price then
    new.price_since := now();
    new.low_30_before := lowest_price_before(new.id, now());
  end if;
  if new.slug <> old.slug then
    delete from slug_redirects where kind = 'deal' and slug = new.slug;
    insert into slug_redirects (kind, slug, target_id) values ('deal', old.slug, new.id)
      on conflict (kind, slug) do update set target_id = excluded.target_id;
  end if;
  return new;
end $$;
