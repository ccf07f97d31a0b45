-- Indexes for searching users, subscriptions and the audit log.

create index users_words on users using gin (email gin_trgm_ops, full_name gin_trgm_ops);
create index users_joined on users (created_at desc, id);
create index newsletter_subscriptions_words on newsletter_subscriptions using gin (email gin_trgm_ops);
create index newsletter_subscriptions_newest on newsletter_subscriptions (subscribed_at desc, id);

-- The words of an entry, split at punctuation, so that `deal.update` and `{"title": "Desk lamp"}` are found by each
-- word. The text is truncated, because a tsvector has a maximum size and no action may fail because its change is
-- long.
create function audit_words(action text, entity text, entity_id text, before jsonb, after jsonb) returns tsvector
language sql immutable parallel safe
return to_tsvector('simple', regexp_replace(
  action || ' ' || entity || ' ' || coalesce(entity_id, '') || ' ' ||
  left(coalesce(before::text, ''), 10000) || ' ' || left(coalesce(after::text, ''), 10000),
  '\\[nrt]|[^[:alnum:]]+', ' ', 'g'));

-- Ids grow with time, so they give the order "newest first" and serve as the cursor for paging.
create index audit_log_actor on audit_log (actor, id desc);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_entity on audit_log (entity, entity_id, id desc);
create index audit_log_words on audit_log using gin (audit_words(action, entity, entity_id, before, after));
