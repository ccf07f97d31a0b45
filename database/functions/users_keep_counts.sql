-- Counts the accounts of each role.
create or replace function users_keep_counts() returns trigger language plpgsql as $$
declare changes jsonb;
begin
  execute format($sql$
    select jsonb_build_object('all_users', sum(n), 'admin_users', sum(n) filter (where role = 'admin'),
             'super_admin_users', sum(n) filter (where role = 'super_admin'))
      from (%s) changed $sql$, concat_ws(' union all ',
        case when tg_op <> 'DELETE' then 'select 1 as n, role from new_rows' end,
        case when tg_op <> 'INSERT' then 'select -1 as n, role from old_rows' end)) into changes;
  perform add_to_counters(changes);
  return null;
end $$;
