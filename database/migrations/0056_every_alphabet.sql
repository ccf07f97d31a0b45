-- Search supports every alphabet. Compared texts are folded, and typing errors are corrected to words as they are
-- spelled.
create function fold_signs(given text) returns text language plpgsql immutable parallel safe as $$
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
create function fold_letters(given text) returns text language plpgsql immutable parallel safe as $$
declare
  folded text := public.fold_signs(given);
begin
  if octet_length(folded) = length(folded)
    or folded !~ '[^\u0001-\u007f®©€£\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c1\u03c3-\u03c9\u0410-\u044f\u05d0-\u05ea\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0e01-\u0e32\u0e34-\u0e4e\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u4e00-\u9fff\uac00-\ud7a3]'
  then
    return lower(folded collate "default");
  end if;
  folded := regexp_replace(lower(normalize(folded, NFKD) collate "default"),
    '[\u0300-\u0305\u0307-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]|(?<!и)\u0306',
    '', 'g');
  if folded ~ '[\u0306\u0900-\uffff\U00010000-\U0010ffff]' then folded := normalize(folded, NFC); end if;
  folded := replace(folded, 'ß', 'ss');
  if folded ~ '[æœþøłđðħıς]' then
    folded := replace(replace(replace(folded, 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    folded := translate(folded, 'øłđðħıς', 'olddhiσ');
  end if;
  if folded ~ '[ىةکی٠-٩۰-۹]' then
    folded := replace(replace(replace(replace(folded, 'ى', 'ي'), 'ة', 'ه'), 'ک', 'ك'), 'ی', 'ي');
    if folded ~ '[٠-٩۰-۹]' then folded := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'); end if;
  end if;
  return case when folded ~ '[ʼ′·‐–—・]' then public.fold_signs(folded) else folded end;
end $$;
create function fold(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) then lower(text collate "default") else public.fold_letters(text) end
$$;
create function run_letters() returns text language sql immutable parallel safe as $$
  select '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;
create function part_runs(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) or text !~ run_letters() then text else
    regexp_replace(regexp_replace(left(text, 1000), '(' || run_letters() || '+)', ' \1 ', 'g'),
      '(' || run_letters() || ')', '\1 \1', 'g')
  end
$$;

-- The spelling, if it differs from the folded word.
alter table search_words add column spelling text;
delete from search_words;
insert into search_words (word, uses, spelling)
  select word, sum(uses), nullif((array_agg(spelling order by uses desc, spelling collate "C"))[1], word)
    from (
      select fold(spelling) as word, spelling, count(*) as uses
        from (select title as text from deals union all select name from categories union all select name from merchants) texts,
             regexp_split_to_table(lower(normalize(text)), '[^[:alnum:]\u0900-\u0963\u0971-\u0d65]+') as spelling
       where length(spelling) between 3 and 30 and spelling !~ '[0-9]' and spelling !~ run_letters()
       group by spelling
    ) spelled
   group by word;

drop index merchants_name_trgm, categories_name_trgm, users_words, newsletter_subscriptions_words, contact_messages_words;
create index merchants_name_trgm on merchants using gin (fold(name) gin_trgm_ops, fold(description) gin_trgm_ops);
create index categories_name_trgm on categories using gin (fold(name) gin_trgm_ops, fold(description) gin_trgm_ops);
create index users_words on users using gin (fold(email) gin_trgm_ops, fold(full_name) gin_trgm_ops);
create index newsletter_subscriptions_words on newsletter_subscriptions using gin (fold(email) gin_trgm_ops);
create index contact_messages_words on contact_messages
  using gin (fold(name) gin_trgm_ops, fold(email) gin_trgm_ops, fold(subject) gin_trgm_ops, fold(message) gin_trgm_ops);
create index merchants_folded_name on merchants (fold(name));

-- Same as in 0038, with folded titles.
drop index deals_managed_title;
create index deals_managed_title on deals (fold(title) collate "C", id)
  include (title, created_at, sale_price, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability);
drop statistics deals_title_letters;
create statistics deals_title_letters on (left(fold(title) collate "C", 1)) from deals;
