-- Recomputes the price facts of these deals after lines of their log were voided. The current price
-- began with the first of the consecutive lines that contain it.
create or replace function settle_prices(of_deals bigint[]) returns void language plpgsql as $$
begin
  -- If lines in another currency are voided, prices before them count again.
  update deals d set currency_since = s.since
    from (
      select o.id, (
        select max(l.at) + interval '1 microsecond' from price_log l
         where l.deal_id = o.id and l.currency <> o.currency and not exists (select from price_voids v where v.line_id = l.id)) as since
        from deals o where o.id = any(of_deals) and o.currency_since is not null order by o.id for update) s
   where d.id = s.id and d.currency_since is distinct from s.since;
  update deals d set price_since = s.since, low_30_before = lowest_price_within(d.id, 30, s.since)
    from (
      select o.id, coalesce((
               select min(l.at) from valid_prices l
                where l.deal_id = o.id and l.sale_price = o.sale_price and l.at > coalesce((
                  select max(other.at) from valid_prices other where other.deal_id = o.id and other.sale_price <> o.sale_price), '-infinity')),
             o.price_since) as since
        from deals o where o.id = any(of_deals) order by o.id for update) s
   where d.id = s.id and (d.price_since, d.low_30_before) is distinct from (s.since, lowest_price_within(d.id, 30, s.since));
  delete from price_proofs p where p.deal_id = any(of_deals) and not exists (select from valid_prices l where l.deal_id = p.deal_id);
  perform rebuild_price_proofs(of_deals);
end $$;
