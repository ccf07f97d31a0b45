-- Sites can countersign each other's sealed days. Nothing is fetched until you name a site under Developers, Witnesses.

-- Statements, signed with both keys, that later days are signed with the new key.
create table evidence_key_changes (
  old_key bytea primary key,
  new_key bytea not null unique,
  text text not null,
  old_signature bytea not null,
  new_signature bytea not null
);
create trigger evidence_key_changes_append_only before update or delete on evidence_key_changes for each row execute function refuse_update();
create trigger evidence_key_changes_announce after insert on evidence_key_changes for each statement execute function announce_pages('evidence');

-- Other sites: our witnesses, and sites that we witness. `public_key` is a witness's key, pinned at the first fetch.
create table evidence_sites (
  id bigint generated always as identity primary key,
  role text not null check (role in ('witness', 'witnessed')),
  address text not null,
  is_active boolean not null default true,
  public_key bytea,
  fetched_at timestamptz,
  problem text,
  created_at timestamptz not null default now(),
  unique (role, address)
);
create trigger evidence_sites_announce after insert or update or delete on evidence_sites for each statement execute function announce_pages('evidence');

-- The days of the sites that we witness, with our countersignatures.
create table witnessed_days (
  site_id bigint not null references evidence_sites on delete cascade,
  day date not null,
  text text not null,
  signature bytea not null,
  cosigned_at timestamptz not null,
  public_key bytea not null,
  cosignature bytea not null,
  primary key (site_id, day)
);

-- Days that a site rewrote. Its days are not countersigned again until staff accept the change. `found_text` is null
-- if the day is gone, and `kept_text` is null if only the key changed.
create table witness_conflicts (
  id bigint generated always as identity primary key,
  site_id bigint not null references evidence_sites on delete cascade,
  day date not null,
  kept_text text,
  kept_signature bytea,
  found_text text,
  found_signature bytea,
  found_at timestamptz not null,
  settled_at timestamptz
);
create unique index witness_conflicts_open on witness_conflicts (site_id) where settled_at is null;
create index witness_conflicts_site on witness_conflicts (site_id, id);

-- The countersignatures of our own days.
create table cosignatures (
  day date not null,
  site_id bigint not null references evidence_sites on delete cascade,
  cosigned_at timestamptz not null,
  public_key bytea not null,
  signature bytea not null,
  primary key (day, site_id)
);
create index cosignatures_site on cosignatures (site_id, day);
create trigger cosignatures_announce after insert or delete on cosignatures for each statement execute function announce_pages('evidence');
