-- Re-arms the alerts that fired because of voided lines of the price log, once the price is
-- restored. Handles deals with few alerts at once, and leaves others to check_alerts.
create or replace function arm_voided_alerts(lines bigint[]) returns void language plpgsql as $$
declare
  of_deal constant integer := alerts_at_once();
  left_over integer := 10 * of_deal;
  ids bigint[];
  voided record;
begin
  for voided in select v.deal_id, array_agg(v.line_id) as lines from price_voids v where v.line_id = any(lines) group by 1 order by 1 loop
    ids := array(select a.id from price_alerts a where a.deal_id = voided.deal_id limit of_deal + 1);
    left_over := left_over - cardinality(ids);
    if left_over < 0 or cardinality(ids) > of_deal or exists (select from alert_checks c where c.deal_id = voided.deal_id) then
      insert into alert_checks (deal_id, voided_lines) values (voided.deal_id, voided.lines);
    else
      perform arm_alerts_again(ids, voided.lines);
    end if;
  end loop;
end $$;
