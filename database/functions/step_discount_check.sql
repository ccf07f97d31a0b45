-- Performs one limited step of the discount check, and stores its progress in the same transaction.
-- Returns false when nothing is left to do. A pass reads the new lines of the log. The lines of the
-- previous pass are read again, because a slow transaction may have added lines between them.
create or replace function step_discount_check() returns boolean language plpgsql as $$
declare
  deals_a_step constant integer := 2000;
  pass discount_check_pass;
  ids bigint[];
  moment timestamptz;
  newest bigint;
begin
  insert into discount_check_pass default values on conflict do nothing;
  select * into pass from discount_check_pass for update;

  if pass.deal_next is not null then
    ids := array(select id from deals where id >= pass.deal_next order by id limit deals_a_step);
    perform check_reductions(ids, '-infinity');
    update discount_check_pass set deal_next = ids[cardinality(ids)] + 1;
    return true;
  end if;

  if pass.line_next <= pass.line_last then
    select array_agg(distinct deal_id), min(at), max(id) into ids, moment, newest from (
      select id, deal_id, at from valid_prices where id between pass.line_next and pass.line_last order by id limit 5000) lines;
    if ids is not null then perform check_reductions(ids, moment); end if;
    update discount_check_pass set line_next = coalesce(newest, line_last) + 1;
    return true;
  end if;

  -- Discounts that have lasted for 90 days.
  select array_agg(deal_id order by began_at, deal_id), max(began_at) into ids, moment from (
    select deal_id, began_at from reduction_checks
     where (began_at, deal_id) > (pass.renewed_at, pass.renewed_deal) and began_at <= now() - interval '90 days'
     order by began_at, deal_id limit deals_a_step) due;
  if ids is not null then
    perform check_reductions(ids, now());
    update discount_check_pass set renewed_at = moment, renewed_deal = ids[cardinality(ids)];
    return true;
  end if;

  if pass.lows_to is not null then
    ids := array(select id from deals where id >= pass.lows_deal order by id limit deals_a_step);
    perform sample_store_lows(ids, array(
      select day::date from generate_series(coalesce(pass.lows_done + 1, pass.lows_to - 330), pass.lows_to, interval '1 day') day
       where extract(day from day) in (5, 15, 25)));
    update discount_check_pass
       set lows_deal = coalesce(ids[cardinality(ids)] + 1, 0),
           lows_done = case when ids = '{}' then lows_to else lows_done end, lows_to = case when ids = '{}' then null else lows_to end;
    return true;
  end if;

  -- Counts in a separate step, because saving a store's reply or excluding a discount waits for these rows.
  ids := array(
    select m.id from merchants m left join store_checks c on c.merchant_id = m.id
     where m.keep_history and (c.merchant_id is null or c.is_outdated or c.counted_at < date_trunc('day', now(), 'utc'))
     order by m.id limit 50);
  perform count_store_checks(ids);
  return ids <> '{}';
end $$;
