import { execFileSync } from 'node:child_process';

/**
 * Writes `name`, or everything, of the folder `within` into a tar archive that depends on its content alone: names in
 * order, everything of root, nothing but `epoch` (seconds) as time. https://reproducible-builds.org/docs/archives/
 */
export function packFiles(archive: string, epoch: number, within: string, name = '.'): void {
  const evenly = `--format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime=@${epoch}`;
  const words = ['--create', '--file', archive, ...evenly.split(' '), '--directory', within];
  if (archive.endsWith('.gz')) words.push('--use-compress-program=gzip --no-name');
  execFileSync('tar', [...words, name], { stdio: 'inherit' });
}
