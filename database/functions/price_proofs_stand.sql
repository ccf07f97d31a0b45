-- With each step of a price, where that price stands. The only one of a deal stands nowhere.
create or replace function price_proofs_stand() returns trigger language plpgsql as $$
begin
  new.below_usual := null;
  new.lower_until := '-infinity';
  new.higher_until := null;
  if cardinality(new.price) > 1 and new.price[cardinality(new.price)] > 0 then
    select * into new.below_usual, new.lower_until, new.higher_until from price_standing(new.at, new.price);
  end if;
  return new;
end $$;
