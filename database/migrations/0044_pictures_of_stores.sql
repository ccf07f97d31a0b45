-- Copies of stores' pictures. A file without a row here is removed from the folder.
create table pictures (
  id bigint generated always as identity primary key,
  source text not null,
  source_key uuid not null unique, -- md5 of the source URL, which may be too long for an index
  merchant_id bigint not null references merchants on delete cascade, -- the merchant whose deal first showed the picture
  name text, -- the name of its files without the format; null if there are none
  bytes bigint not null default 0, -- the total of all its files
  is_refused boolean not null default false, -- the source is not a picture that may be shown
  shown_on date not null default (now() at time zone 'utc')::date, -- the last day on which a page showed the picture
  looked_at timestamptz, -- when the source was last checked
  due_at timestamptz default now(), -- when to fetch it next; null: never
  attempts integer not null default 0,
  last_error text
);
create index pictures_due on pictures (due_at, id) where due_at is not null;
create index pictures_by_day on pictures (shown_on, id) where name is not null;
create index pictures_by_merchant on pictures (merchant_id);

insert into site_counters (name, value) values ('picture_bytes', 0);
create function pictures_count_bytes() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger pictures_after_update after update on pictures referencing old table as old_rows new table as new_rows
  for each statement execute function pictures_count_bytes();
create trigger pictures_after_delete after delete on pictures referencing old table as old_rows
  for each statement execute function pictures_count_bytes();

-- Whether the store's affiliate program allows copies.
alter table merchants add column keeps_pictures boolean not null default true;
