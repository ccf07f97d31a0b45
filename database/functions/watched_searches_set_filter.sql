-- Assigns a watched search its filter, which all searches with the same conditions share. The key
-- is the condition that the fewest deals are expected to meet.
create or replace function watched_searches_set_filter() returns trigger language plpgsql as $$
begin
  if new.product_id is not null then
    new.filter_id := null; -- check_products compares its lows instead.
    return new;
  end if;
  new.filter_id := md5(jsonb_build_array(new.words::text, new.key_word, new.other_keys, new.category_id, new.merchant_id, new.traits, new.condition, new.brand,
    new.min_price, new.max_price, new.off, new.evidence, new.ends_soon)::text)::uuid;
  insert into watched_filters (id, key, words, category_id, merchant_id, traits, condition, brand, min_price, max_price, off, evidence, ends_soon)
    values (new.filter_id,
            case when new.key_word is not null then 'word ' || new.key_word when new.brand is not null then 'brand ' || new.brand
              when new.merchant_id is not null then 'store ' || new.merchant_id when new.category_id is not null then 'category ' || new.category_id
              else '' end,
            -- A filter with a single word needs no other check of its words.
            case when numnode(new.words) > 1 or new.key_word is null or new.words::text like '%:%' then new.words end,
            new.category_id, new.merchant_id, new.traits, new.condition, new.brand, coalesce(new.min_price, 0), coalesce(new.max_price, 2147483647),
            new.off, new.evidence, new.ends_soon)
  -- The new time protects the row from the job that deletes unused filters. Updates are rare,
  -- because frequent ones would give a popular filter a long chain of row versions.
  on conflict (id) do update set used_at = now() where watched_filters.used_at < now() - interval '12 hours';
  -- A deal needs only one of these words, so each is a separate key.
  insert into watched_filters (id, same_as, key, words, category_id, merchant_id, traits, condition, brand, min_price, max_price, off, evidence, ends_soon)
    select md5(f.id || ' ' || other)::uuid, f.id, 'word ' || other, f.words, f.category_id, f.merchant_id, f.traits, f.condition, f.brand,
           f.min_price, f.max_price, f.off, f.evidence, f.ends_soon
      from watched_filters f, unnest(new.other_keys) other
     where f.id = new.filter_id
  on conflict (id) do nothing;
  return new;
end $$;
