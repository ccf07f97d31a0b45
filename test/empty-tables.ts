import type pg from 'pg';

type Querier = Pick<pg.Pool, 'query'>;

/**
 * Empties every table but the migrations' own, and starts every number again. Deleting the few rows of a test takes a
 * tenth of what truncating costs. What grew beyond ten pages or was analysed is truncated all the same: up to there
 * PostgreSQL's planner takes a table that was never analysed for one of ten pages, so each test finds it as it was
 * made (searches go by its estimates). No trigger runs. Processes, and the bundle beside the sources, hold the secrets
 * in memory: while a file runs they stay.
 */
export async function emptyTables(database: Querier, { secrets = false } = {}): Promise<void> {
  await database.query(`do $$
    declare
      one record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for one in
        select oid::regclass as name, reltuples >= 0 as is_analysed, pg_relation_size(oid) > 10 * 8192 as is_large
          from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'
           and relname <> 'site_counters' ${secrets ? '' : `and relname <> 'site_secrets'`}
           and (pg_relation_size(oid) > 0 or reltuples >= 0)
      loop
        if one.is_analysed or one.is_large then
          execute format('truncate %s cascade', one.name);
          delete from pg_statistic where starelid = one.name;
        else
          execute format('delete from %s', one.name);
        end if;
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
         from pg_sequences where schemaname = 'public' and last_value is not null;
      update site_counters set value = 0 where value <> 0;
    end $$`);
}

/** One text for all that migrations make: tables, columns, rules, functions, triggers, settings of the database. */
export async function describeSchema(database: Querier): Promise<string> {
  const { rows } = await database.query<{ schema: string }>(`
    with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    parts (part) as (
      select format('schema %s', nspname) from pg_namespace where oid in (select oid from ours)
      union all
      select format('relation %s %s %s', oid::regclass, relkind, reloptions) from pg_class
       where relnamespace in (select oid from ours)
      union all
      select format('column %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
                    pg_get_expr(adbin, adrelid))
        from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where relnamespace in (select oid from ours) and attnum > 0 and not attisdropped
      union all
      select format('index %s', pg_get_indexdef(indexrelid)) from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace in (select oid from ours)
      union all
      select format('rule %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace in (select oid from ours)
      union all
      select format('function %s %s %s', oid::regprocedure, md5(prosrc), proconfig) from pg_proc
       where pronamespace in (select oid from ours)
      union all
      select format('trigger %s %s', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
      union all
      select format('extension %s', extname) from pg_extension
      union all
      select format('setting %s %s', setrole, setconfig) from pg_db_role_setting
       where setdatabase = (select oid from pg_database where datname = current_database())
      union all
      select format('migration %s', name) from kysely_migration
    )
    select string_agg(part, e'\\n' order by part) as schema from parts`);
  return rows[0]?.schema ?? '';
}
