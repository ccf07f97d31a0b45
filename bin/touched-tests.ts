// Prints the tests that a change affects, the nearest first, as many as fit into a minute: {
// changed, tests, left }. Compares with the last commit or the named one. If nothing changed since
// the last commit, uses the changes of that commit.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { matchRoutes, type RouteObject } from 'react-router';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { importGraph, projectFiles, stepsTo } from '#test/import-graph.ts';
import { listsOfTests } from '#test/proof-inputs.ts';
import { testProjects } from '#test/test-projects.ts';

const root = path.resolve(import.meta.dirname, '..');
/**
 * seconds of a minute that remain after formatting, linting, type checks and a build on two cores
 */
const secondsForTests = 15;
const files = projectFiles();
const { torture, sweeps, database, plain } = testProjects();
const site = routes.map(asRoute);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const graph = whoNeedsWhom();

/**
 * Returns the tests that depend on one of these files, the nearest first, after the house tests.
 */
export function touchedTests(changed: readonly string[]): string[] {
  const tables = changed.filter((file) => file.endsWith('.sql')).map(tablesIn);
  const users = files.filter((file) => tables.some((one) => usesTables(file, one)));
  const steps = stepsTo([...changed, ...users], graph);
  const far = (file: string) => steps.get(file) ?? Infinity;
  const near = (file: string) => Math.max(...changed.map((one) => sharedWords(file, one)));
  const isOfHouse = (file: string) => file.startsWith('test/house/');
  return [
    ...plain.filter(isOfHouse),
    ...[...torture, ...sweeps, ...database, ...plain]
      .filter((file) => steps.has(file) && !isOfHouse(file))
      .sort((a, b) => far(a) - far(b) || near(b) - near(a)),
  ];
}

/**
 * Maps each file to the files that depend on it by an import or a path. A test also depends on the
 * pages whose URLs it contains.
 */
function whoNeedsWhom(): Map<string, string[]> {
  const needs = importGraph(files);
  const known = new Set(files);
  for (const [file, needed] of needs) {
    if (/\.(?:tsx?|mjs)$/.test(file) && !listsOfTests.has(file))
      needed.push(...namedFiles(file, known));
  }
  const askers = stepsTo(['test/site.ts', 'server/site-sources.ts'], needs);
  for (const file of [...database, ...sweeps, ...torture].filter((one) => askers.has(one))) {
    needs.get(file)?.push('app/root.tsx', ...pagesAskedBy(file));
  }
  return needs;
}

/**
 * Returns the changed tests, and the first others that fit into the given seconds on two workers,
 * by their last durations.
 */
export function thatFit(
  tests: readonly string[],
  changed: readonly string[],
): { tests: string[]; left: string[] } {
  const times = path.join(root, 'build/test-times.json');
  const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : {};
  const guess = (file: string) =>
    known[file] ?? (plain.includes(file) ? 0.3 : database.includes(file) ? 3 : 20);
  let seconds = 0;
  const fitting = tests.filter((file) => {
    if (changed.includes(file)) return true;
    const isFitting =
      guess(file) <= secondsForTests && seconds + guess(file) <= secondsForTests * 2;
    if (isFitting) seconds += guess(file);
    return isFitting;
  });
  return { tests: fitting, left: tests.filter((file) => !fitting.includes(file)) };
}

function changedFiles(since: string | undefined): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const diff = (...words: string[]) => git('diff', '--name-only', '--diff-filter=d', ...words);
  const now = [...diff(since ?? 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')];
  return now.length > 0 || since ? now : diff('HEAD~1', 'HEAD');
}

/** Returns programs, routes and documents that a file refers to by path. */
function namedFiles(file: string, known: ReadonlySet<string>): string[] {
  return [...read(file).matchAll(/['"`/]([\w./-]+\.(?:tsx?|mjs|md|json|css|html))['"`]/g)]
    .flatMap(([, name = '']) => [name, `app/${name}`, `test/fixtures/${name}`])
    .filter((name) => known.has(name));
}

function asRoute({ file, path: address, index, children }: RouteConfigEntry): RouteObject {
  const id = `app/${file}`;
  return index ? { id, index } : { id, path: address, children: children?.map(asRoute) ?? [] };
}

/** Returns the pages at the URLs that a test contains, and their layouts. */
function pagesAskedBy(file: string): string[] {
  const text = read(file).replaceAll(/\$\{[^}]*\}/g, 'x');
  return [...text.matchAll(/['"`](\/[^'"`\s?#%]*)(?=['"`?#])/g)].flatMap(([, address = '']) => {
    const matches = matchRoutes(site, address) ?? [];
    return matches.at(-1)?.route.path === '*' ? [] : matches.map(({ route }) => route.id ?? '');
  });
}

/** Returns the tables that a migration or a function uses. */
function tablesIn(migration: string): RegExp {
  const names = read(migration).matchAll(/\b(?:table|on|into|update|from|references)\s+(\w{4,})/gi);
  const words = new Set([...names].map(([, name = '']) => name.toLowerCase()));
  return new RegExp(`'(?:${[...words].join('|')})['. ]`);
}

function usesTables(file: string, tables: RegExp): boolean {
  if (/^database\/[\w-]+\.test\.ts$/.test(file)) return /migrat/.test(read(file));
  return /^(?:app|server)\/.*(?:\.server|\.test)\.ts$/.test(file) && tables.test(read(file));
}

/** Counts the words that two file names share, because files are named after their topic. */
function sharedWords(a: string, b: string): number {
  const words = new Set(a.split(/\W|_/));
  return new Set(b.split(/\W|_/).filter((word) => words.has(word))).size;
}

if (import.meta.main) {
  const changed = changedFiles(process.argv[2]);
  process.stdout.write(JSON.stringify({ changed, ...thatFit(touchedTests(changed), changed) }));
}
