-- Deals can have net contents such as "700 g", and pages show their price per unit.
alter table deals add column net_contents text
  check (net_contents ~ '^(0\.[0-9]{1,3}|[1-9][0-9]{0,8}(\.[0-9]{1,3})?) [a-z]{1,4}( per [1-9][0-9]{0,3} [a-z]{1,4})?$'
    and net_contents !~ '^0\.0+ ');

create function unit_rank(net_contents text, sale_price integer) returns double precision
language sql immutable parallel safe
return case when net_contents is not null then case split_part(net_contents, ' ', 2)
    when 'mg' then 1e9 when 'g' then 1e9 when 'kg' then 1e9 when 'oz' then 1e9 when 'lb' then 1e9
    when 'ml' then 2e9 when 'cl' then 2e9 when 'l' then 2e9 when 'cbm' then 2e9
    when 'floz' then 2e9 when 'pt' then 2e9 when 'qt' then 2e9 when 'gal' then 2e9
    when 'cm' then 3e9 when 'm' then 3e9 when 'in' then 3e9 when 'ft' then 3e9 when 'yd' then 3e9
    when 'sqm' then 4e9 when 'sqft' then 4e9
    else 5e9::double precision end
  + least(9e8, sale_price / (split_part(net_contents, ' ', 1)::double precision * case split_part(net_contents, ' ', 2)
    when 'mg' then 0.001 when 'kg' then 1000 when 'oz' then 28.349523125 when 'lb' then 453.59237
    when 'cl' then 10 when 'l' then 1000 when 'cbm' then 1000000 when 'floz' then 29.5735295625
    when 'pt' then 473.176473 when 'qt' then 946.352946 when 'gal' then 3785.411784
    when 'm' then 100 when 'in' then 2.54 when 'ft' then 30.48 when 'yd' then 91.44
    when 'sqft' then 0.09290304 else 1::double precision end)) end;

create index deals_unit_rank on deals (unit_rank(net_contents, sale_price), id)
  where is_active and not is_expired and net_contents is not null;
