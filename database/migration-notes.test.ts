import { expect, test } from 'vitest';
import { readMigrationTexts } from './migrate.ts';
import { migrationNotes } from './migration-notes.ts';

const noted = new Map(Object.entries(migrationNotes));

test('has one note for every migration up to the last noted one', async () => {
  const names = [...(await readMigrationTexts()).keys()];
  const last = [...noted.keys()].at(-1) ?? '';
  expect([...noted.keys()]).toEqual(names.filter((name) => name <= last));
});

test.each([...noted])(
  'keeps the migration note %s short and addressed to owners',
  (_name, note) => {
    expect(note).toMatch(/^[A-Z][a-z]+ .*\.$/);
    expect(note).not.toMatch(/\b(?:any|some|every|no)body\b|\bwhoever\b|decision|\bR\d\d\b/i);
    for (const sentence of note.split(/\. /)) {
      expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
    }
  },
);
