-- Tells every process which cached pages show these deals: 'deal:ID'. An announcement that begins with the word `old`
-- says that pages show something of before, but nothing that was taken away or hidden since: while the database is away
-- they may stand in (decision 027). Without the word they are dropped. What lists hold is told by announce_lists.
create or replace function announce_deals(ids bigint[], may_stand_in boolean) returns void language plpgsql as $$
begin
  if ids is null then return; end if;
  perform pg_notify('pages', case when may_stand_in then 'old ' else '' end ||
    case when cardinality(ids) > 200 then 'all'
    else array_to_string(array(select 'deal:' || id from unnest(ids) id), ' ') end);
end $$;
