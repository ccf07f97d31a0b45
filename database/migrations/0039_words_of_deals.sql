-- Searches use this index only for parts of words in titles. Indexing descriptions as well caused half of the writes
-- of an import.
drop index deals_trgm;
create index deals_trgm on deals using gin (title gin_trgm_ops);

-- PostgreSQL recomputes generated columns in every update of a table with a BEFORE trigger, so each new price split a
-- deal's whole text into words. `deals_before_write` now does so only if the text changes.
alter table deals alter column search drop expression;
