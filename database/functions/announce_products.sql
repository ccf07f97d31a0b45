-- Announces the pages that show offers of these products. Used for offers that left a product, since announce_deals covers changed offers.
create or replace function announce_products(ids bigint[]) returns void language plpgsql as $$
begin
  if ids is null then return; end if;
  perform pg_notify('pages', case when cardinality(ids) > 200 then 'all'
    else array_to_string(array(select 'product:' || id from unnest(ids) id), ' ') end);
end $$;
