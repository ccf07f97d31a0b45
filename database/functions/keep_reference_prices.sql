-- Stores the reference prices of these deals, from which discounts are computed, if they changed.
-- Skips stores whose history is no longer kept.
create or replace function keep_reference_prices(of_deals bigint[]) returns void language sql as $$
  update deals d set reference_price = p.reference_price
    from (select k.deal_id, case when m.keep_history then k.reference_price end as reference_price
            from price_proofs k join deals o on o.id = k.deal_id join merchants m on m.id = o.merchant_id
           where k.deal_id = any(of_deals) and o.reference_price is distinct from case when m.keep_history then k.reference_price end) p
   where d.id = p.deal_id
$$;
