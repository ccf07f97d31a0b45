-- A user may have one alert of each kind for the same deal, such as a target price and a new low.
alter table price_alerts drop constraint price_alerts_user_id_deal_id_key;
alter table price_alerts add constraint price_alerts_user_id_deal_id_kind_key unique (user_id, deal_id, kind);
