-- Notifies every process of the cached pages that show these deals: 'deal:ID', and 'product:ID' for
-- pages that show a product's offers. An announcement that begins with the word `old` means that
-- pages are outdated, but show nothing that was removed or hidden. Such pages may be shown as stale
-- while the database is unreachable. Without the word they are dropped. announce_lists announces
-- changed lists.
create or replace function announce_deals(ids bigint[], may_stand_in boolean) returns void language plpgsql as $$
begin
  if ids is null then return; end if;
  perform pg_notify('pages', case when may_stand_in then 'old ' else '' end ||
    case when cardinality(ids) > 200 then 'all'
    else array_to_string(array(
      select 'deal:' || id from unnest(ids) id
      union all
      select distinct 'product:' || product_id from deals where id = any(ids) and product_id is not null), ' ') end);
end $$;
