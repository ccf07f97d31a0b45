import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packFiles } from './pack-files.ts';

const epoch = 1_700_000_000;
let work = '';
beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'deal-hub-pack-'));
});
afterEach(() => rm(work, { recursive: true, force: true }));

/** Writes the same files into a folder with another name, in this order and with this time. */
async function lay(folder: string, names: string[], time: number): Promise<string> {
  await mkdir(path.join(work, folder, 'inside'), { recursive: true });
  for (const name of names) {
    const file = path.join(work, folder, 'inside', name);
    await writeFile(file, name);
    await utimes(file, time, time);
  }
  await symlink('./a', path.join(work, folder, 'inside/link'));
  return path.join(work, folder);
}

const list = (archive: string) =>
  execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file', archive], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });

test.each(['one.tar', 'one.tar.gz'])(
  'packs files into a %s that depends only on their content',
  async (file) => {
    const first = await lay('first', ['a', 'b', 'c'], 1_000_000_000);
    const second = await lay('a/longer/way', ['c', 'b', 'a'], 1_500_000_000);
    const archives = [path.join(work, `1${file}`), path.join(work, `2${file}`)] as const;
    packFiles(archives[0], epoch, first);
    packFiles(archives[1], epoch, second);
    expect(await readFile(archives[0])).toEqual(await readFile(archives[1]));
  },
);

test('uses numeric owners and the time of the commit in an archive', async () => {
  const folder = await lay('first', ['a'], 1_000_000_000);
  const archive = path.join(work, 'one.tar');
  packFiles(archive, epoch, folder, { name: 'inside', owner: 1000 });
  const lines = list(archive).trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/ 1000\/1000 .* 2023-11-14 22:13 inside/);
});

test('renames a folder inside the archive, and keeps links as links', async () => {
  const archive = path.join(work, 'one.tar');
  packFiles(archive, epoch, await lay('first', ['a'], 1), { as: 'opt/deal-hub' });
  expect(list(archive)).toMatch(/ opt\/deal-hub\/inside\/link -> \.\/a\n/);
});
