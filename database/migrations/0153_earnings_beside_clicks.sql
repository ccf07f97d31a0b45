-- Staff see earnings per click beside the clicks of coupons, ads and individual newsletter links.
create index earnings_coupon on earnings (coupon_id, day) where coupon_id is not null;

-- There are no foreign keys, as for the other columns of a sale. The index `earnings_newsletter` finds the links of a
-- newsletter.
alter table earnings
  add newsletter_link integer, -- the position of the clicked link
  add slot_id bigint; -- the clicked ad or announcement
create index earnings_slot on earnings (slot_id, day) where slot_id is not null;
