-- Deletes reports on a deal that expired, was renewed or has a new link. Reports of expiry are deleted when the price is confirmed
-- afterwards, and reports on a code when the code changes. Reports of a different product are deleted only when the deal's product
-- changes. Uses a full join, as in deals_after_update.
create or replace function deals_answer_reports() returns trigger language plpgsql as $$
begin
  if not exists (select from deal_reports) then return null; end if;
  delete from deal_reports where id in (
    select r.id
      from (select n.id, n.coupon_code,
                   (n.is_expired, n.expires_at, n.deal_url) is distinct from (o.is_expired, o.expires_at, o.deal_url) as is_another,
                   n.product_id is distinct from o.product_id as is_moved,
                   case when n.price_checked_at > o.price_checked_at and n.availability <> 'out_of_stock'
                     then n.price_checked_at end as confirmed_at
              from new_rows n full join old_rows o on o.id = n.id
            offset 0) d
      join deal_reports r on r.deal_id = d.id
     where (d.is_another and r.about <> 'product') or (d.is_moved and r.about = 'product') or (r.about = 'over' and r.reported_at < d.confirmed_at)
        or (r.about = 'code' and r.coupon_code is distinct from d.coupon_code));
  return null;
end $$;
