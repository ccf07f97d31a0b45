delete from push_outbox where kind <> 'price-alert';
alter table push_outbox
  drop constraint push_outbox_one_cause,
  drop column kind,
  drop column search_id,
  drop column search_mail,
  alter column event_id set not null;
