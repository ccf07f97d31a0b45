-- The contact inbox: records who read each message and when, and adds indexes for its lists.
alter table contact_messages
  add column read_at timestamptz,
  add column read_by text references users (id) on delete set null,
  add constraint contact_messages_read check (is_read = (read_at is not null));

create index contact_messages_unread on contact_messages (id desc) where not is_read;
create index contact_messages_words on contact_messages
  using gin (name gin_trgm_ops, email gin_trgm_ops, subject gin_trgm_ops, message gin_trgm_ops);
create index contact_messages_sender on contact_messages (lower(email));
