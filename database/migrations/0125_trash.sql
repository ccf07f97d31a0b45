-- Deleted items stay in the trash for 30 days, where staff can restore them.

-- The name of a deleted deal, for the list.
alter table deleted_deals add column name text not null default '';
update deleted_deals set name = coalesce(snapshot #>> '{deals,0,title}', '');

-- Rows of a deleted deal that were too many for its snapshot, in order.
create table deleted_deal_rows (
  deleted_id bigint not null references deleted_deals on delete cascade,
  part text not null,
  place integer not null,
  kept jsonb not null,
  primary key (deleted_id, part, place)
);

drop function delete_deals(bigint[], uuid, text);
drop function restore_deal(jsonb, text);

-- Other deleted rows.
create table deleted_rows (
  id bigint generated always as identity primary key,
  entity text not null, -- the same as in the audit log
  row_id bigint not null,
  name text not null,
  deleted_by text not null, -- a user id, or 'cli', 'system'
  deleted_at timestamptz not null default now()
);
create index deleted_rows_at on deleted_rows (deleted_at);
create index deleted_rows_row on deleted_rows (row_id, entity);

-- The deleted row, then the rows deleted with it, parents before children.
create table deleted_row_parts (
  deleted_id bigint not null references deleted_rows on delete cascade,
  place integer not null,
  from_table text not null,
  kept jsonb not null,
  primary key (deleted_id, place)
);

-- The trash list. Even ids are of deleted deals, odd ids of other rows.
create view trash_entries as
  select id * 2 as id, 'deal' as entity, deal_id as row_id, name, deleted_by, deleted_at, batch from deleted_deals
  union all
  select id * 2 + 1, entity, row_id, name, deleted_by, deleted_at, null from deleted_rows;
