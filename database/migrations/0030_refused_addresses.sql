-- When the mail server said that there is no such address. What is not about the account is not sent there for a while;
-- the next mail that is taken lifts it.
alter table mail_outbox add column address_refused_at timestamptz;
create index mail_outbox_refused on mail_outbox (recipient) where address_refused_at is not null;
