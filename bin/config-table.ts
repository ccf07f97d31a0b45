// Generates the tables of docs/settings.md from the environment's schema.
import { advancedSettings, environmentSchema } from '#app/platform/environment-schema.server.ts';

const begin = '<!-- config-table: written by `npm run t -- bin/config-table.test.ts -u` -->';
const end = '<!-- /config-table -->';

type Setting = [string, (typeof environmentSchema.shape)[keyof typeof environmentSchema.shape]];

/** Returns Markdown: a table with one row per setting, and a second one under "Advanced". */
export function configTable(): string {
  const all = Object.entries(environmentSchema.shape);
  const usual = all.filter(([name]) => !advancedSettings.has(name));
  const advanced = all.filter(([name]) => advancedSettings.has(name));
  return [...tableOf(usual), '', '## Advanced', '', ...tableOf(advanced)].join('\n');
}

function tableOf(settings: readonly Setting[]): string[] {
  const rows = settings.map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data;
    const shown =
      fallback === undefined || Array.isArray(fallback) ? '' : `\`${String(fallback)}\``;
    return `| \`${name}\` | ${shown} | ${schema.description ?? ''} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows];
}

/** Returns the text with the current table between its markers, or null if there are no markers. */
export function withConfigTable(text: string): string | null {
  const from = text.indexOf('<!-- config-table');
  const to = text.indexOf(end);
  if (from < 0 || to < from) return null;
  return `${text.slice(0, from)}${begin}\n${configTable()}\n${text.slice(to)}`;
}
