-- Clears reports: a feed that lists a deal with the same price shows that it has not expired, and
-- one without stock does not.
create or replace function price_checks_answer_reports() returns trigger language plpgsql as $$
begin
  if not exists (select from deal_reports where about = 'over') then return null; end if;
  delete from deal_reports r using new_rows n, deals d
   where r.deal_id = n.deal_id and r.about = 'over' and r.reported_at < n.checked_at
     and d.id = n.deal_id and d.availability <> 'out_of_stock';
  return null;
end $$;
