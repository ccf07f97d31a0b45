-- A post may be given a day of its own in the future: it is published, but not yet due. Readers see it from that moment
-- on by its time alone; this mark only lets the job `show-due-posts` find what has become due since, and by changing it
-- tell every process to forget its kept pages of the blog.
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

-- The editor takes up the cleaned content, and every reading cleans it again: there is no second copy to keep.
alter table blog_posts drop column content_source, drop column sanitizer_version;
