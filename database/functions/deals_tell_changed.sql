-- Queues webhook events. A deal that is shown again counts as published. A price change of a live deal is an event, unless its merchant's
-- program forbids price tracking. Search engines are notified of deals that appear, end or move. The WebSub hub and channels are also
-- notified of lower prices.
create or replace function deals_tell_changed() returns trigger language plpgsql as $$
declare
  services text[] := discovery_on();
begin
  if is_webhook_wanted('deal.published') then
    insert into webhook_deliveries (endpoint_id, event, deal_id, price, currency)
      select e.id, 'deal.published', n.id, n.sale_price, n.currency
        from (select n.* from new_rows n full join old_rows o on o.id = n.id -- a full join: see deals_after_update
               where coalesce(n.is_active and not n.is_expired and not o.is_active, false) offset 0) n
             cross join webhook_endpoints e
       where e.is_active and 'deal.published' = any (e.events)
       order by n.id, e.id;
  end if;
  if is_webhook_wanted('deal.price_changed') then
    insert into webhook_deliveries (endpoint_id, event, deal_id, price, previous_price, currency)
      select e.id, 'deal.price_changed', n.id, n.sale_price, n.old_price, n.currency
        from (select n.*, case when o.currency = n.currency then o.sale_price end as old_price from new_rows n full join old_rows o on o.id = n.id
               where coalesce((n.sale_price, n.currency) <> (o.sale_price, o.currency) and n.is_active and o.is_active and not n.is_expired, false)
              offset 0) n
             join merchants m on m.id = n.merchant_id cross join webhook_endpoints e
       where e.is_active and 'deal.price_changed' = any (e.events) and m.keep_history
       order by n.id, e.id;
  end if;
  if services is not null then
    perform queue_discovery(services, (select array_agg(distinct path)
      from (select n.slug, o.slug as old_slug
              from new_rows n full join old_rows o on o.id = n.id
             where (n.is_active or o.is_active)
               and (n.is_active, n.is_expired, n.slug) is distinct from (o.is_active, o.is_expired, o.slug) offset 0) moved,
           lateral (values ('/deals/' || slug), ('/deals/' || old_slug)) of_deal (path)), 'deals');
  end if;
  if 'websub' = any (services) and exists (
      select from (select n.merchant_id from new_rows n full join old_rows o on o.id = n.id
                    where coalesce(n.sale_price < o.sale_price and n.currency = o.currency and n.is_active and not n.is_expired, false)
                   offset 0) fallen
             join merchants m on m.id = fallen.merchant_id and m.keep_history) then
    perform queue_feed(services, 'price-drops');
  end if;
  if are_channels_on() then
    insert into channel_news (deal_id, event)
      select n.id, n.event
        from (select n.id, n.merchant_id, case when not o.is_active then 'new' else 'low' end as event
                from new_rows n full join old_rows o on o.id = n.id
               where coalesce(n.is_active and not n.is_expired and not n.is_demo
                       and (not o.is_active or (n.sale_price < o.sale_price and n.currency = o.currency)), false)
              offset 0) n
             join merchants m on m.id = n.merchant_id and (n.event = 'new' or m.keep_history)
       order by n.id;
  end if;
  return null;
end $$;
