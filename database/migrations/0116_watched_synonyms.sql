-- Watched searches find deals by synonyms and names, as the search does.
-- A filter by one of several words has a row for each. The others refer to the first.
alter table watched_filters add column same_as uuid references watched_filters on delete cascade;
create index watched_filters_same_as on watched_filters (same_as) where same_as is not null;
alter table watched_searches add column other_keys text[] not null default '{}';
