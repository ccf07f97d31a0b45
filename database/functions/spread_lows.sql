-- Notifies up to `most` watches of lows that fell. Returns the number of processed lows, or 0 if
-- none is open or other processes hold them. Progress is committed together with the watches.
create or replace function spread_lows(most integer) returns integer language plpgsql set enable_seqscan = off as $$
declare
  one product_lows;
  part bigint[];
  left_over integer := most;
  touched integer := 0;
begin
  for one in select * from product_lows where done_to is not null order by id limit most for update skip locked loop
    exit when left_over <= 0;
    touched := touched + 1;
    -- A newer low replaces this one.
    part := case when exists (
        select from product_lows l
         where l.product_id = one.product_id and l.offer_class = one.offer_class and l.with_shipping = one.with_shipping and l.id > one.id)
      then '{}'
      else array(
        select s.id
          from merged_products(one.product_id) m (id)
         cross join lateral (
           select w.id from watched_searches w
            where w.product_id = m.id and w.offer_class = one.offer_class and w.with_shipping = one.with_shipping and w.id > one.done_to
            order by w.id limit left_over) s
         order by s.id limit left_over) end;
    perform tell_of_low(one.id, part);
    update product_lows set done_to = case when cardinality(part) = left_over then part[left_over] end where id = one.id;
    left_over := left_over - greatest(1, cardinality(part));
  end loop;
  return touched;
end $$;
