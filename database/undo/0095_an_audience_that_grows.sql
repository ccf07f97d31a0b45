drop index mail_outbox_recipient, mail_outbox_set_aside, mail_outbox_sent, mail_outbox_alerts,
  users_name, users_role, verifications_value, user_favorites_deal;
create index user_favorites_deal on user_favorites (deal_id);
alter table newsletter_issues drop column queued_up_to;
