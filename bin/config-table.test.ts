import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';
import { configTable, withConfigTable } from './config-table.ts';

const settings = fileURLToPath(new URL('../docs/settings.md', import.meta.url));

it('describes each setting in the settings table', () => {
  const table = configTable();
  for (const [name, schema] of Object.entries(environmentSchema.shape)) {
    expect([name, schema.description]).toEqual([name, expect.stringMatching(/\w{3}/)]);
    expect(table).toContain(`| \`${name}\` |`);
  }
  expect(table).toContain('| `PORT` | `3000` | Port the site listens on |');
});

it('writes the settings table between its markers and leaves the rest of the file unchanged', () => {
  const text = 'before\n<!-- config-table -->\nthe previous table\n<!-- /config-table -->\nafter\n';
  const updated = withConfigTable(text) ?? '';
  expect(updated).toMatch(/^before\n/);
  expect(updated).toMatch(/\nafter\n$/);
  expect(updated).not.toContain('the previous table');
  expect(withConfigTable(updated)).toBe(updated);
  expect(withConfigTable('no markers')).toBeNull();
});

it('keeps docs/settings.md up to date', async () => {
  const updated = withConfigTable(readFileSync(settings, 'utf8'));
  expect(updated).not.toBeNull();
  await expect(updated).toMatchFileSnapshot(settings);
});
