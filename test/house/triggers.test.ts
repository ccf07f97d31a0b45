import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { ask } from '#database/ask.ts';

const database = useTestDatabase();

const head = `# Triggers

These functions run in the database behind every write, whoever writes. Each has a file in \`database/functions/\`. Within one
table and moment they run in the order of this list. \`npm run t -- test/house/triggers.test.ts -u\` regenerates the page.
`;

test('lists the triggers of every table in docs/triggers.md', async () => {
  const triggers = await ask(database.db).rows<{ table: string; definition: string }>`
    select relname as table, pg_get_triggerdef(t.oid) as definition
      from pg_trigger t join pg_class c on c.oid = tgrelid
     where not tgisinternal and relnamespace = 'public'::regnamespace
     order by relname, tgtype & 2 = 0, tgname`;
  const tables = Map.groupBy(triggers, ({ table }) => table);
  const chapters = [...tables].map(([table, ofTable]) => {
    const lines = ofTable.map(({ definition }) => lineOf(definition));
    return `\n## ${table}\n\n${[...new Set(lines)].join('\n')}\n`;
  });
  await expect(head + chapters.join('')).toMatchFileSnapshot('../../docs/triggers.md');
});

/** Formats a trigger like "- after update of title: `deals_add_title_words`". */
function lineOf(definition: string): string {
  const parts = /TRIGGER \S+ (.+?) ON \S+ .*EXECUTE FUNCTION (\w+)\((.*)\)$/s.exec(definition);
  if (!parts) throw new Error(`The trigger has an unknown form: ${definition}`);
  const [, moment = '', name = '', told = ''] = parts;
  const words = moment.replace(/\b[A-Z]+\b/g, (word) => word.toLowerCase());
  return `- ${words}: \`${name}${told && `(${told})`}\``;
}
