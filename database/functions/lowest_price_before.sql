-- Returns the lowest price in the 30 days before a current price began. Reads `price_proofs` if all of its steps are older than that,
-- otherwise the log.
create or replace function lowest_price_before(of_deal bigint, moment timestamptz) returns integer
language plpgsql stable as $$
begin
  return (
    select case when p.at[cardinality(p.at)] < epoch_ms(moment) then lowest_since(p.at, p.low, moment - interval '30 days')
           else lowest_price_within(of_deal, 30, moment) end
      from price_proofs p where p.deal_id = of_deal);
end $$;
