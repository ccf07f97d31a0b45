-- Notifies every process of pages with different coupons: `coupons` means the lists of all stores, and `coupons:merchant:ID` means the
-- lists of one store. `may_stand_in` is true if these pages may be shown as stale, see announce_deals.
create or replace function announce_coupons(merchants bigint[], may_stand_in boolean) returns void language plpgsql as $$
begin
  if merchants is null then return; end if;
  perform pg_notify('pages', case when may_stand_in then 'old ' else '' end ||
    case when cardinality(merchants) > 200 then 'all'
    else 'coupons ' || array_to_string(array(select 'coupons:merchant:' || id from unnest(merchants) id), ' ') end);
end $$;
