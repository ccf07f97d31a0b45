import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { projectFiles } from '#test/import-graph.ts';

/** A syntax node: `type` is its ESTree name. */
interface Part extends Record<string, unknown> {
  type: string;
  start: number;
  end: number;
}

interface Long {
  at: string;
  lines: number;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const isTest = (file: string) => /\.(?:test\.tsx?|e2e\.ts)$|^(?:test|e2e)\//.test(file);
const files = projectFiles('*.ts', '*.tsx', '*.mjs');
const countLines = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
const sources = files.filter((file) => !isTest(file)).map((file) => examine(file, read(file)));

test('limits source files to 350 lines', () => {
  const long = sources.filter(({ lines }) => lines > 350);
  expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([]);
});

test('limits functions to 80 lines, and components to 120', () => {
  const functions = sources.flatMap((one) => one.functions.filter(({ lines }) => lines > 80));
  const components = sources.flatMap((one) => one.components.filter(({ lines }) => lines > 120));
  expect([...functions, ...components].map(({ at, lines }) => `${at}: ${lines} lines`)).toEqual([]);
});

test('limits type casts to one in a thousand lines', () => {
  const casts = sources.flatMap((one) => one.casts);
  const most = Math.floor(countLines(sources.map(({ text }) => text)) / 1_000);
  expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(most);
});

test('requires at least eight lines of tests for every ten lines of source', () => {
  const tests = countLines(files.filter(isTest).map(read));
  expect(tests / countLines(sources.map(({ text }) => text))).toBeGreaterThanOrEqual(0.8);
});

test('distinguishes functions, components and casts', () => {
  const found = examine(
    'app/ui/a.tsx',
    `import { b as c } from './b.ts';
const one = (x: unknown) => x as string;
const two = ['a'] as const;
export function Shown() {
  return <p />;
}
class Kept {
  all() {}
}`,
  );
  const list = (parts: Long[]) => parts.map(({ at, lines }) => `${at} ${lines}`);
  expect(list(found.functions)).toEqual(['app/ui/a.tsx:2 1', 'app/ui/a.tsx:8 1']);
  expect(list(found.components)).toEqual(['app/ui/a.tsx:4 3']);
  expect(found.casts).toEqual(['app/ui/a.tsx:2']);
});

/** A component is a function that contains JSX. */
function examine(file: string, text: string) {
  const functions: Long[] = [];
  const components: Long[] = [];
  const casts: string[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const visit = (part: Part, holders: { hasMarkup: boolean }[]): void => {
    const isFunction = /^(?:Arrow)?Function/.test(part.type);
    const own = { hasMarkup: false };
    const inside = isFunction ? [...holders, own] : holders;
    if (/^JSX(?:Element|Fragment)$/.test(part.type))
      for (const one of holders) one.hasMarkup = true;
    if (part.type === 'TSAsExpression' && !/\bas const$/.test(text.slice(part.start, part.end))) {
      casts.push(`${file}:${lineOf(part.start)}`);
    }
    for (const child of partsIn(part)) visit(child, inside);
    if (!isFunction) return;
    const [first, last] = [lineOf(part.start), lineOf(part.end)];
    const kind = own.hasMarkup ? components : functions;
    kind.push({ at: `${file}:${first}`, lines: last - first + 1 });
  };
  const { program, errors } = parseSync(file, text);
  expect(errors.map(({ message }) => `${file}: ${message}`)).toEqual([]);
  for (const part of partsIn(program)) visit(part, []);
  return { file, text, lines: countLines([text]), functions, components, casts };
}

function partsIn(holder: object): Part[] {
  return Object.values(holder).flat().filter(isPart);
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
