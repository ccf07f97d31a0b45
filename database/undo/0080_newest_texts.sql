drop index deal_texts_created;
