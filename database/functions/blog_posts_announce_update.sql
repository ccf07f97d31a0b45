create or replace function blog_posts_announce_update() returns trigger language plpgsql as $$
begin
  perform pg_notify('pages', case when exists (select from new_rows n join old_rows o on o.id = n.id
      where o.is_published and o.is_due and not (n.is_published and n.is_due)) then 'blog' else 'old blog' end);
  return null;
end $$;
