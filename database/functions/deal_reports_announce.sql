-- Announces the page of a deal, which shows visitors' reports about it. Reports of a different product are shown only to staff.
create or replace function deal_reports_announce() returns trigger language plpgsql as $$
begin
  perform announce_deals((select array_agg(distinct deal_id) from changed_rows where about <> 'product'), true);
  return null;
end $$;
