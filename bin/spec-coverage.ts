// Writes docs/spec-coverage.md, or (--check) checks that it is up to date. Its sources are
// docs/spec-deviations.md and comments right above a test or a describe. Each source has a
// statement and, unless the file is beside the test, the file that the statement is about:
//   // Proves Storefront 2: Deal card: favorite toggle (favorite-toggle.tsx)
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { backOfficeWords } from '#test/house/back-office-words.ts';
import { storefrontWords } from '#test/house/product-words.ts';

const root = path.resolve(import.meta.dirname, '..');
export const coverageFile = 'docs/spec-coverage.md';
const deviationsFile = 'docs/spec-deviations.md';
export const outOfDate = `${coverageFile} is out of date: npm run spec-coverage updates it.`;
const intro = `# Specification and proof

Each statement of the specification, where it is built, and which test proves it: one table for each section of its two
documents, then the [product decisions](product-decisions.md), the [security requirements](security.md) and the design. The last
column is empty if the site does exactly what the statement says.

\`npm run spec-coverage\` generates this page from comments above tests, such as
\`// Proves Storefront 2: Deal card: favorite toggle (favorite-toggle.tsx)\`, and from [spec-deviations.md](spec-deviations.md), which
says what differs and what no test proves. \`test/house/spec-coverage.test.ts\` fails if the page is outdated or a number is
missing. \`test/house/product-words.test.ts\` finds each quoted label and message in the code.
`;
const topics =
  'what it does and for whom, screens and routes, entities, states and transitions, validation, roles, calls, errors, constants';

export interface Sources {
  files: readonly string[];
  read: (file: string) => string;
  /** The specification's quotes that were replaced by other text, with the reasons. */
  replaced?: Readonly<Record<string, string>>;
}

interface Row {
  statement: string;
  where: Set<string>;
  tests: Set<string>;
  difference: string;
}

/** Returns the page, and the problems of the tags and deviations that it is generated from. */
export function makeSpecCoverage(sources: Sources): { page: string; problems: string[] } {
  const problems: string[] = [];
  const rows = new Map<string, Row>();
  readTags(sources, rows, problems);
  readDeviations(sources, rows, problems);
  const sections = sectionsOf(sources);
  const known = new Set(sections.flatMap(({ numbers }) => numbers));
  const found = new Set([...rows.keys()].flatMap(numbersOf));
  for (const { statement, where } of rows.values()) {
    for (const number of numbersOf(statement)) {
      if (!known.has(number)) problems.push(`“${statement}”: there is no “${number}”.`);
    }
    if (where.size === 0) problems.push(`“${statement}”: name the file in brackets at its end.`);
  }
  for (const number of known) {
    if (!found.has(number))
      problems.push(`${number}: neither a test nor ${deviationsFile} mentions it.`);
  }
  const order = new Intl.Collator('en', { numeric: true });
  const inOrder = [...rows.values()].sort((a, b) => order.compare(a.statement, b.statement));
  const tables = sections.map(({ title, numbers }) =>
    [
      `\n## ${title}\n\n| Statement | Where | Test | What differs |\n|---|---|---|---|`,
      ...inOrder
        .filter(({ statement }) => numbers.includes(numbersOf(statement)[0] ?? ''))
        .map(lineOf),
    ].join('\n'),
  );
  const parts = [intro.trimEnd(), ...tables, ...replacedWords(sources)];
  return { page: `${parts.join('\n')}\n`, problems: [...new Set(problems)] };
}

/** The specification's quotes that no page shows, because other text replaced them. */
function replacedWords({ replaced = {} }: Sources): string[] {
  const lines = Object.entries(replaced).map(([words, reason]) => `- “${words}”: ${reason}`);
  if (lines.length === 0) return [];
  return [`\n## Quoted texts that were replaced\n\n${lines.join('\n')}`];
}

function readTags({ files, read }: Sources, rows: Map<string, Row>, problems: string[]): void {
  for (const file of files.filter((name) => /\.(?:test|e2e)\.tsx?$/.test(name))) {
    const text = read(file);
    for (const { 0: tag, 1: told = '', index } of text.matchAll(/^ *\/\/ Proves (.+)\n/gm)) {
      const name = nameOfTest(text.slice(index + tag.length));
      if (name === null) problems.push(`${file}: “Proves ${told}” stands above no test.`);
      const { statement, names } = withoutFiles(told);
      const row = rowOf(rows, statement);
      row.tests.add(`\`${file}\`: ${name}`);
      const where = names.length > 0 ? pathsOf(names, files, problems) : besides(file, files);
      for (const place of where) row.where.add(place);
    }
  }
}

/**
 * Reads the two tables of docs/spec-deviations.md: proved deviations, and statements without a
 * test.
 */
function readDeviations(
  { files, read }: Sources,
  rows: Map<string, Row>,
  problems: string[],
): void {
  for (const [line] of read(deviationsFile).matchAll(/^\| (?!Statement ).+ \|$/gm)) {
    const cells = line.slice(2, -2).split(' | ');
    const [statement = '', difference = ''] = [cells[0], cells.at(-1)];
    const isProved = rows.has(statement);
    if (cells.length === 2 && !isProved) {
      problems.push(`${deviationsFile}: no test proves “${statement}”; was it renamed?`);
    } else if (cells.length === 3 && isProved) {
      problems.push(`${deviationsFile}: “${statement}” has a test; move it to the first table.`);
    }
    const row = rowOf(rows, statement);
    row.difference = difference;
    const names = cells.length === 3 ? (cells[1] ?? '').replaceAll('`', '').split(', ') : [];
    for (const place of pathsOf(names, files, problems)) row.where.add(place);
  }
}

function rowOf(rows: Map<string, Row>, statement: string): Row {
  const empty = { statement, where: new Set<string>(), tests: new Set<string>(), difference: '' };
  const row = rows.get(statement) ?? empty;
  rows.set(statement, row);
  return row;
}

/**
 * Returns the name of the test or describe that begins here, possibly after more comments, or null.
 */
function nameOfTest(text: string): string | null {
  if (!/^(?: *\/\/.*\n)*\s*(?:test|it|describe)\b/.test(text)) return null;
  const [, single, template, double] =
    /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)")/.exec(
      text.replace(/^(?: *\/\/.*\n)*/, ''),
    ) ?? [];
  return (single ?? template ?? double ?? '').replaceAll("\\'", "'").replaceAll('|', '\\|');
}

/**
 * Splits `Storefront 2: Deal card (deal-card.tsx, deal-badge.tsx)` into the statement and the names
 * in brackets.
 */
function withoutFiles(told: string): { statement: string; names: string[] } {
  const [, statement = told, names = ''] =
    /^(.*\S) \(((?:[\w./-]+(?:\.\w+|\/)(?:, |(?=\)$)))+)\)$/.exec(told) ?? [];
  return { statement, names: names.split(', ').filter(Boolean) };
}

/**
 * Returns the paths of the named files. A tag states as much of a path as is needed to make it
 * unique.
 */
function pathsOf(names: string[], files: readonly string[], problems: string[]): string[] {
  return names.map((name) => {
    const isFolder = name.endsWith('/') && files.some((file) => file.startsWith(name));
    const found = isFolder ? [name] : files.filter((file) => `/${file}`.endsWith(`/${name}`));
    if (found.length === 0)
      problems.push(`${name}: there is no such file, but a statement names it.`);
    if (found.length > 1) problems.push(`${name}: write more of the path: ${found.join(' or ')}.`);
    return found[0] ?? name;
  });
}

/** Returns the file that a test is about: `slug.ts` for `slug.test.ts`. */
function besides(test: string, files: readonly string[]): string[] {
  const stem = test.replace(/\.test\.tsx?$/, '');
  return files.filter((file) =>
    ['.ts', '.tsx', '.server.ts', '.mjs'].some((end) => file === stem + end),
  );
}

/** Returns the numbers of a statement: P7 and P7a for `P7, P7a: claims`. */
function numbersOf(statement: string): string[] {
  return statement.slice(0, Math.max(0, statement.indexOf(': '))).split(', ');
}

function sectionsOf({ read }: Sources): { title: string; numbers: string[] }[] {
  const numbersIn = (file: string, row: RegExp) =>
    [...read(file).matchAll(row)].map(([, number = '']) => number);
  return [
    ...['Storefront', 'Back office'].flatMap((document) =>
      topics.split(', ').map((topic, index) => ({
        title: `${document} ${index + 1}: ${topic}`,
        numbers: [`${document} ${index + 1}`],
      })),
    ),
    {
      title: 'Decisions',
      numbers: numbersIn('docs/product-decisions.md', /^\| (P\d+[a-z]?) \|/gm),
    },
    { title: 'Security requirements', numbers: numbersIn('docs/security.md', /^- (R\d\d) /gm) },
    { title: 'Design', numbers: ['Design'] },
  ];
}

function lineOf({ statement, where, tests, difference }: Row): string {
  const cells = [
    // The text as it appears in the heading.
    statement.replace(/^(?:Storefront|Back office|Design)[ \d]*: /, ''),
    [...where]
      .sort()
      .map((file) => `\`${file}\``)
      .join(', '),
    [...tests].sort().join('; ') || 'no test',
    difference,
  ];
  return `| ${cells.join(' | ')} |`.replace('|  |', '| |');
}

export function repository(): Sources {
  const list = ['ls-files', '-co', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => existsSync(path.join(root, file)));
  const replaced = Object.assign(
    {},
    ...[...storefrontWords, ...backOfficeWords].map((place) => place.replaced),
  );
  return { files, read: (file) => readFileSync(path.join(root, file), 'utf8'), replaced };
}

if (import.meta.main) {
  const sources = repository();
  const { page, problems } = makeSpecCoverage(sources);
  if (process.argv[2] !== '--check') writeFileSync(path.join(root, coverageFile), page);
  else if (sources.read(coverageFile) !== page) problems.push(outOfDate);
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
