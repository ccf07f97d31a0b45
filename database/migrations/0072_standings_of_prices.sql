-- Lists can be filtered by real lows and by prices that fell this week, and sorted by the percentage below the usual
-- price. Price facts now include when the price was last lower and higher, which does not change over time. A job
-- updates the percentage.
alter table price_proofs
  add column below_usual smallint,
  add column lower_until timestamptz not null default '-infinity',
  add column higher_until timestamptz;

create function price_standing(times bigint[], prices integer[])
returns table (below_usual smallint, lower_until timestamptz, higher_until timestamptz)
language sql stable as $$
  select case when max(asked.total) >= 14 * 86400000::bigint
              then nullif(greatest(0, 100 * (min(asked.price) filter (where asked.passed * 2 >= asked.total) - newest.price::bigint)
                / min(asked.price) filter (where asked.passed * 2 >= asked.total)), 0)::smallint end,
         coalesce(to_timestamp(max(asked.until) filter (where asked.price < newest.price) / 1000.0), '-infinity'),
         to_timestamp(max(asked.until) filter (where asked.price > newest.price) / 1000.0)
    from (select prices[cardinality(prices)] as price, epoch_ms(now()) as until, epoch_ms(now() - interval '90 days') as opens) newest,
         lateral (
           select step.price, step.until, sum(step.until - greatest(step.since, newest.opens)) over (order by step.price) as passed,
                  sum(step.until - greatest(step.since, newest.opens)) over () as total
             from (select s.price, s.since, coalesce(s.until, greatest(newest.until, s.since)) as until
                     from unnest(prices, times, times[2:]) s (price, since, until)) step
            where step.price > 0 and step.until > newest.opens) asked
   where newest.price > 0
   group by newest.price
$$;
create function price_proofs_stand() returns trigger language plpgsql as $$
begin
  new.below_usual := null;
  new.lower_until := '-infinity';
  new.higher_until := null;
  if cardinality(new.price) > 1 and new.price[cardinality(new.price)] > 0 then
    select * into new.below_usual, new.lower_until, new.higher_until from price_standing(new.at, new.price);
  end if;
  return new;
end $$;

create trigger price_proofs_stand before insert or update of price on price_proofs
  for each row execute function price_proofs_stand();
update price_proofs set price = price;

create index price_proofs_best on price_proofs (below_usual desc, deal_id desc) where below_usual is not null;
create index price_proofs_fallen on price_proofs (higher_until, lower_until) include (deal_id, watched_since) where higher_until is not null;
-- Usually matches none of thousands of merchants.
create index merchants_unlogged on merchants (id) where not keep_history;
create index merchants_hiding on merchants (id) where hide_price_after_hours is not null;
