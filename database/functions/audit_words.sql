-- The words of an entry. Marks part them, so that `deal.update` and `{"title": "Desk lamp"}` are found by each of their
-- words. Cut, because a tsvector has a greatest size and an act must never fail for the length of what it changed.
-- An index holds what this answers: a change here needs a migration that makes audit_log_words anew.
create or replace function audit_words(action text, entity text, entity_id text, before jsonb, after jsonb, names jsonb)
returns tsvector language sql immutable parallel safe
return to_tsvector('simple', regexp_replace(
  action || ' ' || entity || ' ' || coalesce(entity_id, '') || ' ' ||
  left(coalesce(before::text, ''), 10000) || ' ' || left(coalesce(after::text, ''), 10000) || ' ' || coalesce(names::text, ''),
  '\\[nrt]|[^[:alnum:]]+', ' ', 'g'));
