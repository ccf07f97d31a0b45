-- Users can have named lists of favorites, each with its own secret link. The link is stored as a hash, to find its
-- page, and encrypted, so that its owner can see it again.
create table favorite_lists (
  id bigint generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  link_hash text unique,
  sealed_link bytea,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  unique (id, user_id),
  check ((link_hash is null) = (sealed_link is null))
);
create unique index favorite_lists_name on favorite_lists (user_id, lower(name)) where deleted_at is null;
create index favorite_lists_user on favorite_lists (user_id);
create index favorite_lists_deleted on favorite_lists (deleted_at);

-- Foreign keys ensure that a list contains only its owner's favorites.
create table favorite_list_items (
  list_id bigint not null,
  user_id text not null,
  deal_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (list_id, deal_id),
  foreign key (list_id, user_id) references favorite_lists (id, user_id) on delete cascade,
  foreign key (user_id, deal_id) references user_favorites (user_id, deal_id) on delete cascade
);
create index favorite_list_items_list on favorite_list_items (list_id, user_id);
create index favorite_list_items_deal on favorite_list_items (deal_id, user_id);

-- Favorites removed within the last hour, with their rows in lists.
create table removed_favorites (
  user_id text not null references users (id) on delete cascade,
  deal_id bigint not null references deals (id) on delete cascade,
  favorite jsonb not null,
  items jsonb not null,
  removed_at timestamptz not null default now(),
  primary key (user_id, deal_id)
);
create index removed_favorites_deal on removed_favorites (deal_id);
create index removed_favorites_removed on removed_favorites (removed_at);
