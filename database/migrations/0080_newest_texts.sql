-- Both indexes combined find the newest deals with a word of medium frequency.
create index deal_texts_created on deal_texts (created_at);
