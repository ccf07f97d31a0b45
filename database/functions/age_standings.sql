-- Recomputes the next `most` rows after a deal, because usual prices change with time alone.
-- Returns the id of the last row, or null at the end. An expired deal keeps its values from when it
-- expired. Deals are locked first, as when a price changes.
create or replace function age_standings(after bigint, most integer) returns bigint language plpgsql as $$
declare last bigint; outdated bigint[];
begin
  with read as materialized (
    select deal_id, at, price, claim, measured_price, below_usual, usual_price, reference_price
      from price_proofs where deal_id > after order by deal_id limit most
  ), aged as (
    select r.deal_id
      from read r
      join deals d on d.id = r.deal_id and not d.is_expired
      join merchants m on m.id = d.merchant_id
      left join price_standing(r.at, r.price, r.claim, r.measured_price) s on true
     where (r.below_usual, r.usual_price, r.reference_price) is distinct from (s.below_usual, s.usual_price, s.reference_price)
        or d.reference_price is distinct from case when m.keep_history then s.reference_price end
  )
  select (select max(deal_id) from read), (select array_agg(deal_id) from aged) into last, outdated;
  if outdated is null then return last; end if;
  perform from deals where id = any(outdated) order by id for no key update;
  update price_proofs p
     set (below_usual, usual_price, reference_price) = (n.below_usual, n.usual_price, n.reference_price)
    from (select k.deal_id, s.* from price_proofs k left join price_standing(k.at, k.price, k.claim, k.measured_price) s on true
           where k.deal_id = any(outdated)) n
   where p.deal_id = n.deal_id;
  perform keep_reference_prices(outdated);
  return last;
end $$;
