import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';
import { accountIslands } from './account-islands.ts';
import { islands as islandsOfAllPages, openedIslands } from './islands.ts';

// Compares the names in the markup with the scripts. Without this test, a wrong name would be
// noticed only when the island is used.

const islands = { ...islandsOfAllPages, ...accountIslands };
const root = path.resolve(import.meta.dirname, '..');
const sources = projectFiles('app/**/*.tsx', 'app/*.tsx')
  .filter((file) => !file.includes('.test.'))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
const inMarkup = (pattern: RegExp) =>
  [...sources.matchAll(pattern)].map(([, a = '', b = '']) => [a, b] as const);

describe('islands', () => {
  const named = inMarkup(/<Island<typeof (\w+)>\s+name="([\w-]+)"/g);

  test('registers an island for every name in the markup, and vice versa', () => {
    expect(named.length).toBe(
      sources.split('<Island').length - sources.split('<IslandPageContext').length,
    );
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(Object.keys(islands)));
  });

  test.each(named)('declares the props of %s for the island %s', async (of, name) => {
    const load = Object.entries(islands).find(([one]) => one === name)?.[1];
    expect((await load?.())?.name).toBe(of);
  });
});

describe('opened islands', () => {
  const named = inMarkup(/\bopens<typeof (\w+)>\(\s*'([\w-]+)'/g);

  test('provides a link to open each island', () => {
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(Object.keys(openedIslands)));
  });

  test.each(named)('opens the island %s by the name %s', async (of, name) => {
    const load = Object.entries(openedIslands).find(([one]) => one === name)?.[1];
    expect((await load?.())?.name).toBe(of);
  });
});
