-- Adds the current names of everything that an entry refers to: its entity, up to ten entities of a
-- bulk action, and the targets of its fields. The name of a deleted row comes from the old values.
-- Names of people are left out, because they could not be erased.
create or replace function audit_log_add_names() returns trigger language plpgsql as $$
begin
  select jsonb_object_agg(kind, by_id) into new.names from (
    select kind, jsonb_object_agg(id, left(name, 200)) as by_id from (
      select kind, id, coalesce(
          case when id !~ '^\d{1,18}$' then null else case kind
            when 'deal' then (select title from deals where deals.id = about.id::bigint)
            when 'product' then (select p.title from products p where p.id = about.id::bigint)
            when 'category' then (select c.name from categories c where c.id = about.id::bigint)
            when 'merchant' then (select m.name from merchants m where m.id = about.id::bigint)
            when 'coupon' then (select c.code from coupons c where c.id = about.id::bigint)
            when 'newsletter' then (select n.subject from newsletters n where n.id = about.id::bigint)
            when 'post' then (select title from blog_posts p where p.id = about.id::bigint)
            when 'page' then (select title from site_pages p where p.id = about.id::bigint)
            when 'import' then (select source_name from import_runs r where r.id = about.id::bigint)
            when 'feed-source' then (select s.name from feed_sources s where s.id = about.id::bigint)
            when 'webhook' then (select url from webhook_endpoints w where w.id = about.id::bigint)
            when 'channel' then (select c.name from channels c where c.id = about.id::bigint)
            when 'saved-view' then (select v.name from saved_views v where v.id = about.id::bigint)
            when 'api_key' then (select k.name from api_keys k where k.id = about.id::bigint)
          end end,
          new.before #>> array['titles', id],
          case when kind = new.entity and id = new.entity_id
            then coalesce(new.before ->> 'title', new.before ->> 'name', new.before ->> 'subject', new.before ->> 'code', new.before ->> 'url') end) as name
        from (
          select new.entity, new.entity_id
          union
          (select new.entity, jsonb_array_elements_text(new.after -> 'ids') where jsonb_typeof(new.after -> 'ids') = 'array' limit 10)
          union
          select field.kind, side ->> field.name
            from (values (new.before), (new.after)) sides (side),
                 (values ('category', 'category_id'), ('merchant', 'merchant_id'), ('deal', 'copy_of'), ('deal', 'kept'),
                         ('deal', 'other'), ('product', 'product'), ('product', 'into')) field (kind, name)
           where jsonb_typeof(side) = 'object'
        ) about (kind, id)
       where id is not null
         and kind in ('deal', 'category', 'merchant', 'post', 'page', 'newsletter', 'import', 'feed-source', 'webhook', 'channel', 'api_key', 'saved-view', 'product')) named
     where name is not null
     group by kind) kinds;
  return new;
end $$;
