-- Owners can add search synonyms, and see which searches find nothing.
create table search_synonyms (
  id bigint generated always as identity primary key,
  -- `tv, television`, or `phone > smartphone`, in the format of the built-in list.
  words text not null unique,
  created_at timestamptz not null default now()
);

-- Searches that found no deal, without data about who searched.
create table missed_searches (
  words text primary key,
  visitors integer not null default 0,
  missed_at timestamptz not null default now()
);
create index missed_searches_recent on missed_searches (missed_at);

-- Identifies visitors by a salted hash that differs for each search.
create table missed_search_visitors (
  words text not null references missed_searches on delete cascade,
  mark text not null,
  missed_at timestamptz not null default now(),
  primary key (words, mark)
);
create index missed_search_visitors_recent on missed_search_visitors (missed_at);
