import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { ask } from '#database/ask.ts';

// Deleting a row queries each table that refers to it. Without an index, each deletion scans the
// whole table.

const database = useTestDatabase();

test('indexes the columns of each foreign key, for every referring row', async () => {
  const bare = await ask(database.db).column<string>`
    select c.conrelid::regclass || ' (' || (
             select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
              where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) || ')'
      from pg_constraint c
     where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace
       and not exists (
         select from pg_index i
          where i.indrelid = c.conrelid and i.indisvalid
            and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
            -- A row whose key is null refers to nothing, so a partial index without those is enough.
            and (i.indpred is null
                 or cardinality(c.conkey) = 1
                    and pg_get_expr(i.indpred, i.indrelid) = '(' || (
                      select quote_ident(a.attname) from pg_attribute a
                       where a.attrelid = c.conrelid and a.attnum = c.conkey[1]) || ' IS NOT NULL)'))
     order by 1`;
  expect(bare).toEqual([]);
});
