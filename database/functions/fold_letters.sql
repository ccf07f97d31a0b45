-- A text with letters beyond ASCII; each step costs what it changes.
create or replace function fold_letters(given text) returns text language plpgsql immutable parallel safe as $$
declare
  folded text := regexp_replace(given, '[™℠]', ' ', 'g');
begin
  folded := normalize(regexp_replace(lower(normalize(folded, NFKD) collate "default"),
    '[\u0300-\u0305\u0307-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]|(?<!и)\u0306',
    '', 'g'), NFC);
  if folded ~ '[’‘ʼ′׳“”„«»״–—־‐×•·★☆・]' then
    folded := regexp_replace(folded, '[’‘ʼ′׳]', '''', 'g');
    folded := regexp_replace(folded, '[“”„«»״]', '"', 'g');
    folded := regexp_replace(folded, '[–—־‐]', '-', 'g');
    folded := regexp_replace(folded, '[•·★☆・]', ' ', 'g');
    folded := replace(folded, '×', 'x');
  end if;
  if folded ~ '[ßæœþøłđðħıς]' then
    folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    folded := translate(folded, 'øłđðħıς', 'olddhiσ');
  end if;
  if folded ~ '[\u0629-\u06f9]' then
    folded := translate(folded, 'ىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'يهكي01234567890123456789');
  end if;
  return folded;
end $$;
