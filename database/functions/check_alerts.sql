-- Evaluates up to `most` alerts of deals with pending changes. Returns the number of processed
-- changes, or 0 if there are none or other processes are handling them. The progress is committed
-- together with the fired alerts.
create or replace function check_alerts(most integer) returns integer language plpgsql set enable_seqscan = off as $$
declare
  one alert_checks;
  part bigint[];
  left_over integer := most;
  touched integer := 0;
  done bigint[] := '{}';
  checks bigint[] := '{}';
  ids bigint[] := '{}';
begin
  for one in
    select * from alert_checks c
     where c.id = (select min(e.id) from alert_checks e where e.deal_id = c.deal_id) -- changes in order
     order by c.id limit most for update skip locked
  loop
    exit when left_over <= 0;
    part := array(select a.id from price_alerts a where a.deal_id = one.deal_id and a.id > one.done_to order by a.id limit left_over);
    if cardinality(part) < left_over then done := done || one.id;
    else update alert_checks set done_to = part[left_over] where id = one.id;
    end if;
    if one.voided_lines is not null then perform arm_alerts_again(part, one.voided_lines, one.id);
    else
      checks := checks || array_fill(one.id, array[cardinality(part)]);
      ids := ids || part;
    end if;
    left_over := left_over - greatest(1, cardinality(part));
    touched := touched + 1;
  end loop;
  -- Processes all alerts of one owner for a deal in one batch, since they share one email.
  select array_agg(check_id), array_agg(id) into checks, ids
    from (
      select check_id, id from unnest(checks, ids) k (check_id, id)
      union
      select k.check_id, other.id
        from unnest(checks, ids) k (check_id, id)
        join alert_checks c on c.id = k.check_id and c.is_judged
        join price_alerts a on a.id = k.id
       cross join lateral (
         select o.id from price_alerts o where o.user_id = a.user_id and o.deal_id = a.deal_id and o.id > a.id
         union all
         select o.id from price_alerts o where o.watcher_id = a.watcher_id and o.deal_id = a.deal_id and o.id > a.id) other
    ) wanted;
  perform judge_alerts(checks, ids);
  delete from alert_checks where id = any(done);
  return touched;
end $$;
