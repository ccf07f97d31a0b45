create or replace function blog_posts_before_write() returns trigger language plpgsql as $$
begin
  new.is_due := coalesce(new.published_at <= now(), true);
  return new;
end $$;
