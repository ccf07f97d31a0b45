-- Returns the delay of alert emails if staff typed the price in this transaction, so that they can
-- still undo it.
create or replace function staff_wait() returns interval language sql stable as $$
  select case when current_setting('app.staff_price', true) = 'on'
    then make_interval(mins => coalesce((select (value #>> '{}')::integer from site_settings where name = 'alertUndoMinutes'), 5))
    else interval '0' end
$$;
