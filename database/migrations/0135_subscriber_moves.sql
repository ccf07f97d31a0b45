-- Owners can import subscribers from another newsletter service, with the date and source of their consent.

-- An uploaded list.
create table subscriber_moves (
  id bigint generated always as identity primary key,
  file_name text not null,
  state text not null default 'reading' check (state in ('reading', 'ready', 'running', 'done', 'undoing', 'undone')),
  source text not null default '' check (length(source) <= 300), -- where these people signed up
  states_consent boolean not null default false, -- whether the owner attests consent for rows without a date
  blank_state text check (blank_state in ('subscribed', 'unsubscribed', 'bounced')), -- the state of rows without a status
  done_line integer not null default 0, -- the last imported line
  counts jsonb not null default '{}', -- the number of rows by outcome
  created_by text not null, -- a user id, or 'cli'
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  undone_by text
);
create index subscriber_moves_due on subscriber_moves (id) where state in ('running', 'undoing');
create index subscriber_moves_at on subscriber_moves (created_at);

-- A row of a list. If an address has several rows, only the one with the strictest state is imported.
create table subscriber_move_rows (
  move_id bigint not null references subscriber_moves on delete cascade,
  line integer not null,
  email text not null check (length(email) <= 300),
  state text not null check (state in ('subscribed', 'unknown', 'unconfirmed', 'bounced', 'unsubscribed')),
  consent_at timestamptz,
  left_at timestamptz, -- when the person unsubscribed or bounced at the previous service
  problem text check (problem in ('invalid', 'bad-status', 'duplicate')),
  outcome text, -- null until the row is imported
  created_at timestamptz not null default now(),
  primary key (move_id, line)
);
create unique index subscriber_move_rows_email on subscriber_move_rows (move_id, email) where problem is null;
create index subscriber_move_rows_at on subscriber_move_rows (created_at);
create index subscriber_move_rows_person on subscriber_move_rows (lower(email));

alter table newsletter_subscriptions
  add column consent_source text, -- null: subscribed on this site
  add column move_id bigint references subscriber_moves on delete set null;
create index newsletter_subscriptions_move on newsletter_subscriptions (move_id, id) where move_id is not null;
