-- Runs of such letters as words of two letters, each beside the next, and their ends alone: イヤホン as イ イヤ ヤホ ホン ン. What
-- is looked for is the phrase of those in the middle. Enough of a long text is read.
create or replace function part_runs(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) or text !~ run_letters() then text else
    regexp_replace(regexp_replace(left(text, 1000), '(' || run_letters() || '+)', ' \1 ', 'g'),
      '(' || run_letters() || ')', '\1 \1', 'g')
  end
$$;
