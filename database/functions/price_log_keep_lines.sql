-- Protects lines of the price log. Lines are deleted only with their deal, or when restoring a deal rewrites all of them.
create or replace function price_log_keep_lines() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('deal_hub.restoring_deal', true), '') = 'on' then
    delete from price_proofs where deal_id in (select deal_id from old_rows);
  elsif exists (select from old_rows o join deals d on d.id = o.deal_id) then
    raise exception 'price_log is append-only';
  end if;
  return null;
end $$;
