create or replace function add_name_words() returns trigger language plpgsql as $$
begin
  perform add_search_words(array[new.name]);
  return null;
end $$;
