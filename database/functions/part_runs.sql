-- Splits text without word breaks into overlapping pairs of letters, plus the first and last
-- letter: イヤホン as イ イヤ ヤホ ホン ン. A search looks for these pairs as a phrase. Only the beginning of a
-- long text is read.
create or replace function part_runs(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) or text !~ run_letters() then text else
    regexp_replace(regexp_replace(left(text, 1000), '(' || run_letters() || '+)', ' \1 ', 'g'),
      '(' || run_letters() || ')', '\1 \1', 'g')
  end
$$;
