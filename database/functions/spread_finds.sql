-- Assigns deals to up to `most` watched searches whose filters they match, for the next email of
-- each. Returns the number of processed filters, or 0 if none is waiting or other processes hold
-- them. Progress is committed together with the finds. Each search gets the latest changes.
create or replace function spread_finds(most integer) returns integer language plpgsql set enable_seqscan = off as $$
declare
  kept_waiting constant integer := 30; -- finds per search; the list shows the rest
  one watched_filter_hits;
  part bigint[];
  left_over integer := most;
  filters uuid[] := '{}';
  done bigint[] := '{}';
  hits bigint[] := '{}';
  ids bigint[] := '{}';
begin
  for one in select * from watched_filter_hits order by id limit most for update skip locked loop
    exit when left_over <= 0;
    continue when one.filter_id = any(filters); -- A search is updated only once per batch.
    part := array(
      select s.id from watched_searches s
       where s.filter_id = one.filter_id and s.id > one.done_to and s.is_active and s.waiting < kept_waiting
       order by s.id limit left_over);
    if cardinality(part) < left_over then done := done || one.id;
    else update watched_filter_hits set done_to = part[left_over] where id = one.id;
    end if;
    filters := filters || one.filter_id;
    hits := hits || array_fill(one.id, array[cardinality(part)]);
    ids := ids || part;
    left_over := left_over - greatest(1, cardinality(part));
  end loop;
  -- Locks the searches, so that an email queued at the same time includes all of these deals or
  -- none.
  perform from watched_searches s where s.id = any(ids) order by s.id for no key update;
  with hit as materialized (
    select k.ids, latest.*
      from (select hit, array_agg(id) as ids from unnest(hits, ids) k (hit, id) group by hit) k
      join watched_filter_hits h on h.id = k.hit
     cross join lateral (
       select array_agg(c.deal_id order by c.at desc, c.deal_id desc) as deal_ids, array_agg(c.at order by c.at desc, c.deal_id desc) as changed_at
         from (select u.deal_id, max(u.at) as at from unnest(h.deal_ids, h.changed_at) u (deal_id, at)
                group by u.deal_id order by max(u.at) desc, u.deal_id desc limit kept_waiting) c) latest
  ), found as materialized (
    select s.id, array(
             select c.deal_id from unnest(hit.deal_ids, hit.changed_at) with ordinality c (deal_id, at, place)
              where c.at > s.created_at and c.deal_id <> all (s.waiting_deals)
                and not exists (select from watched_search_finds f where f.search_id = s.id and f.deal_id = c.deal_id)
              order by c.place limit greatest(0, kept_waiting - s.waiting)) as deal_ids
      from hit cross join lateral unnest(hit.ids) u (id)
      join watched_searches s on s.id = u.id and s.is_active
  )
  update watched_searches s set
    waiting_deals = s.waiting_deals || f.deal_ids,
    waiting = s.waiting + cardinality(f.deal_ids),
    unseen = s.unseen + cardinality(f.deal_ids)
    from found f
   where s.id = f.id and f.deal_ids <> '{}';
  delete from watched_filter_hits where id = any(done);
  return cardinality(filters);
end $$;
