import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = projectFiles('app/*.ts', 'app/*.tsx').filter((file) => !/\.test\.tsx?$/.test(file));

const tables = new Set(
  projectFiles('database/migrations/*.sql').flatMap((file) =>
    [...read(file).matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)].map(([, name]) => name),
  ),
);
/** Reads the list in docs/architecture.md. */
const own = new Set(
  [
    ...(
      /no table but those of its own machinery:([^.]*)\./.exec(read('docs/architecture.md'))?.[1] ??
      ''
    ).matchAll(/`(\w+)`/g),
  ].map(([, name]) => name),
);

/** Returns the tables that a file reads or writes. */
function tablesIn(text: string): string[] {
  const named = text.matchAll(
    /\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w+Join)\(\s*'(\w+)|\b(?:from|into|update|join|table)\s+(\w+)/g,
  );
  const names = [...named].map(([, built, written]) => built ?? written ?? '');
  return [...new Set(names)].filter((name) => tables.has(name));
}

test('uses only the platform’s own tables in app/platform', () => {
  const foreign = sources
    .filter((file) => file.startsWith('app/platform/'))
    .flatMap((file) =>
      tablesIn(read(file))
        .filter((name) => !own.has(name))
        .map((name) => `${file}: ${name}`),
    );
  expect(foreign).toEqual([]);
});

test('R42: reads and writes the audit log only in its own module', () => {
  const others = sources.filter(
    (file) => !file.startsWith('app/platform/audit/') && tablesIn(read(file)).includes('audit_log'),
  );
  expect(others).toEqual([]);
});
