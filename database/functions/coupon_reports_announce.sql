-- Announces the pages that show visitors' reports about a coupon.
create or replace function coupon_reports_announce() returns trigger language plpgsql as $$
begin
  perform announce_coupons((
    select array_agg(distinct c.merchant_id) from coupons c where c.id in (select coupon_id from changed_rows)), true);
  return null;
end $$;
