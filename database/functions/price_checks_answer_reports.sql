-- Clears expiry reports when a feed lists the deal at the same price, which proves that it has not
-- expired. An out-of-stock listing proves nothing.
create or replace function price_checks_answer_reports() returns trigger language plpgsql as $$
begin
  if not exists (select from deal_reports where about = 'over') then return null; end if;
  delete from deal_reports r using new_rows n, deals d
   where r.deal_id = n.deal_id and r.about = 'over' and r.reported_at < n.checked_at
     and d.id = n.deal_id and d.availability <> 'out_of_stock';
  return null;
end $$;
