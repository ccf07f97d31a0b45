-- Replaces typographic punctuation with ASCII. A text contains few different marks, so each one is replaced separately.
create or replace function fold_signs(given text) returns text language plpgsql immutable parallel safe as $$
declare
  folded text := given;
  sign text;
begin
  if given !~ '[’‘ʼ′׳“”„«»״–—־‐×™℠•·★☆・]' then return given; end if;
  for sign in select distinct match[1] from regexp_matches(given, '[’‘ʼ′׳“”„«»״–—־‐×™℠•·★☆・]', 'g') match loop
    folded := replace(folded, sign, translate(sign, '’‘ʼ′׳“”„«»״–—־‐×™℠•·★☆・',
      '''''''''''""""""----x       '));
  end loop;
  return folded;
end $$;
