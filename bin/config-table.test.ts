import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';
import { configTable, withConfigTable } from './config-table.ts';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

it('describes each setting', () => {
  const table = configTable();
  for (const [name, schema] of Object.entries(environmentSchema.shape)) {
    expect([name, schema.description]).toEqual([name, expect.stringMatching(/\w{3}/)]);
    expect(table).toContain(`| \`${name}\` |`);
  }
  expect(table).toContain('| `PORT` | `3000` | Port the site listens on |');
});

it('puts the table between its markers and leaves the rest alone', () => {
  const text = 'before\n<!-- config-table -->\nthe previous table\n<!-- /config-table -->\nafter\n';
  const updated = withConfigTable(text) ?? '';
  expect(updated).toMatch(/^before\n/);
  expect(updated).toMatch(/\nafter\n$/);
  expect(updated).not.toContain('the previous table');
  expect(withConfigTable(updated)).toBe(updated);
  expect(withConfigTable('no markers')).toBeNull();
});

it.runIf(existsSync(readme))('is up to date in README.md', () => {
  const text = readFileSync(readme, 'utf8');
  expect(withConfigTable(text)).toBe(text);
});
