create index mail_outbox_refused on mail_outbox (recipient) where address_refused_at is not null;
update mail_outbox m set address_refused_at = s.since
  from mail_suspensions s where s.mail_id = m.id and s.lifted_at is null;
drop table mail_suspensions;
