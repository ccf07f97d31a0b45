-- Invalidates cached pages when a merchant changes, since its new rules may forbid their content.
-- Deletes copies of pictures that are no longer allowed. Queues product matching for a store's
-- deals when the store no longer needs review.
create or replace function merchants_announce_update() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows n join old_rows o on o.id = n.id where o.keeps_pictures and not n.keeps_pictures) then
    delete from pictures where merchant_id in (select id from new_rows where not keeps_pictures);
  end if;
  insert into match_checks (gtin)
    select distinct d.gtin from new_rows n join old_rows o on o.id = n.id join deals d on d.merchant_id = n.id
     where n.matches_freely and not o.matches_freely and d.gtin is not null order by 1;
  if exists (select from new_rows n join old_rows o on o.id = n.id
      where (n.keep_history, n.allow_alerts, n.hide_price_after_hours, n.show_price_timestamp, n.price_disclaimer, n.keeps_pictures, n.check_reply)
        is distinct from
            (o.keep_history, o.allow_alerts, o.hide_price_after_hours, o.show_price_timestamp, o.price_disclaimer, o.keeps_pictures, o.check_reply)) then
    perform pg_notify('pages', 'all');
  elsif exists (select from new_rows n join old_rows o on o.id = n.id
      where (n.name, n.slug, n.description, n.logo_url, n.website_url, n.is_featured, n.affiliate_template,
             n.affiliate_sub_id, n.free_shipping_over, n.standard_shipping, n.seo_title, n.seo_description, n.share_text, n.share_image_url, n.noindex)
        is distinct from
            (o.name, o.slug, o.description, o.logo_url, o.website_url, o.is_featured, o.affiliate_template,
             o.affiliate_sub_id, o.free_shipping_over, o.standard_shipping, o.seo_title, o.seo_description, o.share_text, o.share_image_url, o.noindex)) then
    perform pg_notify('pages', 'old all');
  end if;
  return null;
end $$;
