import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An import, with the paths of both files relative to the project folder. */
export interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

const root = path.resolve(import.meta.dirname, '..');

/**
 * Lists every file in the project that git tracks or does not ignore, by its path in the project
 * folder.
 */
export function projectFiles(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean);
}

/**
 * Returns the project's files that a file imports, including lazy imports (`await
 * import('./part.tsx')`).
 */
export function importsOf(file: string): Import[] {
  return importsIn(file, readFileSync(path.join(root, file), 'utf8'));
}

/** Returns the same as `importsOf`, for a text as if it were at this path. */
export function importsIn(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean) => {
    const to = specifier.startsWith('#')
      ? specifier.slice(1)
      : specifier.startsWith('.')
        ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
        : null;
    if (to) found.push({ from: file, to: to.replace(/\?.*$/, ''), isTypeOnly });
  };
  for (const [, clause = '', named] of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+([^'";]*?)\s*from\s*'([^']+)'/g,
  )) {
    add(named ?? '', clause.startsWith('type '));
  }
  for (const [, bare] of text.matchAll(/(?:^|\n)\s*import\s*'([^']+)'/g)) add(bare ?? '', false);
  for (const [, isType, lazy] of text.matchAll(/(\btypeof\s+)?\bimport\(\s*'([^']+)'\s*\)/g)) {
    add(lazy ?? '', isType !== undefined);
  }
  return found;
}

/**
 * Returns, for each file in the list, the others that it needs at run time, ignoring type imports.
 */
export function importGraph(files: readonly string[]): Map<string, string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => [
      file,
      importsOf(file).flatMap((one) => (!one.isTypeOnly && known.has(one.to) ? [one.to] : [])),
    ]),
  );
}

/**
 * Returns the files that depend on any of `targets`, directly or indirectly, with their distance in
 * imports: 0 for the targets.
 */
export function stepsTo(
  targets: readonly string[],
  graph: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, imports] of graph) {
    for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), file]);
  }
  const steps = new Map(targets.map((file) => [file, 0]));
  for (const [file, count] of steps) {
    for (const importer of importers.get(file) ?? []) {
      if (!steps.has(importer)) steps.set(importer, count + 1);
    }
  }
  return steps;
}
