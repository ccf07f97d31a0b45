import { execFileSync } from 'node:child_process';

/**
 * `name`: the only entry to pack. `as`: the path of the folder's content inside the archive.
 * `owner`: the owner, root by default.
 */
interface Choices {
  name?: string;
  as?: string;
  owner?: number;
}

/**
 * Writes the content of `folder` into a tar archive that depends only on the content: sorted names,
 * numeric owners, and only `epoch` (seconds) as time.
 * https://reproducible-builds.org/docs/archives/
 */
export function packFiles(
  archive: string,
  epoch: number,
  folder: string,
  { name = '.', as, owner = 0 }: Choices = {},
): void {
  const owned = `--numeric-owner --owner=${owner} --group=${owner}`;
  const evenly = `--format=gnu --sort=name --mtime=@${epoch} ${owned}`;
  const words = ['--create', '--file', archive, ...evenly.split(' '), '--directory', folder];
  if (archive.endsWith('.gz')) words.push('--use-compress-program=gzip --no-name');
  // The targets of links are not renamed.
  if (as) words.push(`--transform=flags=r;s,^\\.,${as},`);
  execFileSync('tar', [...words, name], { stdio: 'inherit' });
}
