-- Pictures of moved posts and pages are fetched into the media library, and their old addresses redirect there.

-- A picture of an old site. All WordPress sizes of a picture are one row.
create table post_move_pictures (
  id bigint generated always as identity primary key,
  move_id bigint not null references post_moves on delete cascade,
  address text not null, -- of the original by https
  sources text[] not null, -- addresses to try in this order; texts show one of them
  old_path text, -- null: the picture was on another host
  is_http boolean not null default false, -- the old site showed it by http
  alt text not null default '',
  items bigint[] not null, -- the items that show it
  state text not null default 'waiting' check (state in ('waiting', 'fetched', 'failed')),
  due_at timestamptz, -- of the next attempt; null: not before the move has finished
  attempts smallint not null default 0,
  reason text, -- why the last attempt failed
  picture_id bigint, -- in the media library
  is_new boolean not null default false, -- the library got it by this move
  unique (address, move_id)
);
create index post_move_pictures_move on post_move_pictures (move_id, id);
create index post_move_pictures_due on post_move_pictures (due_at) where due_at is not null;
create index post_move_pictures_path on post_move_pictures (old_path) where picture_id is not null;

-- The version that the move wrote last. A higher version was changed by staff, so that an undo keeps it.
alter table post_move_items add column written_version integer not null default 1;
