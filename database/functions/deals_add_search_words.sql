create or replace function deals_add_search_words() returns trigger language plpgsql as $$
begin
  perform add_search_words((select array_agg(title) from new_rows));
  return null;
end $$;
