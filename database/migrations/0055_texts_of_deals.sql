-- The columns that searches read. A new price writes a new row version of `deals` with an entry in each of its
-- indexes, but nothing here.
create table deal_texts (
  deal_id bigint primary key references deals (id) on delete cascade,
  is_active boolean not null,
  is_expired boolean not null,
  traits smallint not null,
  category_id bigint not null,
  merchant_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  title text not null,
  search tsvector not null
);
insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, title, search)
  select id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, title,
         coalesce(search, setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'C'))
    from deals order by id;

create index deal_texts_search on deal_texts using gin (search);
create index deal_texts_trgm on deal_texts using gin (title gin_trgm_ops);
create index deal_texts_live_title on deal_texts (lower(title) text_pattern_ops) where is_active and not is_expired;
-- Filters of searches, combined with the index of words.
create index deal_texts_category on deal_texts (category_id);
create index deal_texts_merchant on deal_texts (merchant_id);
create index deal_texts_traits on deal_texts (traits);
create index deal_texts_expires on deal_texts (expires_at) where expires_at is not null;

-- Finer statistics, because search uses planner estimates of how common a part of a word is.
alter table deal_texts alter title set statistics 400;
alter table deals alter title set statistics -1;
do $$ begin if exists (select from deal_texts) then analyze deal_texts; end if; end $$;

drop index deals_trgm, deals_live_title;
alter table deals drop column search;

create function deals_add_texts() returns trigger language plpgsql as $$ begin return null; end $$;
create function deals_change_texts() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger deals_add_texts after insert on deals
  referencing new table as new_rows for each statement execute function deals_add_texts();
-- Fires per row, with a condition that is checked before the function is called, so that a new price costs almost
-- nothing.
create trigger deals_change_texts after update of title, description on deals
  for each row when (old.title <> new.title or old.description <> new.description)
  execute function deals_change_texts('words');
create trigger deals_change_texts_place after update on deals
  for each row when ((old.is_active, old.is_expired, old.traits, old.category_id, old.merchant_id, old.created_at, old.expires_at)
    is distinct from (new.is_active, new.is_expired, new.traits, new.category_id, new.merchant_id, new.created_at, new.expires_at))
  execute function deals_change_texts('place');
