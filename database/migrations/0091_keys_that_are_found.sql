-- Adds indexes to find the rows that refer to a deleted deal, user, store or category.
drop index price_alerts_told;
create index price_alerts_deal on price_alerts (deal_id, last_mailed_price);
create index deal_reports_deal on deal_reports (deal_id);
create index import_endings_deal on import_endings (deal_id);
create index import_runs_merchant on import_runs (merchant_id) where merchant_id is not null;
create index feed_sources_fallback_category on feed_sources (fallback_category_id) where fallback_category_id is not null;
create index mail_outbox_user on mail_outbox (user_id) where user_id is not null;
create index contact_messages_assignee on contact_messages (assigned_to) where assigned_to is not null;
create index contact_messages_closed on contact_messages (closed_by) where closed_by is not null;
create index contact_messages_read on contact_messages (read_by) where read_by is not null;
create index api_keys_created on api_keys (created_by) where created_by is not null;
create index webhook_endpoints_created on webhook_endpoints (created_by) where created_by is not null;
