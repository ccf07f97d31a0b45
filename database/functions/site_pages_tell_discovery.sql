-- Queues the URLs of the owner's pages that appear, change, move or disappear. A page with
-- `noindex` is queued only when it gets that flag.
create or replace function site_pages_tell_discovery() returns trigger language plpgsql as $$
declare
  services text[];
  was text := case when tg_op <> 'INSERT' and old.is_visible and not old.noindex then '/' || old.slug end;
  becomes text := case when tg_op <> 'DELETE' and new.is_visible and not new.noindex then '/' || new.slug end;
begin
  if coalesce(was, becomes) is null then return null; end if;
  services := discovery_on();
  if services is null then return null; end if;
  if was is distinct from becomes
    or (new.title, new.intro, new.content, new.seo_title, new.seo_description)
      is distinct from (old.title, old.intro, old.content, old.seo_title, old.seo_description)
  then
    perform queue_discovery(services, array_remove(array[was, becomes], null), null);
  end if;
  return null;
end $$;
