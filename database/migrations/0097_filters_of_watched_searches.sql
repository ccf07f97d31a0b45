-- Watched searches with the same conditions share a filter, and changed deals are compared with filters instead of
-- each user's searches.
create table watched_filters (
  id uuid primary key, -- a hash of the conditions
  -- The filter's rarest condition, chosen by watched_searches_set_filter. A deal without this key cannot match.
  key text not null,
  words tsquery, -- null if the key is the only word
  category_id bigint,
  merchant_id bigint,
  traits smallint[],
  condition text,
  brand text,
  min_price integer not null,
  max_price integer not null,
  off smallint,
  evidence text,
  ends_soon boolean not null,
  used_at timestamptz not null default now()
);
create index watched_filters_max_price on watched_filters (key, max_price);
create index watched_filters_min_price on watched_filters (key, min_price) where min_price > 0;
create index watched_filters_off on watched_filters (key, off) where off is not null;
create index watched_filters_evidence on watched_filters (key) where evidence is not null;

alter table watched_searches
  add column filter_id uuid references watched_filters (id),
  -- Deals for the next email. Those in earlier emails are in watched_search_finds.
  add column waiting_deals bigint[] not null default '{}';
create function watched_searches_set_filter() returns trigger language plpgsql as $$
begin
  new.filter_id := md5(jsonb_build_array(new.words::text, new.key_word, new.category_id, new.merchant_id, new.traits, new.condition, new.brand,
    new.min_price, new.max_price, new.off, new.evidence, new.ends_soon)::text)::uuid;
  insert into watched_filters (id, key, words, category_id, merchant_id, traits, condition, brand, min_price, max_price, off, evidence, ends_soon)
    values (new.filter_id,
            case when new.key_word is not null then 'word ' || new.key_word when new.brand is not null then 'brand ' || new.brand
              when new.merchant_id is not null then 'store ' || new.merchant_id when new.category_id is not null then 'category ' || new.category_id
              else '' end,
            case when numnode(new.words) > 1 or new.key_word is null or new.words::text like '%:%' then new.words end,
            new.category_id, new.merchant_id, new.traits, new.condition, new.brand, coalesce(new.min_price, 0), coalesce(new.max_price, 2147483647),
            new.off, new.evidence, new.ends_soon)
  on conflict (id) do update set used_at = now() where watched_filters.used_at < now() - interval '12 hours';
  return new;
end $$;
create trigger watched_searches_set_filter
  before insert or update of words, key_word, category_id, merchant_id, traits, condition, brand, min_price, max_price, off, evidence, ends_soon
  on watched_searches for each row execute function watched_searches_set_filter();
update watched_searches s set
  words = words,
  waiting_deals = array(select f.deal_id from watched_search_finds f where f.search_id = s.id and f.mail is null);
delete from watched_search_finds where mail is null;
alter table watched_searches alter column filter_id set not null;
create index watched_searches_filter on watched_searches (filter_id, id);
drop index watched_searches_words;

-- Deals that match a filter, with the time of their change, until the filter's searches are notified.
create table watched_filter_hits (
  id bigint generated always as identity primary key,
  filter_id uuid not null,
  deal_ids bigint[] not null,
  changed_at timestamptz[] not null,
  -- The last search that was notified.
  done_to bigint not null default 0
);
create unique index watched_filter_hits_whole on watched_filter_hits (filter_id) where done_to = 0;

-- The number of changes per step, reduced after a step that took too long.
alter table watch_marks add column lot integer not null default 1000;
drop function if exists find_for_searches(integer);
