-- Staff see earnings per click beside the clicks of coupons.
create index earnings_coupon on earnings (coupon_id, day) where coupon_id is not null;
