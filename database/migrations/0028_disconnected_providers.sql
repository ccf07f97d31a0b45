-- Those of Google, GitHub and the own provider that a user disconnected: an address they share must not connect them again
-- by itself.
alter table users add column disconnected_providers text[] not null default '{}';
