-- Stores changed reference prices, from which discounts are computed, for these deals. Clears them
-- if the store no longer allows price history.
create or replace function keep_reference_prices(of_deals bigint[]) returns void language sql as $$
  update deals d set reference_price = p.reference_price
    from (select k.deal_id, case when m.keep_history then k.reference_price end as reference_price
            from price_proofs k join deals o on o.id = k.deal_id join merchants m on m.id = o.merchant_id
           where k.deal_id = any(of_deals) and o.reference_price is distinct from case when m.keep_history then k.reference_price end) p
   where d.id = p.deal_id
$$;
