-- Invalidates pages whose chart shows imported prices that changed.
create or replace function moved_prices_announce() returns trigger language plpgsql as $$
begin
  perform announce_deals((select array_agg(distinct deal_id) from changed_rows), true);
  return null;
end $$;
