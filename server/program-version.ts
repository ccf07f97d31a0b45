import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const program = path.join(import.meta.dirname, '..');

/** Returns the version of this software, with its commit if known: `1.1.0 (3350dc14)`. */
export function programVersion(folder = program): string {
  const about: { version?: string; gitHead?: string } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const commit = about.gitHead ?? checkedOutCommit(folder);
  return `${about.version ?? 'unknown'}${commit ? ` (${commit.slice(0, 8)})` : ''}`;
}

/**
 * Returns the commit, or null outside a checkout. A parent folder may be a checkout of another
 * project.
 */
function checkedOutCommit(folder: string): string | null {
  if (!existsSync(path.join(folder, '.git'))) return null;
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null; // git is not installed, or the checkout belongs to another user.
  }
}
