-- Searches look through the newest live deals in their order: without those that have expired, and with no other table beside (decision 078).
drop index deal_texts_created;
create index deal_texts_newest on deal_texts (created_at, deal_id) where is_active and not is_expired;
