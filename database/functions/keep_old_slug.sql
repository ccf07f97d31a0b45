create or replace function keep_old_slug() returns trigger language plpgsql as $$
begin
  if new.slug <> old.slug then
    delete from slug_redirects where kind = tg_argv[0] and slug = new.slug;
    insert into slug_redirects (kind, slug, target_id) values (tg_argv[0], old.slug, new.id)
      on conflict (kind, slug) do update set target_id = excluded.target_id;
  end if;
  return new;
end $$;
