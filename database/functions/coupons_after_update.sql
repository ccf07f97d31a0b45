-- Announces the pages that show the coupon. Deletes its reports if its code or store changed.
create or replace function coupons_after_update() returns trigger language plpgsql as $$
begin
  delete from coupon_reports r using new_rows n, old_rows o
   where n.id = o.id and r.coupon_id = n.id and (n.merchant_id, n.code) is distinct from (o.merchant_id, o.code);
  perform announce_coupons((
    select array_agg(distinct merchant) from new_rows n join old_rows o on o.id = n.id,
           unnest(array[o.merchant_id, n.merchant_id]) merchant
     where (n.merchant_id, n.code, n.title, n.terms, n.url, n.starts_at, n.ends_at)
        is distinct from (o.merchant_id, o.code, o.title, o.terms, o.url, o.starts_at, o.ends_at)), false);
  return null;
end $$;
