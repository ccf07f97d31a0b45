-- Pages show new coupons, and no deleted ones.
create or replace function coupons_announce() returns trigger language plpgsql as $$
begin
  perform announce_coupons((select array_agg(distinct merchant_id) from changed_rows), tg_op = 'INSERT');
  return null;
end $$;
