-- Tells every process which lists hold other deals now, or the same in another order (decision 041): 'deals' those of the
-- whole site and all that is counted of it, 'deals:category:ID' and 'deals:merchant:ID' those of a category or a store;
-- 'prices' and the same places, those of them that prices order or narrow. `changes` are objects with a kind ('deals' or
-- 'prices'), a category and a merchant. Such lists may stand in: what shows a deal that was taken off hears of it by
-- announce_deals. What is too long for one announcement is everything.
create or replace function announce_lists(changes jsonb) returns void language plpgsql as $$
declare tags text;
begin
  select string_agg(distinct kind || place, ' ') into tags
    from jsonb_to_recordset(changes) as c (kind text, category bigint, merchant bigint),
         unnest(array['', ':category:' || category, ':merchant:' || merchant]) place;
  if tags is null then return; end if;
  perform pg_notify('pages', 'old ' || case when octet_length(tags) > 7900 then 'all' else tags end);
end $$;
