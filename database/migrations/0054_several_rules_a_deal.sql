-- A user may have an alert for a target and one for a low of the same deal: one of each kind.
alter table price_alerts drop constraint price_alerts_user_id_deal_id_key;
alter table price_alerts add constraint price_alerts_user_id_deal_id_kind_key unique (user_id, deal_id, kind);
