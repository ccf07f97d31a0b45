-- A published post may have a future date, and queries hide it until then. This flag lets the job `show-due-posts`
-- find posts that have become due. When it changes, every process invalidates its cached blog pages.
alter table blog_posts add column is_due boolean not null default true;
update blog_posts set is_due = coalesce(published_at <= now(), true) where published_at > now();
create index blog_posts_waiting on blog_posts (published_at) where not is_due;

create function blog_posts_before_write() returns trigger language plpgsql as $$
begin
  new.is_due := coalesce(new.published_at <= now(), true);
  return new;
end $$;
create trigger blog_posts_before_write before insert or update on blog_posts
  for each row execute function blog_posts_before_write();

-- The editor loads the sanitized content, and every read sanitizes it again, so no original is stored.
alter table blog_posts drop column content_source, drop column sanitizer_version;
