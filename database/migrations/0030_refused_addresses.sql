-- The time when the mail server rejected the address as unknown. Only account emails are sent to it for a while. The
-- next accepted email clears this.
alter table mail_outbox add column address_refused_at timestamptz;
create index mail_outbox_refused on mail_outbox (recipient) where address_refused_at is not null;
