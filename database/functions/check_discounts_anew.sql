-- Makes the next passes of the discount check read the whole log again.
create or replace function check_discounts_anew() returns void language sql as $$
  delete from discount_check_pass;
  update store_days set deals = 0, at_low = 0 where deals > 0;
$$;
