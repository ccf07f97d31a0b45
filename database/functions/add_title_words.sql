-- Adds the words of new titles. The trigger fires only if the title changes, so most updates cost
-- nothing here.
create or replace function add_title_words() returns trigger language plpgsql as $$
begin
  perform add_search_words(array[new.title]);
  return null;
end $$;
