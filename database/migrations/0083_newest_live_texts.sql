-- Searches scan the newest live deals in order, without expired ones and without a join.
drop index deal_texts_created;
create index deal_texts_newest on deal_texts (created_at, deal_id) where is_active and not is_expired;
