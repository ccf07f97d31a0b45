import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';

// Automatic checks of the documents: files, commands, settings and numbers that they name.

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
const security = read('docs/security.md');

describe('the documents', () => {
  test('link to files that exist', () => {
    const broken = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('name commands that exist', () => {
    const known = new Set(
      [...read('server/command-line.ts').matchAll(/^ {2}'?([\w-]+)'?: async \(\) =>/gm)].map(
        ([, name]) => name,
      ),
    );
    const unknown = ['README.md', 'docs/operations.md'].flatMap((file) =>
      [...read(file).matchAll(/(?:`|-- |^ {4}(?:npm run )?)deals (?:-- )?([a-z-]+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: deals ${name}`),
    );
    expect(known.size).toBeGreaterThan(9);
    expect(unknown).toEqual([]);
  });

  test('name settings that exist', () => {
    const settings = new Set(Object.keys(environmentSchema.shape));
    const unknown = ['README.md', 'docs/operations.md'].flatMap((file) =>
      [...read(file).matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !settings.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('docs/security.md, requirement by requirement', () => {
  const coverage = read('docs/spec-coverage.md');
  const lines = [...security.matchAll(/^- (R\d\d) (.*)$/gm)].map(([, number = '', text = '']) => ({
    number,
    text,
    files: [...coverage.matchAll(/^\| .* \|$/gm)]
      .filter(([row]) => row.split(': ')[0]?.includes(number))
      .flatMap(([row]) => [...row.matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`: /g)])
      .map(([, file = '']) => file),
  }));

  test('has a line for each of the 64', () => {
    const numbers = Array.from({ length: 64 }, (_, n) => `R${String(n + 1).padStart(2, '0')}`);
    expect(lines.map(({ number }) => number)).toEqual(numbers);
  });

  test('names tests that exist, at least one of which names the requirement', () => {
    const missing = lines.flatMap(({ number, files }) =>
      files.filter((file) => !existsSync(join(root, file))).map((file) => `${number}: ${file}`),
    );
    expect(missing).toEqual([]);
    const unnamed = lines.filter(
      ({ number, files }) => files.length > 0 && !files.some((file) => read(file).includes(number)),
    );
    expect(unnamed).toEqual([]);
  });

  test('lists no requirement as held without a test', () => {
    expect(
      lines.filter(({ text, files }) => text.includes(': holds') && files.length === 0),
    ).toEqual([]);
  });
});
