// Prints the table of settings from the environment's schema, writes it into README.md, or
// (--check) checks that README.md is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const begin = '<!-- config-table: written by bin/config-table.ts --write -->';
const end = '<!-- /config-table -->';

/** Markdown, one row per setting. */
export function configTable(): string {
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data;
    const shown =
      fallback === undefined || Array.isArray(fallback) ? '' : `\`${String(fallback)}\``;
    return `| \`${name}\` | ${shown} | ${schema.description ?? ''} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The text with the present table between its markers; null if there are no markers. */
export function withConfigTable(text: string): string | null {
  const from = text.indexOf('<!-- config-table');
  const to = text.indexOf(end);
  if (from < 0 || to < from) return null;
  return `${text.slice(0, from)}${begin}\n${configTable()}\n${text.slice(to)}`;
}

if (import.meta.main) {
  const mode = process.argv[2];
  if (mode === undefined) process.stdout.write(`${begin}\n${configTable()}\n${end}\n`);
  else {
    const text = readFileSync(readme, 'utf8');
    const updated = withConfigTable(text);
    if (updated === null) throw new Error('README.md has no markers for the table of settings.');
    if (mode === '--write') writeFileSync(readme, updated);
    else if (updated !== text) {
      process.stderr.write(
        'The table of settings in README.md is out of date: --write updates it.\n',
      );
      process.exitCode = 1;
    }
  }
}
