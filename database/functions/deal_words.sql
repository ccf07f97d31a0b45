-- The words of a deal as the search knows them: those of its title count for more.
create or replace function deal_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'C')
$$;
