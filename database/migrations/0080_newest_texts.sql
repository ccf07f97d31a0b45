-- The newest deals with a word that is neither rare nor in every other title are found off both indexes together (decision 078).
create index deal_texts_created on deal_texts (created_at);
