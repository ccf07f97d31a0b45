-- The newest deals with a word of medium frequency are found with both indexes together.
create index deal_texts_created on deal_texts (created_at);
