-- Returns the letters of scripts without word breaks: Thai and Lao, Burmese, Khmer, Kana, Han,
-- Hangul. Must match `runs` in app/platform/fold.ts.
create or replace function run_letters() returns text language sql immutable parallel safe as $$
  select '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;
