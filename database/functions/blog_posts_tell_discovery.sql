-- Queues the addresses of posts that appear, change, move or disappear. Posts that search engines
-- must not list are queued only when that setting is turned on.
create or replace function blog_posts_tell_discovery() returns trigger language plpgsql as $$
declare
  services text[];
  was text := case when tg_op <> 'INSERT' and old.is_published and old.is_due and not old.noindex then '/blog/' || old.slug end;
  becomes text := case when tg_op <> 'DELETE' and new.is_published and new.is_due and not new.noindex then '/blog/' || new.slug end;
begin
  if coalesce(was, becomes) is null then return null; end if;
  services := discovery_on();
  if services is null then return null; end if;
  if was is distinct from becomes
    or (new.title, new.excerpt, new.content, new.featured_image_url, new.seo_title, new.seo_description)
      is distinct from (old.title, old.excerpt, old.content, old.featured_image_url, old.seo_title, old.seo_description)
  then
    perform queue_discovery(services, array_remove(array[was, becomes], null), 'blog');
  end if;
  return null;
end $$;
