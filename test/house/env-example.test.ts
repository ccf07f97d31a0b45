import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { advancedSettings, environmentSchema } from '#app/platform/environment-schema.server.ts';

const root = new URL('../../', import.meta.url);
const head = `# Settings of the site. Copy this file to .env, remove the # before a line, and restart the site.
# Empty values count as unset. test/house/env-example.test.ts writes this file: npm run t -- test/house/env-example.test.ts -u
`;
/** Settings that commands set, so that a line in .env would be misleading. */
const ofCommands = new Set(['NODE_ENV']);
const settings = Object.entries(environmentSchema.shape)
  .filter(([name]) => !ofCommands.has(name))
  .toSorted(
    ([one], [other]) => Number(advancedSettings.has(one)) - Number(advancedSettings.has(other)),
  );

test('lists every setting with its default in .env.example', async () => {
  const firstAdvanced = settings.find(([name]) => advancedSettings.has(name))?.[0];
  const entries = settings.map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data;
    const shown = fallback === undefined || Array.isArray(fallback) ? '' : String(fallback);
    const words = (schema.description ?? '').replaceAll('`', '');
    const heading = name === firstAdvanced ? '\n# --- Advanced ---\n' : '';
    return `${heading}\n${comment(words)}\n#${name}=${quoted(shown)}\n`;
  });
  await expect(head + entries.join('')).toMatchFileSnapshot(new URL('.env.example', root).pathname);
});

test('accepts every default in .env.example when its line is uncommented', () => {
  for (const [name, schema] of settings) {
    const fallback = schema.safeParse(undefined).data;
    if (fallback === undefined || Array.isArray(fallback)) continue;
    const read = parseEnv(`${name}=${quoted(String(fallback))}`)[name];
    expect([name, schema.safeParse(read).data]).toEqual([name, fallback]);
  }
});

function quoted(value: string): string {
  return /[\s#"']/.test(value) ? `"${value}"` : value;
}

/** Wraps at 110 characters. */
function comment(words: string): string {
  const lines = [''];
  for (const word of words.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length > 110) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}
