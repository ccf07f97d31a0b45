import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';
import { accountIslands } from './account-islands.ts';
import { islands as islandsOfAllPages, openedIslands } from './islands.ts';

// A name in the markup and its script are tied by this file alone: nothing else would miss a wrong one until it is touched.

const islands = { ...islandsOfAllPages, ...accountIslands };
const root = path.resolve(import.meta.dirname, '..');
const sources = projectFiles('app/**/*.tsx', 'app/*.tsx')
  .filter((file) => !file.includes('.test.'))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
const inMarkup = (pattern: RegExp) =>
  [...sources.matchAll(pattern)].map(([, a = '', b = '']) => [a, b] as const);

describe('an island', () => {
  const named = inMarkup(/<Island<typeof (\w+)>\s+name="([\w-]+)"/g);

  test('stands in the markup by a name, and each name is there', () => {
    expect(named.length).toBe(
      sources.split('<Island').length - sources.split('<IslandPageContext').length,
    );
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(Object.keys(islands)));
  });

  test.each(named)('%s has the props of what is called %s', async (of, name) => {
    const load = Object.entries(islands).find(([one]) => one === name)?.[1];
    expect((await load?.())?.name).toBe(of);
  });
});

describe('an opened island', () => {
  const named = inMarkup(/\bopens<typeof (\w+)>\(\s*'([\w-]+)'/g);

  test('has a link that opens it', () => {
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(Object.keys(openedIslands)));
  });

  test.each(named)('%s is opened by the name %s', async (of, name) => {
    const load = Object.entries(openedIslands).find(([one]) => one === name)?.[1];
    expect((await load?.())?.name).toBe(of);
  });
});
