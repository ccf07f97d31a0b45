-- Reads the next `most` lines of the price log and new deals, and stores for spread_finds which filters of watched searches each deal
-- matches. Returns the number of processed ids, or 0 if there is nothing new or another process is working. Hits and progress are
-- committed together. A new deal is compared with every filter. A changed price is compared only with filters that its former price did
-- not match. A filter by evidence matches a new price only after a drop. If `judges` is false, the ids are only marked as read.
create or replace function find_for_searches(most integer, judges boolean) returns bigint language plpgsql as $$
declare
  kept_waiting constant integer := 30; -- hits per search
  m watch_marks;
  price_claims constant text := coalesce((select value #>> '{}' from site_settings where name = 'priceClaims'), 'checked');
  to_log bigint;
  to_deal bigint;
begin
  insert into watch_marks (seen_log, seen_deal, line_log, line_deal, line_xids)
    select l, d, l, d, '{}'
      from (select coalesce((select max(id) from price_log), 0) as l, coalesce((select max(id) from deals), 0) as d) latest
     where not exists (select from watch_marks)
  on conflict do nothing;
  select * into m from watch_marks for update skip locked;
  if not found then return 0; end if;
  if m.seen_log >= m.line_log and m.seen_deal >= m.line_deal then
    update watch_marks set
      line_log = greatest(line_log, coalesce((select max(id) from price_log), 0)),
      line_deal = greatest(line_deal, coalesce((select max(id) from deals), 0));
    -- Reads the running transactions after the ids, so that any transaction that writes a lower id has already begun. Ignores the server's
    -- other databases.
    update watch_marks set line_xids = array(
      select x from pg_snapshot_xip(pg_current_snapshot()) x
       where exists (select from pg_stat_activity a where a.datname = current_database() and a.backend_xid = x::xid))
      returning * into m;
  end if;
  if exists (select from unnest(m.line_xids) x where pg_xact_status(x) = 'in progress') then return 0; end if;
  to_log := least(m.line_log, m.seen_log + most);
  to_deal := least(m.line_deal, m.seen_deal + most);
  if to_log = m.seen_log and to_deal = m.seen_deal then return 0; end if;

  if judges and exists (select from watched_searches where is_active) then
    with touched as materialized (
      select deal_id, bool_or(is_new) as is_new, max(at) as at
        from (select id as deal_id, true as is_new, created_at as at from deals where id > m.seen_deal and id <= to_deal
              union all
              select deal_id, false, at from valid_prices where id > m.seen_log and id <= to_log) t
       group by deal_id
    ), changed as materialized (
      select d.id, texts.search || array_to_tsvector(array['category ' || d.category_id, 'store ' || d.merchant_id]
               || case when texts.brand is null then '{}'::text[] else array['brand ' || texts.brand] end) as search, texts.brand, d.category_id, d.merchant_id, d.traits, d.condition, d.sale_price, d.expires_at, t.at, t.is_new,
             before.price as former,
             greatest(0, round(100.0 * (was.higher - d.sale_price) / was.higher))::integer as off,
             greatest(0, round(100.0 * (was.higher - before.price) / was.higher))::integer as former_off,
             array(select e.name from (values ('fell', interval '7 days'), ('low', interval '90 days')) e (name, days)
                    where s.keep_history and (t.is_new or before.price > d.sale_price) and exists (
                      select from price_proofs p
                       where p.deal_id = d.id and p.higher_until > now() - e.days and p.lower_until <= now() - e.days
                         and (e.name = 'fell' or p.watched_since <= now() - interval '14 days'))) as evidence
        from touched t
        join deals d on d.id = t.deal_id
        join deal_texts texts on texts.deal_id = d.id
        join merchants s on s.id = d.merchant_id
       cross join lateral (
         select case price_claims when 'observed' then d.low_30_before when 'claimed' then d.original_price
                  else coalesce(d.reference_price, d.original_price) end as higher) was
        left join lateral (
          select l.sale_price as price from valid_prices l
           where l.deal_id = d.id and l.id <= m.seen_log order by l.at desc, l.id desc limit 1) before on not t.is_new
       where d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
         -- Excludes stores that want old prices hidden, since emails contain prices but are read
         -- hours later.
         and s.allow_alerts and s.hide_price_after_hours is null
         and (t.is_new or before.price <> d.sale_price)
    ), matching as (
      select distinct coalesce(w.same_as, w.id) as filter_id, c.id as deal_id, c.at
        from changed c
       cross join lateral (
         select 'word ' || u.lexeme as key from unnest(c.search) u (lexeme, positions, weights)
         union all select 'brand ' || c.brand
         union all select 'word ' || b from unnest(tsvector_to_array(to_tsvector('russian', coalesce(c.brand, '')))) b
         union all select 'store ' || c.merchant_id
         union all select 'category ' || c.category_id
         union all select '') k
        -- Compares a new deal with all filters, but a new price only with those that the former
        -- price did not match. A filter with several keys may appear repeatedly.
       cross join lateral (
         select * from watched_filters w where c.is_new and w.key = k.key and w.max_price >= c.sale_price
         union all
         select * from watched_filters w where w.key = k.key and w.max_price >= c.sale_price and w.max_price < c.former
         union all
         select * from watched_filters w where w.key = k.key and w.min_price > 0 and w.min_price > c.former and w.min_price <= c.sale_price
         union all
         select * from watched_filters w
          where not c.is_new and w.key = k.key and w.off > c.former_off and w.off <= c.off and w.max_price >= c.former
         union all
         select * from watched_filters w
          where not c.is_new and w.key = k.key and w.evidence = any (c.evidence) and w.max_price >= c.former
            and coalesce(w.off, 0) <= c.former_off) w
       where c.sale_price between w.min_price and w.max_price
         and (w.category_id is null or w.category_id = c.category_id)
         and (w.merchant_id is null or w.merchant_id = c.merchant_id)
         and (w.traits is null or c.traits = any (w.traits))
         and (w.condition is null or w.condition = c.condition)
         and (w.brand is null or w.brand = c.brand)
         and (w.off is null or w.off <= c.off)
         and (w.evidence is null or w.evidence = any (c.evidence))
         and (not w.ends_soon or c.expires_at <= now() + interval '72 hours')
         and (w.words is null or c.search @@ w.words)
    )
    insert into watched_filter_hits (filter_id, deal_ids, changed_at)
      select filter_id, array_agg(deal_id), array_agg(at)
        from (select *, row_number() over (partition by filter_id order by at desc, deal_id desc) as place from matching) m
       where place <= kept_waiting
       group by filter_id
       order by filter_id
    on conflict (filter_id) where done_to = 0 do update set
      deal_ids = watched_filter_hits.deal_ids || excluded.deal_ids,
      changed_at = watched_filter_hits.changed_at || excluded.changed_at;
  end if;
  update watch_marks set seen_log = to_log, seen_deal = to_deal, lot = least(1000, lot + lot / 4 + 1);
  return to_log - m.seen_log + to_deal - m.seen_deal;
end $$;
