-- Returns the searchable words of an entry. Punctuation separates them, so that `deal.update` and
-- `{"title": "Desk lamp"}` are found by each of their words. The text is truncated, because a
-- tsvector has a maximum size and a large change must not make an action fail. An index stores the
-- result, so a change here needs a migration that rebuilds audit_log_words.
create or replace function audit_words(action text, entity text, entity_id text, before jsonb, after jsonb, names jsonb)
returns tsvector language sql immutable parallel safe
return to_tsvector('simple', regexp_replace(
  action || ' ' || entity || ' ' || coalesce(entity_id, '') || ' ' ||
  left(coalesce(before::text, ''), 10000) || ' ' || left(coalesce(after::text, ''), 10000) || ' ' || coalesce(names::text, ''),
  '\\[nrt]|[^[:alnum:]]+', ' ', 'g'));
