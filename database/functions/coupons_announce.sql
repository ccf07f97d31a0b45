-- Announces the pages on which coupons appeared or disappeared.
create or replace function coupons_announce() returns trigger language plpgsql as $$
begin
  perform announce_coupons((select array_agg(distinct merchant_id) from changed_rows), tg_op = 'INSERT');
  return null;
end $$;
