-- Watched searches use synonyms and names, as the search does. A filter for one of several words has a row per word.
-- The other rows refer to the first.
alter table watched_filters add column same_as uuid references watched_filters on delete cascade;
create index watched_filters_same_as on watched_filters (same_as) where same_as is not null;
alter table watched_searches add column other_keys text[] not null default '{}';
