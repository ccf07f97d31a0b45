-- Whether a session was opened with a passkey, which is a second factor of its own: what the owner may demand of staff (R50).
alter table sessions add column by_passkey boolean not null default false;
