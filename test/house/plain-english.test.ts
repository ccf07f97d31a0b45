import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';
import { backOfficeWords } from './back-office-words.ts';
import { findFaults } from './plain-english.ts';
import { storefrontWords } from './product-words.ts';

const root = path.resolve(import.meta.dirname, '../..');
const quoted = new Set([...storefrontWords, ...backOfficeWords].flatMap(({ words }) => words));
/** Files with quoted texts, or with examples of what the rules forbid. */
const lists =
  /^test\/house\/(?:product-words|back-office-words|plain-english|plain-english\.test)\.ts$/;
const faults = projectFiles('*.ts', '*.tsx', '*.mjs', 'database/functions/*.sql')
  .filter((file) => !lists.test(file))
  .flatMap((file) => findFaults(file, readFileSync(path.join(root, file), 'utf8'), quoted));
const shown = (rule: string) =>
  faults.filter((fault) => fault.rule === rule).map(({ at, text }) => `${at}: ${text}`);

describe('plain English', () => {
  test('begins comments with a noun or a third-person verb', () => {
    expect(shown('beginning')).toEqual([]);
  });

  test('names the subject in each sentence of a comment, instead of It or They', () => {
    expect(shown('pronoun')).toEqual([]);
  });

  test('begins test names with a third-person verb', () => {
    expect(shown('test name')).toEqual([]);
  });

  test('limits sentences of comments and hints to 25 words', () => {
    expect(shown('long sentence')).toEqual([]);
  });

  test('uses standard terms in comments, test names and screens', () => {
    expect(shown('banned word')).toEqual([]);
  });

  test('writes "10%" without a space on screens', () => {
    expect(shown('percent sign')).toEqual([]);
  });
});

/** House words that must not begin an exported name. */
const houseWords =
  /^export (?:async )?(?:function\*?|const|class|interface|type) (?:kept|Kept|hears?|tells?|says?|said|look|Look|Finding|finding|[mM]end|[rR]ehears|unsure|standIn|StandIn|[wW]alk|told|Told|letter|Letter)(?![a-z])\w*/gm;

describe('exported names', () => {
  test('uses standard terms instead of house words', () => {
    const found = projectFiles('app/*.ts', 'app/*.tsx', 'server/*.ts', 'database/*.ts', 'e2e/*.ts')
      .flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(houseWords)])
      .map(([line]) => line);
    expect(found).toEqual([]);
  });

  test.each([
    'export function keptSettings()',
    'export interface Look {',
    'export const tellRun =',
  ])('finds a house word in %j, but not in longer words', (line) => {
    expect([...line.matchAll(houseWords)]).toHaveLength(1);
    expect([...'export const lookup = 1;\nexport const sayings = 2;'.matchAll(houseWords)]).toEqual(
      [],
    );
  });
});

describe('a violation of plain English', () => {
  const rulesOf = (file: string, source: string) =>
    findFaults(file, source, new Set(['At least 80 % off'])).map(({ rule }) => rule);

  test.each([
    ['// What a page shows.\nf();', ['beginning']],
    ['/** Of a deal: its price. */\nf();', ['beginning']],
    ['// Returns what\n// of it is left.\nf();', []],
    ['// Proves R01: what a page shows (a.ts)\nf();', []],
    ['// Whoever asks gets a page.\nf();', ['beginning', 'banned word']],
    ['/** Returns a page. It is cached. */\nf();', ['pronoun']],
    ['/** Return the page. */\nf();', ['beginning']],
    ['// Sends all mails, as `mails.server.ts` lists them.\nf();', ['banned word']],
    ['// Refuses a file that is no export.\nf();', ['banned word']],
    ['// Deletes deals that are no longer listed.\nf();', []],
    ['// Keeps the feed, also while it fails.\nf();', ['banned word']],
    ['f(); // `whoever` is a name in code', []],
    [`// ${'word '.repeat(25)}end.\nf();`, ['long sentence']],
    [`// ${'word '.repeat(20)}end. ${'Word '.repeat(20)}end.\nf();`, []],
    [`// ${'word '.repeat(20)}\n//   node a.ts   ${'word '.repeat(20)}\nf();`, []],
  ])('finds in the comment %j: %j', (source, found) => {
    expect(rulesOf('server/a.ts', source)).toEqual(found);
  });

  test('finds faults in test names, including computed ones and tables', () => {
    expect(rulesOf('server/a.test.ts', "test('of a page', () => {});")).toEqual([
      'beginning',
      'test name',
    ]);
    expect(rulesOf('server/a.test.ts', "test.each([1])('what %i is', () => {});")).toEqual([
      'beginning',
      'test name',
    ]);
    expect(rulesOf('server/a.test.ts', 'describe(`those of ${name}`, () => {});')).toEqual([
      'beginning',
    ]);
  });

  test.each([
    ['is cached', ['test name']],
    ['a page is cached', ['test name']],
    ['R19: caches a page', []],
    ['P3 and P4: never caches a page', []],
    ['%s', ['test name']],
  ])('checks the beginning of the test name %j: %j', (name, found) => {
    expect(rulesOf('server/a.test.ts', `test('${name}', () => {});`)).toEqual(found);
  });

  test('finds faults in the text and attributes of screens, unless the specification quotes them', () => {
    expect(rulesOf('app/ui/a.tsx', 'f(<p>{n} % off</p>, <p>At least 80 % off</p>);')).toEqual([
      'percent sign',
    ]);
    expect(rulesOf('app/ui/a.tsx', 'f(<p>Now 80 % off</p>, `${n} % off`);')).toEqual([
      'percent sign',
      'percent sign',
    ]);
    expect(rulesOf('app/ui/a.tsx', 'f(<Field hint="For somebody else." />);')).toEqual([
      'banned word',
    ]);
  });

  test('finds faults in comments of SQL functions', () => {
    expect(rulesOf('database/functions/a.sql', '-- What it was.\nselect 1; -- of it\n')).toEqual([
      'beginning',
      'beginning',
    ]);
  });
});
