-- Keeps the clicks of 30 days of the deals that were followed just now. What time takes away goes by the job `count-clicks-anew`.
create or replace function clicks_keep_recent() returns trigger language plpgsql as $$
begin
  insert into recent_clicks as kept (deal_id, count)
    select c.deal_id, sum(c.count) from clicks c
     where c.deal_id in (select deal_id from new_rows) and c.day > (now() at time zone 'UTC')::date - 30
     group by c.deal_id order by c.deal_id
  on conflict (deal_id) do update set count = excluded.count where kept.count <> excluded.count;
  return null;
end $$;
