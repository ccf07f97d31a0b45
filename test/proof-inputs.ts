import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFolders } from '../bin/build-pages.mjs';
import { importGraph, projectFiles } from './import-graph.ts';

const root = path.resolve(import.meta.dirname, '..');
const isTest = /\.(?:test|e2e)\.tsx?$/;
const isCode = /\.(?:tsx?|mjs)$/;
/**
 * Matches code that loads or serves the built pages, and therefore depends on every source of the
 * build.
 */
const namesTheBuild = /['"`/]build\/(?:client|server)\b/;
/** The script that compares the build with its sources. Tests do not depend on what it reads. */
const builder = 'bin/build-pages.mjs';
/** The lock file pins every dependency and Node itself. */
const ofEveryProof = ['package-lock.json', 'test/common-options.ts'];
/** Files that list tests, and are not inputs of the tests they name. */
export const listsOfTests: ReadonlySet<string> = new Set([
  'bin/run-tests.mjs',
  'test/proof-entries.ts',
  'test/test-projects.ts',
]);
/** Results of earlier runs, which are not inputs of the next run. */
const records = new Set(['test/proofs.json', 'test/second-tries.json']);
const ofBuild = ['vite.config.ts', 'react-router.config.ts'];

/**
 * Finds the dependencies of a test among the project's files: imports, including lazy ones, and
 * files and folders that the code names in strings. Also includes the SQL beside the database code
 * and, if the build is used, all of its sources. Includes too many files rather than too few: an
 * extra run costs a minute, but a missing input hides a bug.
 */
export class ProofInputs {
  readonly #files: readonly string[];
  readonly #graph: ReadonlyMap<string, readonly string[]>;
  readonly #sums = new Map<string, string>();
  readonly #read: (file: string) => Buffer;

  constructor(
    files: readonly string[] = projectFiles(),
    read: (file: string) => Buffer = (file) => readFileSync(path.join(root, file)),
  ) {
    this.#files = files;
    this.#read = read;
    this.#graph = this.#findNeeds();
  }

  /** Returns the sorted paths that a proof with these entry files depends on. */
  of(entries: readonly string[]): string[] {
    const found = new Set([...entries, ...ofEveryProof]);
    for (const file of found) {
      for (const needed of this.#graph.get(file) ?? []) found.add(needed);
    }
    return [...found].filter((file) => this.#graph.has(file) && !records.has(file)).sort();
  }

  /** Returns a hash of the paths and contents of a proof's inputs. */
  fingerprint(entries: readonly string[]): string {
    const hash = createHash('sha256');
    for (const file of this.of(entries)) hash.update(`${file}\0${this.#sumOf(file)}\0`);
    return hash.digest('hex').slice(0, 20);
  }

  #sumOf(file: string): string {
    const known = this.#sums.get(file);
    if (known !== undefined) return known;
    const sum = createHash('sha256').update(this.#read(file)).digest('hex');
    this.#sums.set(file, sum);
    return sum;
  }

  #findNeeds(): Map<string, string[]> {
    const needs = importGraph(this.#files);
    const known = new Set(this.#files);
    const folders = foldersOf(this.#files);
    const data = this.#files.filter((file) => file.startsWith('database/') && !isCode.test(file));
    const built = [
      ...ofBuild,
      ...this.#files.filter(
        (file) => sourceFolders.some((one) => file.startsWith(`${one}/`)) && !isTest.test(file),
      ),
    ];
    for (const [file, needed] of needs) {
      if (!isCode.test(file) || listsOfTests.has(file)) continue;
      const text = this.#read(file).toString('utf8');
      needed.push(...namedPaths(file, text, known, folders));
      if (file.startsWith('database/')) needed.push(...data);
      if (file !== builder && namesTheBuild.test(text)) needed.push(...built);
    }
    return needs;
  }
}

/**
 * Lists the non-code files of every folder at least two levels deep. Code that names such a folder
 * reads its files as data.
 */
function foldersOf(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of files.filter((one) => !isCode.test(one))) {
    for (let at = path.posix.dirname(file); at.includes('/'); at = path.posix.dirname(at)) {
      const list = folders.get(at) ?? [];
      list.push(file);
      folders.set(at, list);
    }
  }
  return folders;
}

/**
 * Finds the files and folders that a text names. Paths are relative to the project folder, the
 * text's own folder, or one of the usual folders.
 */
function namedPaths(
  file: string,
  text: string,
  known: ReadonlySet<string>,
  folders: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  const here = path.posix.dirname(file);
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const names = new Set(
    [...code.matchAll(/['"`/ ]([\w-]*\.?[\w./-]+)['"`?\s]/g)].map(([, name = '']) => name),
  );
  return [...names]
    .filter((name) => /[./]/.test(name))
    .flatMap((name) => {
      const plain = path.posix.normalize(name).replace(/^(?:\.\.\/)+/, '');
      return [plain, path.posix.join(here, name), `app/${plain}`, `test/fixtures/${plain}`];
    })
    .flatMap((one) => (known.has(one) ? [one] : (folders.get(one.replace(/\/$/, '')) ?? [])));
}
