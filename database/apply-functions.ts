import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import type { KeptFunction } from '#database/schema/site-tables.ts';
import { readSqlFiles, runSqlFile } from '#database/sql-files.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const fileOf = (name: string) => `database/functions/${name}.sql`;

/**
 * Makes each function of the database as its file in `database/functions/` says, unless it is so already: its comment
 * names the file, a hash of the file and a hash of what the database made of it, so a function that somebody altered or
 * a restore made anew is found, too. All bodies are checked once all functions are there, whatever calls whatever.
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

/** All of them, but for those of extensions. */
export async function readFunctions(tx: Tx): Promise<KeptFunction[]> {
  const { rows } = await sql<KeptFunction>`
    select oid::regprocedure::text as signature, pg_get_functiondef(oid) as definition,
           obj_description(oid, 'pg_proc') as comment
      from pg_proc p
     where pronamespace = 'public'::regnamespace and prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     order by 1`.execute(tx);
  return rows;
}

/** Makes the functions what `readFunctions` answered before: others go. What needed those must be gone. */
export async function putBackFunctions(tx: Tx, kept: readonly KeptFunction[]): Promise<void> {
  const present = await readFunctions(tx);
  const wanted = new Set(kept.map(({ signature }) => signature));
  const others = present.filter(({ signature }) => !wanted.has(signature));
  if (others.length > 0) {
    const names = others.map(({ signature }) => signature).join(', ');
    await sql.raw(`drop function ${names}`).execute(tx);
  }
  const same = new Set(present.map((one) => JSON.stringify(one)));
  const changed = kept.filter((one) => !same.has(JSON.stringify(one)));
  await sql`set local check_function_bodies = off`.execute(tx);
  for (const { signature, definition, comment } of changed) {
    await sql.raw(definition).execute(tx);
    await sql`comment on function ${sql.raw(signature)} is ${sql.lit(comment)}`.execute(tx);
  }
}
