-- Staff see earnings per click beside the clicks of coupons, ads and single links of newsletters.
create index earnings_coupon on earnings (coupon_id, day) where coupon_id is not null;

-- There are no foreign keys, like for the other scopes of a sale. `earnings_newsletter` finds the links of a
-- newsletter.
alter table earnings
  add newsletter_link integer, -- the position of the link that was followed
  add slot_id bigint; -- the ad or announcement that was followed
create index earnings_slot on earnings (slot_id, day) where slot_id is not null;
