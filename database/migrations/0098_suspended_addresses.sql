-- Addresses that bounced or complained get no newsletters or alerts until the suspension is lifted. The row is kept
-- for a while afterwards, so that a repeated report changes nothing.
create table mail_suspensions (
  id bigint generated always as identity primary key,
  recipient text not null unique, -- in lower case
  reason text not null check (reason in ('bounce', 'complaint')),
  source text not null,
  diagnostic text not null check (length(diagnostic) <= 500),
  mail_id bigint references mail_outbox on delete set null,
  since timestamptz not null,
  lifted_at timestamptz,
  lifted_by text references users on delete set null, -- null if the recipient confirmed the address
  check (lifted_by is null or lifted_at is not null)
);
create index mail_suspensions_mail on mail_suspensions (mail_id);
create index mail_suspensions_lifted_by on mail_suspensions (lifted_by) where lifted_by is not null;

-- Until now, a rejection applied for 30 days. Its column is kept, because a database may be downgraded to the
-- previous version.
insert into mail_suspensions (recipient, reason, source, diagnostic, mail_id, since)
  select distinct on (lower(recipient)) lower(recipient), 'bounce', 'smtp', left(coalesce(last_error, ''), 500), id, address_refused_at
    from mail_outbox where address_refused_at > now() - interval '30 days'
   order by lower(recipient), address_refused_at desc;
drop index mail_outbox_refused;
