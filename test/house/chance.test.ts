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

const root = path.resolve(import.meta.dirname, '../..');
const isOwn = (file: string) => path.join(root, file) === import.meta.filename;
const tests = projectFiles('*.test.ts', '*.test.tsx', 'e2e/*.ts')
  .filter((file) => !isOwn(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
const everywhere = (find: (text: string, file: string) => number[], instead: string) =>
  tests.flatMap(({ file, text }) =>
    find(text, file).map((at) => `${file}:${text.slice(0, at).split('\n').length}: ${instead}`),
  );

/** Files that may pause, because time itself is their subject or they poll without a limit. */
const mayPause = new Set([
  'app/features/price-alerts/alerts-in-lots.test.ts',
  'app/features/price-alerts/alerts-survive-crashes.test.ts',
  'app/features/watched-searches/searches-in-lots.test.ts',
  'app/platform/outboxes.test.ts',
  'database/primary-client.test.ts',
  'e2e/dead-controls.ts',
  'server/scale-out/standbys.test.ts',
  'server/scale-out/varnish.test.ts',
]);
const pause = /'node:timers\/promises'|\bsetTimeout\(|\.waitForTimeout\(|\bAbortSignal\.timeout\(/g;

test('waits in tests for a condition instead of a fixed time', () => {
  const find = (text: string, file: string) => (mayPause.has(file) ? [] : placesOf(pause, text));
  const instead =
    'wait for the thing itself: `expect.poll(…)`, an event, `page.clock` in a browser';
  expect(everywhere(find, instead)).toEqual([]);
  for (const one of [
    "from 'node:timers/promises'",
    'setTimeout(done, 50)',
    'AbortSignal.timeout(5)',
  ])
    expect(find(one, 'a.test.ts')).toHaveLength(1);
});

test('uses timeouts long enough for a busy server', () => {
  const instead = 'say `timeout: 30_000`, or nothing to `expect.poll`, which waits as long';
  expect(everywhere(shortWaits, instead)).toEqual([]);
  expect(shortWaits('expect.poll(is, { interval: 5, timeout: 2_000 })')).toHaveLength(1);
  expect(shortWaits('await vi.waitFor(() => expect(is).toBe(true));')).toHaveLength(1);
  expect(shortWaits('await button.waitFor({ timeout: 20_000 })')).toEqual([]);
});

test('uses only connections that no server closes early in end-to-end tests', () => {
  const find = (text: string, file: string) =>
    file.startsWith('e2e/') ? placesOf(/(?<!\w)fetch\((?:inject|shop\(|`\$)/g, text) : [];
  const fetches = everywhere(find, 'call `fetchOnce`');
  expect(fetches.filter((one) => !one.startsWith('e2e/fetch-once.ts'))).toEqual([]);
  expect(find("await fetch(inject('origin') + address)", 'e2e/a.e2e.ts')).toHaveLength(1);
});

test('never listens on a fixed port in tests', () => {
  const find = (text: string) => placesOf(/\.listen\((?:\{ ?port: )?[1-9]/g, text);
  expect(everywhere(find, 'listen on 0, or on a port of `freePort()`')).toEqual([]);
  expect(find("createServer().listen(8080, '127.0.0.1')")).toHaveLength(1);
});

test('stops the clock in tests that generate codes that change every 30 seconds', () => {
  const find = (text: string) =>
    text.includes('useStoppedClock();') ? [] : placesOf(/Date\.now\(\) ?\/ ?30_000/g, text);
  expect(everywhere(find, 'call `useStoppedClock()` of test/stopped-clock.ts')).toEqual([]);
  expect(find('totpCode(key, Math.floor(Date.now() / 30_000))')).toHaveLength(1);
});

test('restores a fake clock after each test, because files share a process', () => {
  const find = (text: string) =>
    /vi\.useRealTimers\(\)/.test(text) ? [] : placesOf(/vi\.useFakeTimers\(/g, text);
  expect(everywhere(find, 'add `afterEach(() => vi.useRealTimers())`')).toEqual([]);
  expect(find('vi.useFakeTimers();')).toHaveLength(1);
});

test('compares rows in order only if their query orders them', () => {
  expect(everywhere(unorderedRows, 'add `.orderBy(…)`: PostgreSQL promises no order')).toEqual([]);
  const query = "await db.selectFrom('deals').select('id').execute()";
  const expected = 'toEqual([{ id: 1 }, { id: 2 }])';
  expect(unorderedRows(`expect(${query}).${expected}`)).toHaveLength(1);
  expect(unorderedRows(`const rows = ${query};\nexpect(rows).${expected}`)).toHaveLength(1);
  expect(unorderedRows(`const rows = ${query};\nexpect(rows.map(id)).${expected}`)).toHaveLength(1);
  const ordered = query.replace('.execute', ".orderBy('id').execute");
  expect(unorderedRows(`const rows = ${ordered};\nexpect(rows).${expected}`)).toEqual([]);
  expect(unorderedRows(`expect(new Set(${query})).${expected}`)).toEqual([]);
});

function placesOf(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

/** `vi.waitFor` and `vi.waitUntil` give up after a second by default. */
function shortWaits(text: string, file = 'a.ts'): number[] {
  if (!/vi\.wait|timeout: /.test(text)) return [];
  const short = partsOf(text, file).filter((part) => {
    const own = text.slice(part.start, part.end);
    const [callee] = partsIn([part.callee]);
    if (callee && /^vi\.wait(?:For|Until)$/.test(text.slice(callee.start, callee.end))) {
      return partsIn([part.arguments]).length < 2;
    }
    const [, number = ''] = /^timeout: ([\d_]+)$/.exec(own) ?? [];
    return part.type === 'Property' && number !== '' && Number(number.replaceAll('_', '')) < 20_000;
  });
  return short.map(({ start }) => start);
}

/**
 * Returns the places where rows are compared with a list of several entries, although their query
 * does not order them.
 */
function unorderedRows(text: string, file = 'a.ts'): number[] {
  if (!text.includes('selectFrom(')) return [];
  const parts = partsOf(text, file);
  const written = ({ start, end }: Part) => text.slice(start, end);
  const isUnordered = (query: string) =>
    /^await [^;]*selectFrom\([^;]*\.execute\(\)\)?$/.test(query) && !query.includes('orderBy');
  const kept = parts
    .filter(({ type }) => type === 'VariableDeclarator')
    .map((part) => ({ ...part, words: /^(\w+) = (await .*)$/s.exec(written(part)) }));
  return parts.flatMap((part) => {
    const list = /^expect\((.*)\)\s*\.to(?:Strict)?(?:Equal|MatchObject)\(\[(.*)\]\)$/s.exec(
      written(part),
    );
    if (part.type !== 'CallExpression' || !list || !hasSeveral(part)) return [];
    const [, given = ''] = list;
    const name = /^(\w+)(?:\.map\(.*\))?$/s.exec(given.trim())?.[1];
    const last = kept.findLast(({ start, words }) => start < part.start && words?.[1] === name);
    const query = (last?.words?.[2] ?? given).trim().replace(/,$/, '');
    return isUnordered(query) ? [part.start] : [];
  });
}

function hasSeveral(call: Part): boolean {
  const [list] = partsIn([call.arguments]);
  return list !== undefined && Array.isArray(list.elements) && list.elements.length > 1;
}

/** Returns all syntax nodes in a source, at any depth. */
function partsOf(text: string, file: string): Part[] {
  const all: Part[] = [];
  const visit = (part: Part): void => {
    all.push(part);
    for (const child of partsIn(part)) visit(child);
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  for (const part of partsIn(program)) visit(part);
  return all;
}

function partsIn(holder: object): Part[] {
  return Object.values(holder).flat().filter(isPart);
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
