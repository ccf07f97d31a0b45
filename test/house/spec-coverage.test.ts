import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  coverageFile,
  makeSpecCoverage,
  outOfDate,
  repository,
  type Sources,
} from '../../bin/spec-coverage.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sources = repository();
const { page, problems } = makeSpecCoverage(sources);
const lines = sources.read(coverageFile).split('\n');
const rows = lines
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Statement '))
  .map(splitRow);

describe('the table of statements and tests', () => {
  test('generates the table from the current tags and deviations', () => {
    expect(problems).toEqual([]);
    expect(page === lines.join('\n'), outOfDate).toBe(true);
  });

  test('writes four columns in every row of the table', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter((row) => row.length !== 4)).toEqual([]);
  });

  test('names only existing files in the table', () => {
    const missing = rows.flatMap(([statement = '', where = '', proof = '']) =>
      [...where.matchAll(/`([^`]+)`/g), ...proof.matchAll(/(?:^|; )`([^`]+)`: /g)]
        .map((found) => found[1] ?? '')
        .filter((file) => !existsSync(path.join(root, file)))
        .map((file) => `${statement}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  test('names only existing tests in the table', () => {
    const missing = rows.flatMap(([statement = '', , proof = '']) =>
      namedTests(proof)
        .filter(({ file, name }) => !name || !sources.read(file).includes(name))
        .map(({ file, name }) => `${statement}: ${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('includes every numbered section, decision and requirement in the table', () => {
    const sections = ['Storefront', 'Back office'].flatMap((document) =>
      Array.from({ length: 9 }, (_, index) => `## ${document} ${index + 1}: `),
    );
    const missing = sections.filter(
      (section) =>
        !/^\| [^|]/.test(lines[lines.findIndex((line) => line.startsWith(section)) + 4] ?? ''),
    );
    const lettered = ['7a', '7b', '9a', '18a', '35a', '35b', '35c', '35d'];
    const numbered = [
      ...[...Array.from({ length: 47 }, (_, index) => index + 1), ...lettered].map((n) => `P${n}`),
      ...Array.from({ length: 64 }, (_, index) => `R${String(index + 1).padStart(2, '0')}`),
    ];
    for (const number of numbered) {
      const tells = new RegExp(String.raw`^(?:[PR]\w+, )*${number}(?:, [PR]\w+)*: `);
      if (!rows.some(([statement = '']) => tells.test(statement))) missing.push(number);
    }
    expect(missing).toEqual([]);
  });

  test('names a file and a test in each row of the table, or states that there is no test', () => {
    const silent = rows.filter(
      ([, where, proof = '', difference]) =>
        !where || !(namedTests(proof).length > 0 || (proof === 'no test' && difference)),
    );
    expect(silent).toEqual([]);
  });
});

describe('a tag', () => {
  const files: Record<string, string> = {
    'docs/product-decisions.md': '| P1 | a | b |',
    'docs/security.md': '- R01 closed: holds',
    'docs/spec-deviations.md': '',
    'app/ui/slug.ts': '',
    'app/ui/theme.ts': '',
  };
  const made = (source: string, deviations = '') => {
    const all: Record<string, string> = {
      ...files,
      'app/ui/slug.test.ts': source,
      'docs/spec-deviations.md': deviations,
    };
    const given: Sources = { files: Object.keys(all), read: (file) => all[file] ?? '' };
    const { page: written, problems: found } = makeSpecCoverage(given);
    const left = found.filter((problem) => !problem.includes('neither a test nor'));
    return {
      row: written.split('\n').filter((line) => /^\| (?!Statement)/.test(line)),
      left,
      found,
    };
  };

  test('writes a row for a tag with the file beside its test, or with the files in parentheses', () => {
    expect(made("// Proves R01: slugs\ntest('makes it', f);\n").row).toEqual([
      '| R01: slugs | `app/ui/slug.ts` | `app/ui/slug.test.ts`: makes it | |',
    ]);
    expect(
      made("// Proves P1: look (of all) (theme.ts, ui/slug.ts)\ntest.each([f('x')])('%s', f);\n")
        .row,
    ).toEqual([
      '| P1: look (of all) | `app/ui/slug.ts`, `app/ui/theme.ts` | `app/ui/slug.test.ts`: %s | |',
    ]);
  });

  test('reports an invalid tag', () => {
    expect(made("// Proves R02: a\ntest('b', f);\n").left).toEqual([
      '“R02: a”: there is no “R02”.',
    ]);
    expect(made("// Proves R01: a (gone.ts)\ntest('b', f);\n").left).toEqual([
      'gone.ts: there is no such file, but a statement names it.',
    ]);
    expect(made("// Proves R01: a\nconst b = test('b', f);\n").left).toEqual([
      'app/ui/slug.test.ts: “Proves R01: a” stands above no test.',
    ]);
    expect(made('').found).toContain(
      'R01: neither a test nor docs/spec-deviations.md mentions it.',
    );
  });

  test('requires a tag and a deviation to refer to each other', () => {
    const tag = "// Proves R01: a\ntest('b', f);\n";
    expect(made(tag, '| R01: a | for a reason |').row[0]).toMatch(/: b \| for a reason \|$/);
    expect(made(tag, '| R01: b | for a reason |').left[0]).toContain('no test proves “R01: b”');
    expect(made(tag, '| R01: a | `theme.ts` | none |').left[0]).toContain('“R01: a” has a test');
    expect(made('', '| R01: a | `theme.ts` | none |').row).toEqual([
      '| R01: a | `app/ui/theme.ts` | no test | none |',
    ]);
  });
});

function splitRow(line: string): string[] {
  return line
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(/ \|(?: |$)/)
    .map((cell) => cell.trim());
}

/** Parses a cell such as "`file.test.ts`: its name; `other.test.ts`: …". */
function namedTests(proof: string): { file: string; name: string }[] {
  return [...proof.matchAll(/`([^`]+\.(?:test|e2e)\.ts)`: (.*?)(?=; `|$)/g)].map((found) => ({
    file: found[1] ?? '',
    name: (found[2] ?? '').trim().replaceAll('\\|', '|'),
  }));
}
