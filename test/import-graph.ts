import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** One import, with the paths of both files from the project's folder. */
export interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

const root = path.resolve(import.meta.dirname, '..');

/**
 * Every file of the project that is tracked or untracked but not ignored, by its path from the
 * project's folder.
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
 * The project's files that a file imports, including lazy imports (`await import('./part.tsx')`).
 */
export function importsOf(file: string): Import[] {
  return importsIn(file, readFileSync(path.join(root, file), 'utf8'));
}

/** Does the same as `importsOf` for a text at this path. */
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
 * The files of this list that each of them needs at run time: no types, and nothing outside of the
 * list.
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
 * The files that depend on one of `targets`, directly or not, with the number of steps between;
 * their own is 0.
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
