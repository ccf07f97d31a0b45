import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** All our texts except migrations, which are never edited once applied. */
const texts = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:tsx?|mjs|css|sql|md)$/.test(file))
  .filter((file) => !file.startsWith('database/migrations/') && !file.endsWith('.test.ts.snap'))
  .map((file) => ({ file, text: read(file) }));

/** Lists each file that quotes an unknown number, with the number. */
function unknown(pattern: RegExp, known: ReadonlySet<string>): string[] {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)]
      .map(([whole, number = whole]) => number)
      .filter((number) => !known.has(number))
      .map((number) => `${file}: ${number}`),
  );
}

const numbersIn = (file: string, row: RegExp) =>
  new Set([...read(file).matchAll(row)].map(([, number = '']) => number));

describe('references in code, tests and documents', () => {
  test('refers only to product decisions in docs/product-decisions.md', () => {
    const known = numbersIn('docs/product-decisions.md', /^\| (P\d+[a-z]?) \|/gm);
    expect(known.size).toBeGreaterThan(50);
    expect(unknown(/(?<![\w-])(P\d{1,2}[a-z]?)(?![\w-])/g, known)).toEqual([]);
  });

  test('refers only to security requirements in docs/security.md', () => {
    const known = numbersIn('docs/security.md', /^- (R\d\d) /gm);
    expect(known.size).toBeGreaterThan(60);
    expect(unknown(/(?<![\w-])(R\d\d)(?!\w)/g, known)).toEqual([]);
  });

  test('refers to decision records in docs/decisions only, by three-digit numbers', () => {
    const records = readdirSync(path.join(root, 'docs/decisions'));
    const known = new Set(records.map((file) => file.slice(0, 3)));
    expect(unknown(/\b[Dd]ecisions?(?: records?)? (\d+)/g, known)).toEqual([]);
  });
});
