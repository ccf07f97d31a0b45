-- Looks at up to so many lines of the price log and new deals, and notes which watched search each belongs to. Answers how many
-- numbers it went through, 0 where there is nothing new or somebody else looks. What is found and how far it looked commit together.
-- A new deal belongs to every search that it matches; one whose price changed only to those that its former price kept it out of. What
-- the log must say of a price it says after a fall alone.
create or replace function find_for_searches(most integer) returns bigint language plpgsql as $$
declare
  kept_waiting constant integer := 30; -- of a search; more are counted by nobody, the list has them
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
    -- Asked after the numbers: who has one below the line has begun by now. Other databases of the server write nothing here.
    update watch_marks set line_xids = array(
      select x from pg_snapshot_xip(pg_current_snapshot()) x
       where exists (select from pg_stat_activity a where a.datname = current_database() and a.backend_xid = x::xid))
      returning * into m;
  end if;
  if exists (select from unnest(m.line_xids) x where pg_xact_status(x) = 'in progress') then return 0; end if;
  to_log := least(m.line_log, m.seen_log + most);
  to_deal := least(m.line_deal, m.seen_deal + most);
  if to_log = m.seen_log and to_deal = m.seen_deal then return 0; end if;

  if exists (select from watched_searches where is_active) then
    with touched as materialized (
      select deal_id, bool_or(is_new) as is_new, max(at) as at
        from (select id as deal_id, true as is_new, created_at as at from deals where id > m.seen_deal and id <= to_deal
              union all
              select deal_id, false, at from valid_prices where id > m.seen_log and id <= to_log) t
       group by deal_id
    ), changed as materialized (
      select d.id, texts.search, texts.brand, d.category_id, d.merchant_id, d.traits, d.condition, d.sale_price, d.expires_at, t.at, t.is_new,
             s.keep_history, case price_claims when 'observed' then d.low_30_before when 'claimed' then d.original_price
             else coalesce(d.reference_price, d.original_price) end as higher,
             before.price as former
        from touched t
        join deals d on d.id = t.deal_id
        join deal_texts texts on texts.deal_id = d.id
        join merchants s on s.id = d.merchant_id
        left join lateral (
          select l.sale_price as price from valid_prices l
           where l.deal_id = d.id and l.id <= m.seen_log order by l.at desc, l.id desc limit 1) before on not t.is_new
       where d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
         -- A mail says prices, and is read hours later.
         and s.allow_alerts and s.hide_price_after_hours is null
         and (t.is_new or before.price <> d.sale_price)
    ), pairs as (
      select distinct w.id as search_id, c.id as deal_id
        from changed c cross join lateral unnest(c.search) u (lexeme, positions, weights)
        join watched_searches w on w.is_active and w.key_word = u.lexeme
       where c.search @@ w.words
      union all
      select w.id, c.id from changed c join watched_searches w on w.is_active and w.key_word is null and w.merchant_id = c.merchant_id
      union all
      select w.id, c.id from changed c
        join watched_searches w on w.is_active and w.key_word is null and w.merchant_id is null and w.category_id = c.category_id
      union all
      select w.id, c.id from changed c
        join watched_searches w on w.is_active and w.key_word is null and w.merchant_id is null and w.category_id is null
    ), matching as (
      select w.id as search_id, c.id as deal_id, row_number() over (partition by w.id order by c.id desc) as place, w.waiting
        from pairs p join watched_searches w on w.id = p.search_id join changed c on c.id = p.deal_id
             cross join lateral (select case w.evidence when 'low' then interval '90 days' else interval '7 days' end as days) e
       where c.at > w.created_at
         and (w.words is null or c.search @@ w.words)
         and (w.category_id is null or w.category_id = c.category_id)
         and (w.merchant_id is null or w.merchant_id = c.merchant_id)
         and (w.traits is null or c.traits = any (w.traits))
         and (w.condition is null or w.condition = c.condition)
         and (w.brand is null or w.brand = c.brand)
         and (w.off is null or round(100.0 * (c.higher - c.sale_price) / c.higher) >= w.off)
         and (not w.ends_soon or c.expires_at <= now() + interval '72 hours')
         and c.sale_price >= coalesce(w.min_price, 0) and c.sale_price <= coalesce(w.max_price, c.sale_price)
         and (c.is_new or c.former < w.min_price or c.former > w.max_price
              or round(100.0 * (c.higher - c.former) / c.higher) < w.off or (w.evidence is not null and c.former > c.sale_price))
         and (w.evidence is null or c.keep_history and exists (
           select from price_proofs p
            where p.deal_id = c.id and p.higher_until > now() - e.days and p.lower_until <= now() - e.days
              and (w.evidence = 'fell' or p.watched_since <= now() - interval '14 days')))
    ), found as (
      insert into watched_search_finds (search_id, deal_id)
        select search_id, deal_id from matching where place + waiting <= kept_waiting order by search_id, deal_id
      on conflict do nothing
      returning search_id
    )
    update watched_searches w set waiting = waiting + f.n, unseen = unseen + f.n
      from (select search_id, count(*) as n from found group by search_id) f
     where w.id = f.search_id;
  end if;
  update watch_marks set seen_log = to_log, seen_deal = to_deal;
  return to_log - m.seen_log + to_deal - m.seen_deal;
end $$;
