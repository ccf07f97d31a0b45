-- Copies the base prices that the discount check used for these deals' current discounts, so that
-- no shown discount contradicts the check. Locks the deals first, as price changes do.
create or replace function keep_measured_prices(of_deals bigint[]) returns void language plpgsql as $$
declare changed bigint[];
begin
  select array_agg(p.deal_id) into changed
    from price_proofs p
    left join lateral (
      select case when c.verdict <> 'unknown' and c.struck_price = p.claim then c.measured end as price
        from valid_reductions c where c.deal_id = p.deal_id and c.left_out is null
       order by c.began_at desc limit 1) latest on true
   where p.deal_id = any(of_deals) and p.measured_price is distinct from latest.price;
  if changed is null then return; end if;
  perform from deals where id = any(changed) order by id for no key update;
  update price_proofs p set measured_price = n.price
    from (select k.deal_id, latest.price
            from price_proofs k
            left join lateral (
              select case when c.verdict <> 'unknown' and c.struck_price = k.claim then c.measured end as price
                from valid_reductions c where c.deal_id = k.deal_id and c.left_out is null
               order by c.began_at desc limit 1) latest on true
           where k.deal_id = any(changed)) n
   where p.deal_id = n.deal_id;
  perform keep_reference_prices(changed);
end $$;
