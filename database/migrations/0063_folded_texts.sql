-- Texts are folded for search, and scripts without spaces between words are split into pairs of letters. ASCII texts
-- are unchanged.
drop index deal_texts_search, deal_texts_trgm, deal_texts_live_title;
update deal_texts t set search = setweight(to_tsvector('russian', part_runs(fold(d.title))), 'A')
                                || setweight(to_tsvector('russian', part_runs(fold(d.description))), 'C')
  from deals d
 where d.id = t.deal_id and octet_length(d.title || d.description) <> length(d.title || d.description);
alter table deal_texts alter title type text using fold(title);
create index deal_texts_search on deal_texts using gin (search);
create index deal_texts_trgm on deal_texts using gin (title gin_trgm_ops);
create index deal_texts_live_title on deal_texts (title text_pattern_ops) where is_active and not is_expired;
do $$ begin if exists (select from deal_texts) then analyze deal_texts; end if; end $$;
