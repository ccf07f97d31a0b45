-- Updates the price facts of cards with each new log line, so that a card reads as little after ten
-- years as after a week. The newest line is appended. For any other line, the facts are recomputed
-- from the log.
create or replace function price_log_keep_proofs() returns trigger language plpgsql as $$
declare others bigint[]; referred bigint[];
begin
  -- Uses grouping and index lookups only, because the same query plan must be fast for 1 line and
  -- for 100,000.
  with single as (
    select deal_id, min(at) as at, min(sale_price) as price, bool_and(availability <> 'out_of_stock') as is_offer, min(currency) as currency
      from new_rows group by deal_id having count(*) = 1
  ), lines as (
    select l.*, epoch_ms(l.at) as at_ms, case when is_offer then price else 2147483647 end as low,
           d.original_price as claim, d.price_since, d.reference_price
      from single l join deals d on d.id = l.deal_id
     where d.price_since <= l.at and d.currency = l.currency
  ), added as (
    update price_proofs p
       set watched_since = coalesce(p.watched_since, case when n.is_offer then n.at end),
           lowest_ever = nullif(least(p.lowest_ever, n.low), 2147483647),
           lowest_before = case when n.at = n.price_since then p.lowest_ever else p.lowest_before end,
           claim = n.claim,
           claim_seen_until = case
             when n.claim is null then null
             when n.is_offer and n.price = n.claim then 'infinity'
             when p.claim is distinct from n.claim then claim_seen_until(n.deal_id, n.claim)
             when p.claim_seen_until = 'infinity' then n.at
             else p.claim_seen_until end,
           at = (p.at || n.at_ms)[n.first:],
           price = (p.price || case when n.is_offer then n.price else -n.price end)[n.first:],
           low = case when n.kept >= n.first then p.low[n.first:n.kept] else '{}' end
                 || array_fill(n.low, array[cardinality(p.at) - greatest(n.kept, n.first - 1) + 1])
      from (
        select lines.*, greatest(1, width_bucket(epoch_ms(now() - interval '90 days'), k.at || lines.at_ms)) as first,
               width_bucket(lines.low, k.low) as kept
          from lines join price_proofs k using (deal_id)
         where cardinality(k.at) < 160 and k.currency = lines.currency and lines.at_ms > k.at[cardinality(k.at)]
      ) n
     where p.deal_id = n.deal_id
    returning p.deal_id, p.reference_price is distinct from n.reference_price as is_referred
  ), begun as (
    insert into price_proofs (deal_id, watched_since, lowest_ever, claim, claim_seen_until, at, price, low, currency)
      select deal_id, case when is_offer then at end, nullif(low, 2147483647), claim,
             case when is_offer and price = claim then timestamptz 'infinity' end, array[at_ms], array[case when is_offer then price else -price end], array[low], currency
        from lines where not exists (select from price_proofs k where k.deal_id = lines.deal_id)
    returning deal_id, reference_price is not null as is_referred
  )
  select array_agg(deal_id) filter (where done = 0), array_agg(deal_id) filter (where is_referred) into others, referred from (
    select deal_id, max(done) as done, bool_or(is_referred) as is_referred from (
      select deal_id, 0 as done, false as is_referred from new_rows
      union all select deal_id, 1, is_referred from added
      union all select deal_id, 1, is_referred from begun) known
     group by deal_id having max(done) = 0 or bool_or(is_referred)) known;
  if others is not null then perform rebuild_price_proofs(others); end if;
  if referred is not null then perform keep_reference_prices(referred); end if;
  return null;
end $$;
