import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';

// Ads must never affect the order of deals, stores or search results, so queries that order them
// may not read slots or slot counts.

const root = path.resolve(import.meta.dirname, '../..');
const isOwn = (file: string) => /^app\/(?:features|admin)\/slots\//.test(file);
const sources = projectFiles('*.ts', '*.tsx', '*.sql')
  .filter((file) => /^(?:app|server|database\/functions)\//.test(file))
  .filter((file) => !/\.test\.tsx?$/.test(file) && !isOwn(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

test('names the slot tables only in the trash, the audit log and checks for uses of rows', () => {
  const table = /\b(?:from|join|update|into)\s+slot(?:s|_days)\b|'slot(?:s|_days)'/;
  const naming = sources.filter(({ text }) => table.test(text)).map(({ file }) => file);
  expect(naming.toSorted()).toEqual([
    'app/features/desk/name-things.server.ts',
    'app/features/desk/trash-kinds.ts',
    'app/features/desk/trash-messages.ts',
    'app/features/moved-posts/undo-offers.server.ts',
    'app/features/pictures/picture-uses.server.ts',
  ]);
});

test('reads slots on pages only through the slot component and the root', () => {
  const readers = sources
    .filter(({ text }) => /features\/slots\/(?!slot\.tsx|slot-messages)/.test(text))
    .map(({ file }) => file);
  expect(readers.toSorted()).toEqual([
    'app/api/out-slot-route.ts',
    'app/api/slot-view-route.ts',
    'app/root.tsx',
  ]);
});
