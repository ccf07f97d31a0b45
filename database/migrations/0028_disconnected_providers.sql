-- Providers that a user disconnected. A shared email address must not connect them again automatically.
alter table users add column disconnected_providers text[] not null default '{}';
