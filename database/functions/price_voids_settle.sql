-- Removes voided lines from everything derived from them: proofs, lows, the discount check,
-- forecasts and pages.
create or replace function price_voids_settle() returns trigger language plpgsql as $$
declare
  ids constant bigint[] := array(select distinct deal_id from new_rows order by 1);
  since timestamptz;
begin
  if ids = '{}' then return null; end if;
  perform settle_prices(ids);
  -- Recomputes everything, because 90-day discounts may have begun before the first check.
  perform check_reductions(ids, '-infinity');
  select min(l.at) into since from price_log l join new_rows n on n.line_id = l.id and n.deal_id = l.deal_id;
  delete from deal_forecasts where deal_id = any(ids) and made_on >= (since at time zone 'utc')::date;
  delete from forecasts f using new_rows n, price_log l
   where l.id = n.line_id and l.deal_id = n.deal_id and f.deal_id = n.deal_id and f.price = l.sale_price
     and f.made_on >= (l.at at time zone 'utc')::date;
  perform announce_deals(ids, true);
  if cardinality(ids) <= 200 then
    perform announce_lists((select jsonb_agg(jsonb_build_object('kind', 'prices', 'category', category_id, 'merchant', merchant_id))
      from deals where id = any(ids) and is_active));
  end if;
  return null;
end $$;
