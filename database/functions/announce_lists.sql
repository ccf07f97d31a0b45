-- Notifies every process of the lists that now contain other deals, or the same deals in another
-- order. 'deals' means lists and counts of the whole site, and 'deals:category:ID' and
-- 'deals:merchant:ID' mean those of a category or a store. 'prices' with the same scopes means
-- lists sorted or filtered by price. `changes` are objects with a kind ('deals' or 'prices'), a
-- category and a merchant. Such lists may be shown as stale, since announce_deals announces pages
-- with a hidden deal. If the tags are too long for one announcement, everything is announced.
create or replace function announce_lists(changes jsonb) returns void language plpgsql as $$
declare tags text;
begin
  select string_agg(distinct kind || place, ' ') into tags
    from jsonb_to_recordset(changes) as c (kind text, category bigint, merchant bigint),
         unnest(array['', ':category:' || category, ':merchant:' || merchant]) place;
  if tags is null then return; end if;
  perform pg_notify('pages', 'old ' || case when octet_length(tags) > 7900 then 'all' else tags end);
end $$;
