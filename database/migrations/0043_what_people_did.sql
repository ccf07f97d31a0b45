-- An audit log entry stores the name of its subject, which may be renamed or deleted before the entry is read. The
-- database adds the name for every writer. Names of people are never stored, because the log cannot be changed.
alter table audit_log add column names jsonb; -- {kind: {id: name}}
create function audit_log_add_names() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger audit_log_add_names before insert on audit_log for each row execute function audit_log_add_names();

drop index audit_log_words;
drop function audit_words(text, text, text, jsonb, jsonb);
create function audit_words(action text, entity text, entity_id text, before jsonb, after jsonb, names jsonb) returns tsvector
language sql immutable parallel safe
return to_tsvector('simple', regexp_replace(
  action || ' ' || entity || ' ' || coalesce(entity_id, '') || ' ' ||
  left(coalesce(before::text, ''), 10000) || ' ' || left(coalesce(after::text, ''), 10000) || ' ' || coalesce(names::text, ''),
  '\\[nrt]|[^[:alnum:]]+', ' ', 'g'));
create index audit_log_words on audit_log using gin (audit_words(action, entity, entity_id, before, after, names));
-- An action on several subjects lists them all, and appears in the history of each.
create index audit_log_of_many on audit_log using gin ((after -> 'ids')) where entity_id is null;

-- Bulk changes of prices and expiry dates. The previous values are in the audit log, one entry per slice of deals in
-- order of id, and are restored from there.
alter table bulk_changes drop constraint bulk_changes_verb_check, add constraint bulk_changes_verb_check check (verb in
  ('activate', 'deactivate', 'feature', 'unfeature', 'delete', 'restore', 'category', 'price', 'end', 'put-back'));
alter table bulk_changes add column edit jsonb; -- if the verb is 'price' or 'end'
create index audit_log_batch on audit_log ((after ->> 'batch'), ((after -> 'ids' ->> 0)::bigint)) where after ->> 'batch' is not null;
