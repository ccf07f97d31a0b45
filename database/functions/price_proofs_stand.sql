-- Compares the current price with the log (price_standing), unless a deal's only price is less than 14 days old. Clears the discount
-- check's price when the struck price or the currency changes.
create or replace function price_proofs_stand() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.claim is distinct from old.claim or new.currency <> old.currency) then new.measured_price := null; end if;
  new.below_usual := null;
  new.lower_until := '-infinity';
  new.higher_until := null;
  new.usual_price := null;
  new.reference_price := new.measured_price;
  if cardinality(new.price) > 1 or new.at[1] <= epoch_ms(now() - interval '14 days') then
    select * into new.below_usual, new.lower_until, new.higher_until, new.usual_price, new.reference_price
      from price_standing(new.at, new.price, new.claim, new.measured_price);
  end if;
  return new;
end $$;
