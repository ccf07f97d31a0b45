-- The trigger runs by row and column: an update that leaves the title unchanged, as nearly all do,
-- costs nothing here.
create or replace function add_title_words() returns trigger language plpgsql as $$
begin
  perform add_search_words(array[new.title]);
  return null;
end $$;
