-- Invalidates the pages of stores whose statistics were recounted.
create or replace function store_checks_announce() returns trigger language plpgsql as $$
declare tags text := (select string_agg('deals:merchant:' || merchant_id, ' ' order by merchant_id) from new_rows where not is_outdated);
begin
  if tags is not null then
    perform pg_notify('pages', 'old ' || case when octet_length(tags) > 7900 then 'all' else tags end);
  end if;
  return null;
end $$;
