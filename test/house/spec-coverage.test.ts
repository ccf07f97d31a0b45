import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const lines = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8').split('\n');
const rows = lines
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Statement '))
  .map(splitRow);

describe('the table of specification and proof', () => {
  test('has four columns in every row', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter((row) => row.length !== 4)).toEqual([]);
  });

  test('names files that exist', () => {
    const missing = rows.flatMap(([statement = '', where = '', proof = '']) =>
      [...where.matchAll(/`([^`]+)`/g), ...proof.matchAll(/`([^`]+)`/g)]
        .map((found) => found[1] ?? '')
        .filter((file) => file.includes('/') && !existsSync(path.join(root, file)))
        .map((file) => `${statement}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  test('names tests that exist, by words that stand in their names', () => {
    const missing = rows.flatMap(([statement = '', , proof = '']) =>
      namedTests(proof)
        .filter(
          ({ file, words }) => words && !namesOfTests(file).some((name) => name.includes(words)),
        )
        .map(({ file, words }) => `${statement}: ${file}: ${words}`),
    );
    expect(missing).toEqual([]);
  });

  test('leaves nothing out that is numbered: sections, decisions, requirements', () => {
    const sections = ['Storefront', 'Back office'].flatMap((document) =>
      Array.from({ length: 9 }, (_, index) => `## ${document} ${index + 1}: `),
    );
    const missing = sections.filter((section) => !lines.some((line) => line.startsWith(section)));
    const decisions = Array.from({ length: 45 }, (_, index) => String(index + 1));
    const lettered = ['7a', '7b', '9a', '18a', '35a', '35b', '35c', '35d'];
    for (const decision of [...decisions, ...lettered]) {
      if (!rows.some(([statement = '']) => tells(statement, decision))) missing.push(decision);
    }
    for (let number = 1; number <= 57; number += 1) {
      const requirement = `R${String(number).padStart(2, '0')}: `;
      if (!rows.some(([statement = '']) => statement.startsWith(requirement))) {
        missing.push(requirement);
      }
    }
    expect(missing).toEqual([]);
  });

  test('says where a row is and which test proves it, or that there is none', () => {
    const silent = rows.filter(
      ([, where = '', proof = '', state = '']) =>
        !state || !where || !(namedTests(proof).length > 0 || /^(no test|-)/.test(proof)),
    );
    expect(silent).toEqual([]);
  });
});

function splitRow(line: string): string[] {
  return line
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(' | ')
    .map((cell) => cell.trim());
}

/** `P15-P16: …` tells of 15 and of 16, `P7, P7a: …` of both. */
function tells(statement: string, decision: string): boolean {
  const [, named = ''] = /^(P[P\da-d, -]+):/.exec(statement) ?? [];
  return named
    .replaceAll('P', '')
    .split(', ')
    .some((part) => {
      const [from = '', to = from] = part.split('-');
      return (
        part === decision || (Number(from) <= Number(decision) && Number(decision) <= Number(to))
      );
    });
}

/** `file.test.ts`: words of its name; `other.test.ts`: … */
function namedTests(proof: string): { file: string; words: string }[] {
  return [...proof.matchAll(/`([^`]+\.(?:test|e2e)\.ts)`(?:: (.*?))?(?=; `|$)/g)].map((found) => ({
    file: found[1] ?? '',
    words: (found[2] ?? '').trim(),
  }));
}

const known = new Map<string, string[]>();

function namesOfTests(file: string): string[] {
  const kept = known.get(file);
  if (kept) return kept;
  if (!existsSync(path.join(root, file))) return [];
  const source = readFileSync(path.join(root, file), 'utf8');
  const names = [
    ...source.matchAll(
      /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)")/g,
    ),
  ].map((found) => (found[1] ?? found[2] ?? found[3] ?? '').replaceAll("\\'", "'"));
  known.set(file, names);
  return names;
}
