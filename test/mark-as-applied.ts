import type pg from 'pg';

/** Marks a function as if a release had created it from this text in `database/functions/`. */
export async function markAsApplied(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(`do $$ begin
    execute format('comment on function ${name} is %L',
      'database/functions/${name}.sql 0 ' || md5(pg_get_functiondef('${name}'::regproc)));
  end $$`);
}
