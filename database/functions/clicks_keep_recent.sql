-- Adds new clicks to the deals' counts of the last 30 days. The job `count-clicks-anew` subtracts older clicks.
create or replace function clicks_keep_recent() returns trigger language plpgsql as $$
begin
  insert into recent_clicks as kept (deal_id, count)
    select c.deal_id, sum(c.count) from clicks c
     where c.deal_id in (select deal_id from new_rows) and c.day > (now() at time zone 'UTC')::date - 30
     group by c.deal_id order by c.deal_id
  on conflict (deal_id) do update set count = excluded.count where kept.count <> excluded.count;
  return null;
end $$;
