-- Folds text that contains non-ASCII letters. Texts can be long, so each step runs only if it has something to change: punctuation first,
-- then accents. The first bracket expression lists letters that Unicode normalization does not change, so they only need lower case. The
-- second lists combining marks to remove.
create or replace function fold_letters(given text) returns text language plpgsql immutable parallel safe as $$
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
