-- Whether the session was opened with a passkey, which satisfies the two-factor requirement that the owner may set
-- for staff.
alter table sessions add column by_passkey boolean not null default false;
