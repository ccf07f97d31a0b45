-- Returns whether a feed row is still the product of the deal with its id: `same`, `other`, or
-- `doubtful`, which staff review. If both have a GTIN, the GTIN decides. Otherwise the product is
-- the same if the titles share half of the shorter one's words. If they don't, URL and brand
-- decide.
create or replace function judge_product(
  was_title text, was_url text, was_brand text, was_gtin text, title text, url text, brand text, gtin text
) returns text language sql stable as $$
  select case
    when ltrim(was_gtin, '0') = ltrim(gtin, '0') then 'same'
    when ltrim(was_gtin, '0') <> ltrim(gtin, '0') then 'other'
    when fold(was_title) = fold(title) then 'same'
    when (
      with was as (select distinct word from regexp_split_to_table(fold(was_title), '\W+') word where word <> ''),
           now as (select distinct word from regexp_split_to_table(fold(title), '\W+') word where word <> '')
      select (select count(*) from was join now using (word)) * 2 >= least((select count(*) from was), (select count(*) from now))
    ) then 'same'
    when was_url <> url and is_other_brand then 'other'
    when was_url <> url or is_other_brand then 'doubtful'
    else 'same' end
  from (select coalesce(position(fold(was_brand) in fold(brand)) = 0 and position(fold(brand) in fold(was_brand)) = 0, false)) b (is_other_brand)
$$;
