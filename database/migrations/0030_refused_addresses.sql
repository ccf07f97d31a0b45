-- The time when the mail server rejected the address as unknown. Only account emails are sent there for a while, and
-- the next accepted email clears it.
alter table mail_outbox add column address_refused_at timestamptz;
create index mail_outbox_refused on mail_outbox (recipient) where address_refused_at is not null;
