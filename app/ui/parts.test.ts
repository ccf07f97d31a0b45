import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const app = path.join(import.meta.dirname, '..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: app }).map((file) => readFileSync(path.join(app, file), 'utf8'));

const names = new Set(
  [
    ...readFileSync(path.join(import.meta.dirname, 'parts.css'), 'utf8').matchAll(
      /^ +\.([\w-]+)/gm,
    ),
  ].map(([, name]) => name),
);
const composed = read('**/*.module.css').flatMap((css) =>
  [...css.matchAll(/composes: ([^;]+) from global/g)].flatMap(([, list = '']) => list.split(' ')),
);

test('defines every CSS class that a module composes', () => {
  expect(composed.length).toBeGreaterThan(100);
  expect(composed.filter((name) => !names.has(name))).toEqual([]);
});

test('defines no CSS class that nothing uses', () => {
  const markup = read('**/*.tsx').join('\n');
  const isUsed = (name = '') =>
    composed.includes(name) || new RegExp(`class.*["'\`][^"'\`]*\\b${name}\\b`).test(markup);
  expect([...names].filter((name) => !isUsed(name))).toEqual([]);
});
