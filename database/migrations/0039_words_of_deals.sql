-- Searches read parts of words from this index for titles only, and the parts of descriptions were half of what an
-- import wrote.
drop index deals_trgm;
create index deals_trgm on deals using gin (title gin_trgm_ops);

-- PostgreSQL recomputes a generated column with every update of a table that has a BEFORE trigger, so each new price
-- split a deal's whole text into words. Now `deals_before_write` does so only for a changed text.
alter table deals alter column search drop expression;
