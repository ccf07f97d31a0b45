-- Whether a session was opened with a passkey, which counts as a second factor that the owner may require of staff.
alter table sessions add column by_passkey boolean not null default false;
