-- A feed source can state its prices in whole cents, so that 1999 is 19.99.
alter table feed_sources drop constraint feed_sources_decimal_mark_check,
  add constraint feed_sources_decimal_mark_check check (decimal_mark in ('auto', 'point', 'comma', 'none'));
