-- Every change of a price, of stock or of being for sale at all, by whomever. After deals_after_update (triggers run in
-- the order of their names), which has written the price log. What comes down in the rollback of an import only undoes a
-- mistake, and is a drop to nobody; a target is met or not met whatever was before, so targets are judged as ever.
create or replace function deals_fire_alerts() returns trigger language plpgsql as $$
declare ids bigint[]; old_prices integer[]; new_prices integer[];
begin
  -- A price above the one that was mailed ends that drop, whatever the state of deal and alert. The former price counts too:
  -- older versions noted no rise.
  update price_alerts a set last_mailed_price = null
    from (select n.id, greatest(n.sale_price, o.sale_price) as price
            from new_rows n full join old_rows o on o.id = n.id -- in full: see deals_after_update
           where n.sale_price <> o.sale_price offset 0) moved
   where a.deal_id = moved.id and a.last_mailed_price < moved.price;
  select array_agg(a.id), array_agg(c.old_price), array_agg(c.sale_price) into ids, old_prices, new_prices
    from (
      select n.id, n.sale_price, n.old_price, n.was_out, n.availability = 'in_stock' as is_in
        from (select n.*, o.sale_price as old_price, o.availability = 'out_of_stock' as was_out
                from new_rows n full join old_rows o on o.id = n.id -- in full: see deals_after_update
               where (n.sale_price, n.availability, n.is_active, n.is_expired)
                       is distinct from (o.sale_price, o.availability, o.is_active, o.is_expired)
              offset 0) n
        join merchants m on m.id = n.merchant_id
       where m.allow_alerts and n.is_active and n.availability <> 'out_of_stock'
         and not n.is_expired and (n.expires_at is null or n.expires_at > now())
    ) c
    join price_alerts a on a.deal_id = c.id and a.is_active
   where (a.kind = 'target' or current_setting('app.undoes_import', true) is distinct from 'on')
     and case a.kind
     when 'target' then c.sale_price <= a.target_price
     when 'any_drop' then c.sale_price < greatest(a.base_price, c.old_price)
     when 'percent_drop' then c.sale_price <= a.base_price::bigint * (100 - a.target_percent) / 100.0
     when 'new_low_30' then c.sale_price < lowest_price_within(c.id, 30, now())
     when 'new_low_90' then c.sale_price < lowest_price_within(c.id, 90, now())
     when 'back_in_stock' then c.was_out and c.is_in
   end
     -- One that stays fires again with the next fall after a price above the one that it last fired at.
     and (a.fired_at is null or a.kind = 'back_in_stock' or a.last_mailed_price is null and c.sale_price < c.old_price);
  perform fire_price_alerts(ids, old_prices, new_prices);
  return null;
end $$;
