import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes SHA256SUMS for these files of the folder, in the format of `sha256sum --check`. Signs it
 * if RELEASE_KEY names the file of an SSH key (ssh-keygen(1), `-Y sign`). Returns the names of the
 * written files.
 */
export function writeChecksums(folder: string, files: readonly string[]): string[] {
  const lines = files.toSorted().map((file) => `${sumOf(path.join(folder, file))}  ${file}\n`);
  const sums = path.join(folder, 'SHA256SUMS');
  fs.writeFileSync(sums, lines.join(''));
  const key = process.env['RELEASE_KEY'];
  if (!key) return ['SHA256SUMS'];
  const signing = ['-Y', 'sign', '-q', '-f', key, '-n', 'file', sums];
  execFileSync('ssh-keygen', signing, { stdio: ['inherit', 'inherit', 'inherit'] });
  return ['SHA256SUMS', 'SHA256SUMS.sig'];
}

function sumOf(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
