-- Counts the subscriptions in each state.
create or replace function newsletter_subscriptions_keep_counts() returns trigger language plpgsql as $$
declare changes jsonb;
begin
  execute format($sql$
    select jsonb_build_object('all_subscriptions', sum(n), 'active_subscriptions', sum(n) filter (where is_active),
             'confirmed_subscriptions', sum(n) filter (where is_active and confirmed_at is not null),
             'unsubscribed_subscriptions', sum(n) filter (where unsubscribed_at is not null),
             'waiting_subscriptions', sum(n) filter (where not is_active and unsubscribed_at is null))
      from (%s) changed $sql$, concat_ws(' union all ',
        case when tg_op <> 'DELETE' then 'select 1 as n, * from new_rows' end,
        case when tg_op <> 'INSERT' then 'select -1 as n, * from old_rows' end)) into changes;
  perform add_to_counters(changes);
  return null;
end $$;
