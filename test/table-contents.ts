import type { TestDatabase } from '#test/database.ts';

/** Returns the content of every table, as one line per table. */
export async function tableContents({ pool }: Pick<TestDatabase, 'pool'>): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from ${name} t`,
    );
    lines.push(`${name} ${rows[0]?.digest}`);
  }
  return lines;
}
