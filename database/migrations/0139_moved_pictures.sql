-- Pictures in imported posts and pages are downloaded into the media library, and their old addresses redirect there.

-- A picture from an old site. One row covers all WordPress sizes of a picture.
create table post_move_pictures (
  id bigint generated always as identity primary key,
  move_id bigint not null references post_moves on delete cascade,
  address text not null, -- the https URL of the original
  sources text[] not null, -- URLs to try, in this order; texts contain one of them
  old_path text, -- null: the picture was on another host
  is_http boolean not null default false, -- whether the old site showed it by http
  alt text not null default '',
  items bigint[] not null, -- the items that show the picture
  state text not null default 'waiting' check (state in ('waiting', 'fetched', 'failed')),
  due_at timestamptz, -- the time of the next attempt; null: not until the import has finished
  attempts smallint not null default 0,
  reason text, -- why the last attempt failed
  picture_id bigint, -- the id in the media library
  is_new boolean not null default false, -- whether this import added the picture to the library
  unique (address, move_id)
);
create index post_move_pictures_move on post_move_pictures (move_id, id);
create index post_move_pictures_due on post_move_pictures (due_at) where due_at is not null;
create index post_move_pictures_path on post_move_pictures (old_path) where picture_id is not null;

-- The last version that the import wrote. Staff changed any higher version, so an undo keeps it.
alter table post_move_items add column written_version integer not null default 1;
