import { readFileSync } from 'node:fs';
import path from 'node:path';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { projectFiles } from '#test/import-graph.ts';

// A regular expression that backtracks, or that restarts at each of many repeated characters, takes
// quadratic time or worse. A single feed cell could then block the process for minutes. `scslre`
// finds both kinds.

const priceShape =
  "^(?<before>\\p{L}{1,7}\\.?|(?:\\p{L}{1,3})?\\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?\\s*(?<minus>[-−])?\\s*(?<number>\\d[\\d.,'’_\\s]*(?:e[+-]?\\d{1,2})?)\\s*(?<after>\\p{L}{1,7}\\.?|\\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?$";

/** Expressions, by file, that never run on long texts from visitors, with the limit of the text. */
const bounded: Record<string, Record<string, string>> = {
  'app/features/accounts/passwords/password-hash.server.ts': {
    '=+$': 'base64 of our own, which ends with two of them at most',
  },
  'app/features/feeds/formats/feed-price.ts': {
    [priceShape]: 'a price of more than 100 characters is refused before',
  },
  'app/platform/money.ts': {
    '^\\D+|\\D+$': 'a price of more than 60 characters is refused before',
  },
  'database/primary-client.ts': {
    '^(\\w+:\\/\\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$': 'the owner’s DATABASE_URL',
  },
};

/** Files that build expressions, with the limit of the text or the expression. */
const built: Record<string, string> = {
  'app/features/imported-lists/listed-product.ts': 'the last 40 characters of a line',
  'app/features/search/read-typed-filters.ts': 'a search of at most 100 characters',
  'app/features/search/split-typed.ts': 'one of several plain words, without repetition',
  'app/platform/mail/mail-address.server.ts': 'at most 64 characters before the @',
  'app/platform/money.ts': 'a price of at most 60 characters',
  'app/platform/page-cache-rules.ts': 'anchored, each part ends at a slash',
  'database/embedded/cluster-place.ts': 'a note that the site wrote',
  'database/fold-text.ts': 'one character of a class',
  'database/s3-bucket.ts': 'an element that ends at the next bracket',
  'server/accepted-encoding.ts':
    'a header, which Node limits to 16 KB; it starts at each comma alone',
  'server/route-names.ts': 'anchored, each part ends at a slash',
};

const root = path.resolve(import.meta.dirname, '../..');
const isSource = (file: string) => /^(?:app|server|database)\//.test(file);
const sources = projectFiles('*.ts', '*.tsx')
  .filter((file) => isSource(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

interface Expression {
  pattern: string;
  flags: string;
}

/** Returns the literal expressions in a file, and whether the file builds others. */
function expressionsOf(file: string, text: string): { literals: Expression[]; builds: boolean } {
  const literals: Expression[] = [];
  let builds = false;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    if ('regex' in node) literals.push(node.regex as Expression);
    if ('type' in node && node.type === 'NewExpression' && 'callee' in node) {
      const { callee } = node;
      builds ||=
        typeof callee === 'object' &&
        callee !== null &&
        'name' in callee &&
        callee.name === 'RegExp';
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return { literals, builds };
}

const isSlow = ({ pattern, flags }: Expression) =>
  analyse({ source: pattern, flags }).reports.length > 0;

const found = sources.map(({ file, text }) => ({ file, ...expressionsOf(file, text) }));

test('limits regular expressions to linear time, unless their input is limited', () => {
  const slow = found.flatMap(({ file, literals }) =>
    literals
      .filter((one) => isSlow(one) && bounded[file]?.[one.pattern] === undefined)
      .map((one) => `${file}: /${one.pattern}/${one.flags}`),
  );
  expect(slow).toEqual([]);
  expect(isSlow({ pattern: '\\s+$', flags: '' })).toBe(true);
  expect(isSlow({ pattern: '(?<!\\s)\\s+$', flags: '' })).toBe(false);
});

test('limits the input of each regular expression built at runtime', () => {
  const files = found.filter(({ builds }) => builds).map(({ file }) => file);
  expect(files.filter((file) => built[file] === undefined)).toEqual([]);
});

test('lists no unused exceptions for regular expressions', () => {
  const isThere = (file: string, pattern: string) =>
    found.some((one) => one.file === file && one.literals.some((two) => two.pattern === pattern));
  const left = Object.entries(bounded).flatMap(([file, patterns]) =>
    Object.keys(patterns).filter((pattern) => !isThere(file, pattern)),
  );
  const leftBuilt = Object.keys(built).filter(
    (file) => !found.some((one) => one.file === file && one.builds),
  );
  expect([...left, ...leftBuilt]).toEqual([]);
});
