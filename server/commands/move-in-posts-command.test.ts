import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { moveInPosts } from './move-in-posts-command.ts';

const database = useTestDatabase();
const origin = 'https://deals.example';
let folder = '';
let printed = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'move-in-'));
  printed = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function run(content: string, isRehearsal = false) {
  const file = path.join(folder, 'old.xml');
  await writeFile(file, content);
  return moveInPosts(database.db, file, { origin, isRehearsal });
}
const counts = () =>
  ask(database.db).column<number>`
    select count(*)::integer from blog_posts union all select count(*)::integer from post_moves`;
const example = wordpressExport([{ slug: 'lamps' }, { slug: 'gone', status: 'trash' }]);

test('lists posts and their new URLs in a dry run, and stores nothing', async () => {
  expect(await run(example, true)).toBe(0);
  expect(printed).toContain('+ https://old.example/2024/03/lamps/ -> /blog/lamps (301)');
  expect(printed).toContain('- https://old.example/2024/03/gone/ -> In the trash of the old site');
  expect(await counts()).toEqual([0, 0]);
});

test('names the hosts of the pictures that the site copies later', async () => {
  const content =
    '<p><img src="https://old.example/a.jpg"><img src="https://cdn.example/b.jpg"></p>';
  expect(await run(wordpressExport([{ slug: 'lamps', content }]), true)).toBe(0);
  expect(printed).toContain(
    '2 pictures, which the site copies in the background, from cdn.example (1), old.example (1).',
  );
});

test('imports the same file of posts only once', async () => {
  for (const _ of [1, 2]) expect(await run(example)).toBe(0);
  expect(printed).toContain('1 post, 0 pages, 1 redirect, 1 skipped.');
  expect(printed).toContain('Already moved in');
  expect(await counts()).toEqual([1, 2]);
});

test('returns 1 and a reason for a file that is missing or not an export', async () => {
  expect(await run('<html></html>')).toBe(1);
  expect(printed).toContain('error: this file is not a WordPress export');
  const file = path.join(folder, 'none.xml');
  expect(await moveInPosts(database.db, file, { origin, isRehearsal: false })).toBe(1);
  expect(printed).toContain('error: there is no file');
});
