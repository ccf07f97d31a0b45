import type pg from 'pg';

type Querier = Pick<pg.Pool, 'query'>;

/**
 * Empties every table except those of the migrations, restarts all sequences, and adds the initial
 * newsletter lists again. Deleting a test's few rows takes a tenth of the time of truncating.
 * Tables larger than ten pages or with statistics are truncated, so that the planner's estimates
 * are reset: it assumes ten pages for smaller tables without statistics.
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
      insert into newsletter_lists (id, name, automatic, is_joined) values
        (1, 'Weekly digest', 'weekly', true), (2, 'Newsletters', null, true), (3, 'Hot deals', 'hot', false);
    end $$`);
}
