-- Queues webhook events, notifications to search engines and channel posts for newly public deals, with one statement for each kind. Does
-- nothing if all of these are off. The demo shop is never announced.
create or replace function deals_tell_published() returns trigger language plpgsql as $$
declare
  services text[] := discovery_on();
begin
  if is_webhook_wanted('deal.published') then
    insert into webhook_deliveries (endpoint_id, event, deal_id, price, currency)
      select e.id, 'deal.published', n.id, n.sale_price, n.currency
        from new_rows n cross join webhook_endpoints e
       where e.is_active and 'deal.published' = any (e.events) and n.is_active and not n.is_expired
       order by n.id, e.id;
  end if;
  if services is not null then
    perform queue_discovery(services, (select array_agg('/deals/' || slug) from new_rows where is_active), 'deals');
  end if;
  if are_channels_on() then
    insert into channel_news (deal_id, event)
      select id, 'new' from new_rows where is_active and not is_expired and not is_demo order by id;
  end if;
  return null;
end $$;
