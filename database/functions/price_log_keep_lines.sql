-- Lines of the price log leave only with their deal (P7): nobody takes one out of a deal that stays.
create or replace function price_log_keep_lines() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('deal_hub.restoring_deal', true), '') <> 'on'
     and exists (select from old_rows o join deals d on d.id = o.deal_id) then
    raise exception 'price_log is append-only';
  end if;
  return null;
end $$;
