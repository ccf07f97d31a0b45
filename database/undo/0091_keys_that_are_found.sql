drop index price_alerts_deal, deal_reports_deal, import_endings_deal, import_runs_merchant, feed_sources_fallback_category,
  mail_outbox_user, contact_messages_assignee, contact_messages_closed, contact_messages_read, api_keys_created, webhook_endpoints_created;
create index price_alerts_told on price_alerts (deal_id) where last_mailed_price is not null;
