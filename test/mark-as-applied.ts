import type pg from 'pg';

/** Leaves a function as a release with this text in `database/functions/` would have left it. */
export async function markAsApplied(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(`do $$ begin
    execute format('comment on function ${name} is %L',
      'database/functions/${name}.sql 0 ' || md5(pg_get_functiondef('${name}'::regproc)));
  end $$`);
}
