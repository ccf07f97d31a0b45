-- Announces the page of a deal, which shows what visitors report about it.
create or replace function deal_reports_announce() returns trigger language plpgsql as $$
begin
  perform announce_deals((select array_agg(distinct deal_id) from changed_rows), true);
  return null;
end $$;
