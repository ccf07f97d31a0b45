-- Deal management in the admin: its list, undo of deletions, and bulk changes.

-- The list of all deals in any state. This index alone answers every filter and count.
drop index deals_all_newest;
create index deals_managed on deals (created_at desc, id desc)
  include (sale_price, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability);
create index deals_managed_title on deals (lower(title), id);
create index deals_without_picture on deals (created_at desc, id desc) where image_url is null;
create index merchants_name on merchants (lower(name), id);

-- A deleted deal and everything deleted with it, so that the deletion can be undone for a while.
create table deleted_deals (
  id bigint generated always as identity primary key,
  batch uuid not null, -- deleted together, restored together
  deal_id bigint not null,
  deleted_by text not null, -- a user id, or 'cli', 'system'
  deleted_at timestamptz not null default now(),
  snapshot jsonb not null -- rows by table name
);
create index deleted_deals_batch on deleted_deals (batch);
create index deleted_deals_at on deleted_deals (deleted_at);

-- Stores a snapshot of these deals and deletes them. Returns those that existed.
create function delete_deals(ids bigint[], as_batch uuid, actor text) returns table (deal_id bigint, deal_title text)
language plpgsql as $$
begin
  perform from deals d where d.id = any(ids) order by d.id for update;
  insert into deleted_deals as kept (batch, deal_id, deleted_by, snapshot)
    select as_batch, d.id, actor, jsonb_build_object(
      'deals', jsonb_build_array(to_jsonb(d) - 'search'),
      'price_log', (select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]') from price_log l where l.deal_id = d.id),
      'clicks', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from clicks c where c.deal_id = d.id),
      'user_favorites', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from user_favorites f where f.deal_id = d.id),
      'price_alerts', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from price_alerts a where a.deal_id = d.id),
      'price_alert_events', (select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]')
         from price_alert_events e join price_alerts a on a.id = e.alert_id where a.deal_id = d.id),
      'slug_redirects', (select coalesce(jsonb_agg(to_jsonb(r)), '[]')
         from slug_redirects r where r.kind = 'deal' and r.target_id = d.id))
      from deals d where d.id = any(ids);
  return query delete from deals d where d.id = any(ids) returning d.id, d.title;
end $$;

-- Restores rows of a snapshot. Skips columns that the database computes or that the table did not have when the
-- snapshot was taken.
create function restore_rows(into_table regclass, kept jsonb, or_nothing boolean default true) returns void
language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute
   where attrelid = into_table and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname::text;
  if columns is null then return; end if;
  execute format('insert into %1$s (%2$s) overriding system value
                  select %2$s from jsonb_populate_recordset(null::%1$s, $1) %3$s',
                 into_table, columns, case when or_nothing then 'on conflict do nothing' else '' end) using kept;
end $$;

-- Restores a deleted deal with its log, clicks, favorites and alerts, except those of deleted users. If its external
-- id is taken, or its merchant or category is gone, a constraint fails.
create function restore_deal(snapshot jsonb, with_slug text) returns void language plpgsql as $$
declare of_deal bigint := (snapshot #>> '{deals,0,id}')::bigint;
begin
  perform restore_rows('deals', jsonb_set(snapshot -> 'deals', '{0,slug}', to_jsonb(with_slug)), false);
  delete from price_log where deal_id = of_deal; -- The restoration has just written this line.
  perform restore_rows('price_log', snapshot -> 'price_log');
  perform restore_rows('clicks', snapshot -> 'clicks');
  perform restore_rows('slug_redirects', snapshot -> 'slug_redirects');
  perform restore_rows('user_favorites', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'user_favorites') kept
    where exists (select from users where id = kept ->> 'user_id')));
  perform restore_rows('price_alerts', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'price_alerts') kept
    where exists (select from users where id = kept ->> 'user_id')));
  perform restore_rows('price_alert_events', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'price_alert_events') kept
    where exists (select from price_alerts where id = (kept ->> 'alert_id')::bigint)));
end $$;

-- A bulk change, which a job applies in slices to the deals that matched when it was requested. Each slice is a
-- transaction that locks this row, so no two processes apply the same slice, and another process continues after a
-- crash.
create table bulk_changes (
  id bigint generated by default as identity primary key,
  actor text not null,
  verb text not null check (verb in ('activate', 'deactivate', 'feature', 'unfeature', 'delete', 'restore', 'category')),
  category_id bigint, -- if the verb is 'category'
  batch uuid not null, -- the batch in deleted_deals
  deal_ids bigint[] not null,
  total integer generated always as (cardinality(deal_ids)) stored,
  done integer not null default 0, -- the number of deal_ids already processed
  changed integer not null default 0,
  failures jsonb not null default '[]', -- [{id, reason}], the first 100
  failed integer not null default 0,
  state text not null default 'queued' check (state in ('queued', 'done', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index bulk_changes_queued on bulk_changes (id) where state = 'queued';
create index bulk_changes_actor on bulk_changes (actor, id desc);
