-- No search reads parts of words off this index but in titles, and the parts of all descriptions were half of what an import wrote.
drop index deals_trgm;
create index deals_trgm on deals using gin (title gin_trgm_ops);

-- PostgreSQL computes a generated column anew with every update of a table that has a BEFORE trigger, so each new price took a deal's
-- whole text apart. Now `deals_before_write` does it, and only for another text.
alter table deals alter column search drop expression;
