-- Inbox messages can be answered, assigned and closed.
alter table contact_messages
  add column assigned_to text references users (id) on delete set null,
  add column closed_at timestamptz,
  add column closed_by text references users (id) on delete set null;
create index contact_messages_open on contact_messages (id desc) where closed_at is null;
create index contact_messages_assigned on contact_messages (assigned_to, id desc) where closed_at is null;

create table contact_answers (
  id bigint generated always as identity primary key,
  message_id bigint not null references contact_messages on delete cascade,
  op text not null, -- the key of the form, so that a form sent twice adds one reply
  author text references users (id) on delete set null,
  body text not null,
  created_at timestamptz not null default now(),
  unique (message_id, op)
);
create index contact_answers_author on contact_answers (author);
