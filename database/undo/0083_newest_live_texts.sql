drop index deal_texts_newest;
create index deal_texts_created on deal_texts (created_at);
