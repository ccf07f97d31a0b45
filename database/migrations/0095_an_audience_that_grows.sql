-- With two million weekly emails, no page or account deletion may read the whole outbox. This index finds emails by
-- address or its beginning.
create index mail_outbox_recipient on mail_outbox (lower(recipient) text_pattern_ops);
-- Emails in rare states, to count and list them.
create index mail_outbox_set_aside on mail_outbox (state, id) where state in ('failed', 'kept', 'cancelled');
-- The time of the last email sent, and the number of alert emails per day.
create index mail_outbox_sent on mail_outbox (sent_at) where state = 'sent';
create index mail_outbox_alerts on mail_outbox (sent_at) where state = 'sent' and kind in ('price-alert', 'price-alert-digest');

-- The user list in each sort order. The name is indexed twice, because an index-only scan cannot return an
-- expression.
create index users_name on users (lower(full_name), id) include (full_name);
create index users_role on users (role, id);
-- Account deletion finds verifications by user id.
create index verifications_value on verifications (value);

-- Reminders read a deal's favorites in order of id.
drop index user_favorites_deal;
create index user_favorites_deal on user_favorites (deal_id, id);

-- The last queued subscription of a digest. null: all emails are queued.
alter table newsletter_issues add column queued_up_to bigint;
