-- Categories can be sorted by price per unit.
create index deals_category_unit_rank on deals (category_id, unit_rank(net_contents, sale_price), id)
  where is_active and not is_expired and net_contents is not null;
