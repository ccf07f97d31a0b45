import type pg from 'pg';

type Querier = Pick<pg.Pool, 'query'>;

/**
 * Describes everything that migrations create in one text, with a line for each object: tables,
 * columns, statistics, constraints, functions, triggers and database settings. The text is the same
 * on every supported version of PostgreSQL. If `madeAnew` is false, omits objects that each start
 * recreates and functions that match their files. Also omits tables of an earlier release's jobs.
 */
export async function describeSchema(
  database: Querier,
  { madeAnew = true }: { madeAnew?: boolean } = {},
): Promise<string> {
  const { rows } = await database.query<{ part: string }>(
    `
    with ours as (
      select oid from pg_namespace
       where nspname !~ '^pg_' and nspname <> 'information_schema' and ($1 or nspname <> 'jobs')
    ),
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
      select pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxnamespace in (select oid from ours)
      union all
      -- NOT NULL is shown with the column; only PostgreSQL 18 lists it as a constraint, too.
      select format('rule %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace in (select oid from ours) and contype <> 'n'
      union all
      select format('function %s %s %s', oid::regprocedure, md5(prosrc), proconfig) from pg_proc
       where pronamespace in (select oid from ours)
         and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
         and ($1 or prokind <> 'f' or obj_description(oid, 'pg_proc') is null
           or obj_description(oid, 'pg_proc') not like 'database/functions/% ' || md5(pg_get_functiondef(oid)))
      union all
      select format('trigger %s %s', tgenabled, pg_get_triggerdef(pg_trigger.oid))
        from pg_trigger join pg_class on pg_class.oid = tgrelid
       where relnamespace in (select oid from ours) and not tgisinternal
      union all
      select format('extension %s', extname) from pg_extension
      union all
      select format('setting %s %s', setrole, setconfig) from pg_db_role_setting
       where setdatabase = (select oid from pg_database where datname = current_database())
      union all
      select format('migration %s', name) from kysely_migration
    )
    select part from parts order by part`,
    [madeAnew],
  );
  return rows.map(({ part }) => part).join('\n');
}
