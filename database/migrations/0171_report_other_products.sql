-- Visitors can report that an offer is a different product. Product pages link to their variants.
alter table deal_reports drop constraint deal_reports_about_check;
alter table deal_reports add constraint deal_reports_about_check check (about in ('over', 'code', 'product'));
create index deal_reports_product on deal_reports (deal_id) where about = 'product';

create function products_announce_variants() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger products_after_update after update on products
  referencing old table as old_rows new table as new_rows for each statement execute function products_announce_variants();
