import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { moveInRedirects, undoMovedRedirects } from './move-in-redirects-command.ts';

const database = useTestDatabase();
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

async function run(content: string, options: { rehearse?: boolean; oldSite?: string } = {}) {
  const file = path.join(folder, 'redirects.csv');
  await writeFile(file, content);
  return moveInRedirects(database.db, file, { origin: 'https://deals.example', ...options });
}
const stored = () =>
  ask(database.db).column<string>`
    select from_path || ' ' || coalesce(target, 'gone') || ' ' || status || ' ' || version
      from address_redirects order by id`;
const example = `Origin,Target,Type,Format
old,https://old.example/deals,301,plain
first,second,301,plain
second,/deals,302,plain
round,and-round,301,plain
and-round,round,301,plain
gone,,410,plain
`;

test('lists the effect of each row in a dry run', async () => {
  expect(await run(example, { rehearse: true, oldSite: 'old.example' })).toBe(0);
  expect(printed).toContain('+ /old -> /deals (301, new)');
  expect(printed).toContain('+ /first -> /deals (301, new)');
  expect(printed).toContain('+ /gone -> gone (410, new)');
  expect(printed).toMatch(/- \/round: .*\n- \/and-round: /);
  expect(printed).toContain('4 of 6 taken.');
  expect(await stored()).toEqual([]);
});

test('imports a file once, and redirects to the end of each chain', async () => {
  for (const _ of [1, 2]) expect(await run(example)).toBe(0);
  expect(await stored()).toEqual([
    '/old https://old.example/deals 301 1',
    '/first /deals 301 1',
    '/second /deals 302 1',
    '/gone gone 410 1',
  ]);
  expect(printed).toContain('+ /first -> /deals (301, unchanged)');
});

test('undoes an import once, and restores the redirects it changed', async () => {
  await run('/a,/deals');
  await run('/a,/blog\n/b,/deals');
  const id = Number(/--undo (\d+)\n$/.exec(printed)?.[1]);
  expect(await undoMovedRedirects(database.db, id)).toBe(0);
  expect(printed).toContain('Import undone: 1 redirect deleted, 1 restored.');
  expect(await stored()).toEqual(['/a /deals 301 3']);
  expect(await undoMovedRedirects(database.db, id)).toBe(1);
  expect(printed).toContain('error: This import was already undone.');
});

test('recognizes URLs of the site from which posts were imported', async () => {
  await ask(database.db).rows`
    insert into post_moves (file_name, site_url, state, created_by)
    values ('a.xml', 'https://www.old.example/blog', 'done', 'x')`;
  await run(example);
  expect((await stored())[0]).toBe('/old /deals 301 1');
});

test('returns 1 for a file that is missing or has no redirects', async () => {
  expect(await run('')).toBe(1);
  expect(printed).toContain('The file contains no redirects.');
  expect(
    await moveInRedirects(database.db, `${folder}/none`, { origin: 'https://x.example' }),
  ).toBe(1);
});
