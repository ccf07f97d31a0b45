import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { readSqlFiles, runSqlFile } from '#database/sql-files.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const fileOf = (name: string) => `database/functions/${name}.sql`;

/**
 * Creates each function of the database from its file in `database/functions/`, unless it is up to
 * date. The function's comment stores the file name, a hash of the file and a hash of the resulting
 * definition. This also detects functions that were altered manually or recreated by a restore.
 * Bodies are checked once all functions exist, so they may call each other in any order.
 */
export async function applyFunctions(tx: Tx): Promise<void> {
  const applied = await readApplied(tx);
  const wanted = [...(await readSqlFiles('functions'))].map(([name, text]) => {
    return { name, text, mark: `${fileOf(name)} ${md5(text)}` };
  });
  const changed = wanted.filter(({ mark }) => !applied.has(mark));
  for (const isChecked of ['off', 'on']) {
    await sql`set local check_function_bodies = ${sql.lit(isChecked)}`.execute(tx);
    for (const { name, text } of changed) await runSqlFile(tx, fileOf(name), text);
  }
  for (const { name, mark } of changed) {
    const made = `md5(pg_get_functiondef('${name}'::regproc))`;
    await runSqlFile(
      tx,
      fileOf(name),
      `do $$ begin execute format('comment on function ${name} is %L', '${mark} ' || ${made}); end $$`,
    );
  }
}

async function readApplied(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{ mark: string; made: string }>`
    select obj_description(oid, 'pg_proc') as mark, md5(pg_get_functiondef(oid)) as made
      from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f'
       and obj_description(oid, 'pg_proc') like 'database/functions/%'`.execute(tx);
  return new Set(
    rows
      .filter(({ mark, made }) => mark.endsWith(` ${made}`))
      .map(({ mark, made }) => mark.slice(0, -made.length - 1)),
  );
}
