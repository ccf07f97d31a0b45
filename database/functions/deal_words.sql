-- Returns the words of a deal as the search indexes them.
create or replace function deal_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select folded_words(fold(title), fold(description))
$$;
