-- What is usual changes with time alone. Reads so many rows after a deal anew, and answers the last of them; null at the end.
create or replace function age_standings(after bigint, most integer) returns bigint language plpgsql as $$
declare last bigint;
begin
  with read as materialized (
    select deal_id, at, price, below_usual from price_proofs where deal_id > after order by deal_id limit most
  ), aged as (
    update price_proofs p set below_usual = n.below_usual
      from (select r.deal_id, r.at, s.below_usual from read r left join price_standing(r.at, r.price) s on true
             where r.below_usual is distinct from s.below_usual) n
     -- A price that has changed meanwhile has its own standing.
     where p.deal_id = n.deal_id and p.at = n.at
  )
  select max(deal_id) into last from read;
  return last;
end $$;
