-- Splits text without word breaks into overlapping pairs, plus the first and last letter: イヤホン as イ
-- イヤ ヤホ ホン ン. A search looks for the phrase of these pairs. Only the beginning of a long text is
-- read.
create or replace function part_runs(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) or text !~ run_letters() then text else
    regexp_replace(regexp_replace(left(text, 1000), '(' || run_letters() || '+)', ' \1 ', 'g'),
      '(' || run_letters() || ')', '\1 \1', 'g')
  end
$$;
