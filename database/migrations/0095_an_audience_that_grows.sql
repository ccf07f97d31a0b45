-- Two million people who get a mail a week: nothing that a page or an erasure asks may read the whole outbox.
-- By address, also by its beginning.
create index mail_outbox_recipient on mail_outbox (lower(recipient) text_pattern_ops);
-- Rare states: their counts and lists.
create index mail_outbox_set_aside on mail_outbox (state, id) where state in ('failed', 'kept', 'cancelled');
-- When the last mail left, and how many mails of alerts did on each day.
create index mail_outbox_sent on mail_outbox (sent_at) where state = 'sent';
create index mail_outbox_alerts on mail_outbox (sent_at) where state = 'sent' and kind in ('price-alert', 'price-alert-digest');

-- The list of users in each of its orders; a name stands there twice, since an index alone answers with the column only.
create index users_name on users (lower(full_name), id) include (full_name);
create index users_role on users (role, id);
-- Erasing a person finds what is their own by their id.
create index verifications_value on verifications (value);

-- Reminders walk the favorites of a deal in their order.
drop index user_favorites_deal;
create index user_favorites_deal on user_favorites (deal_id, id);

-- How far the mails of a digest are queued; null: all of them are.
alter table newsletter_issues add column queued_up_to bigint;
