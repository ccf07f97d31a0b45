-- Removes columns that only `deals upgrade --back` read. A restored backup replaces that command.
delete from site_versions where started_at is null;
alter table site_versions drop column left_at, drop column functions, alter column started_at set not null;
alter table mail_outbox drop column address_refused_at;
