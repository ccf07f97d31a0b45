-- Announcements that begin with `old` mean that cached pages are outdated but show nothing that has been removed or
-- hidden. Such pages may be served stale while the database is unreachable. Without `old`, they are dropped.
create function announce_deals(ids bigint[], may_stand_in boolean) returns void language plpgsql as $$
begin
  if ids is null then return; end if;
  perform pg_notify('pages', case when may_stand_in then 'old ' else '' end ||
    case when cardinality(ids) > 200 then 'all'
    else 'deals ' || array_to_string(array(select 'deal:' || id from unnest(ids) id), ' ') end);
end $$;

-- Same as in 0013, except for the last line.
create or replace function deals_after_insert() returns trigger language plpgsql as $$
begin
  insert into price_log (deal_id, at, sale_price, original_price, availability, source, import_run_id)
    select d.id, d.price_since, d.sale_price, d.original_price, d.availability, d.price_source, current_import_run()
      from new_rows d join merchants m on m.id = d.merchant_id
     where m.keep_history and d.price_source <> 'demo'; -- The demo shop writes its own history.
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, count(*) as n from new_rows where is_active and not is_expired group by 1, 2) c));
  perform announce_deals((select array_agg(id) from new_rows), true);
  return null;
end $$;

-- Same as in 0013, except for the last lines.
create or replace function deals_after_update() returns trigger language plpgsql as $$
begin
  insert into price_log (deal_id, sale_price, original_price, availability, source, import_run_id)
    select n.id, n.sale_price, n.original_price, n.availability, n.price_source, current_import_run()
      from new_rows n join old_rows o on o.id = n.id join merchants m on m.id = n.merchant_id
     where m.keep_history
       and (n.sale_price, n.original_price, n.availability) is distinct from (o.sale_price, o.original_price, o.availability);
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, sum(n) as n from (
      select category_id, merchant_id, 1 as n from new_rows where is_active and not is_expired
      union all
      select category_id, merchant_id, -1 from old_rows where is_active and not is_expired) s
      group by 1, 2 having sum(n) <> 0) c));
  perform announce_deals((select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.title, n.description, n.image_url, n.sale_price, n.original_price, n.coupon_code, n.expires_at,
           n.is_expired, n.deal_url, n.is_active, n.is_featured, n.status, n.condition, n.seller_type, n.availability,
           n.category_id, n.merchant_id, n.brand, n.gtin, n.low_30_before, n.price_since, n.price_checked_at, n.created_at)
      is distinct from
          (o.slug, o.title, o.description, o.image_url, o.sale_price, o.original_price, o.coupon_code, o.expires_at,
           o.is_expired, o.deal_url, o.is_active, o.is_featured, o.status, o.condition, o.seller_type, o.availability,
           o.category_id, o.merchant_id, o.brand, o.gtin, o.low_30_before, o.price_since, o.price_checked_at, o.created_at)),
    not exists (select from new_rows n join old_rows o on o.id = n.id where o.is_active and not n.is_active));
  return null;
end $$;

create or replace function deals_after_delete() returns trigger language plpgsql as $$
begin
  delete from slug_redirects where kind = 'deal' and target_id in (select id from old_rows);
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, -count(*) as n from old_rows where is_active and not is_expired group by 1, 2) c));
  perform announce_deals((select array_agg(id) from old_rows), false);
  return null;
end $$;
drop function announce_deals(bigint[]);

drop trigger categories_announce on categories;
drop trigger categories_announce_update on categories;
create trigger categories_announce after delete on categories
  for each statement execute function announce_pages('all');
create trigger categories_announce_insert after insert on categories
  for each statement execute function announce_pages('old all');
create trigger categories_announce_update after update of name, slug, description, icon on categories
  for each statement execute function announce_pages('old all');

drop trigger merchants_announce on merchants;
drop trigger merchants_announce_update on merchants;
create trigger merchants_announce after delete on merchants
  for each statement execute function announce_pages('all');
create trigger merchants_announce_insert after insert on merchants
  for each statement execute function announce_pages('old all');

-- If a merchant's program changes its rules, cached pages may show content that is no longer allowed.
create function merchants_announce_update() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows n join old_rows o on o.id = n.id
      where (n.keep_history, n.allow_alerts, n.hide_price_after_hours, n.show_price_timestamp, n.price_disclaimer)
        is distinct from
            (o.keep_history, o.allow_alerts, o.hide_price_after_hours, o.show_price_timestamp, o.price_disclaimer)) then
    perform pg_notify('pages', 'all');
  elsif exists (select from new_rows n join old_rows o on o.id = n.id
      where (n.name, n.slug, n.description, n.logo_url, n.website_url, n.is_featured, n.affiliate_template,
             n.affiliate_sub_id, n.free_shipping_over)
        is distinct from
            (o.name, o.slug, o.description, o.logo_url, o.website_url, o.is_featured, o.affiliate_template,
             o.affiliate_sub_id, o.free_shipping_over)) then
    perform pg_notify('pages', 'old all');
  end if;
  return null;
end $$;
create trigger merchants_announce_update after update on merchants
  referencing new table as new_rows old table as old_rows for each statement execute function merchants_announce_update();

drop trigger blog_posts_announce on blog_posts;
create trigger blog_posts_announce after delete on blog_posts
  for each statement execute function announce_pages('blog');
create trigger blog_posts_announce_insert after insert on blog_posts
  for each statement execute function announce_pages('old blog');

create function blog_posts_announce_update() returns trigger language plpgsql as $$
begin
  perform pg_notify('pages', case when exists (select from new_rows n join old_rows o on o.id = n.id
      where o.is_published and o.is_due and not (n.is_published and n.is_due)) then 'blog' else 'old blog' end);
  return null;
end $$;
create trigger blog_posts_announce_update after update on blog_posts
  referencing new table as new_rows old table as old_rows for each statement execute function blog_posts_announce_update();
