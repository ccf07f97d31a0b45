import { beforeEach, expect, test } from 'vitest';
import { movePosts } from '#app/features/moved-posts/move-posts-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin });
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

async function upload(content: string, name = 'old.xml') {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ');
  const body = new FormData();
  body.append('file', new File([content], name));
  return site.request('/admin/move-in/posts/upload', { method: 'POST', body, headers: { cookie } });
}
const example = wordpressExport([
  { title: 'Green lamps', slug: 'lamps' },
  { title: 'Team', slug: 'team', type: 'page', link: `${oldSite}/about-us/team/` },
  { title: 'Old news', slug: 'news', status: 'trash' },
]);
async function preview() {
  const answer = await upload(example);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

test('previews an export, moves it in, leads old addresses on, and undoes it', async () => {
  const page = await preview();
  const shown = await admin.open(page);
  for (const text of [
    '1 post, 1 page, 2 redirects, 1 not taken',
    '/blog/lamps (301)',
    'In the trash of the old site',
  ])
    expect(shown.html).toContain(text);
  expect((await admin.send(page, { intent: 'move' })).status).toBe(302);
  expect((await admin.open(page)).html).toContain('Moving in');
  await movePosts({ db: database.db, env });
  expect((await admin.open(page)).html).toContain('Undo the move');
  const old = await admin.open('/2024/03/lamps');
  expect([old.status, old.headers.get('location')]).toEqual([301, '/blog/lamps']);
  expect((await admin.open('/team')).html).toContain('Text 2');
  const byNumber = async (query: string) => {
    const answer = await site.request(`/?${query}`);
    return [answer.status, answer.headers.get('location')];
  };
  expect(await byNumber('p=1')).toEqual([301, '/blog/lamps']);
  expect(await byNumber('page_id=2&utm_source=x')).toEqual([301, '/team']);
  for (const query of ['p=3', 'p=99', 'p=x', 'p=1;--', ''])
    expect([query, ...(await byNumber(query))]).toEqual([query, 200, null]);
  await database.db.updateTable('blog_posts').set({ is_published: false }).execute();
  expect(await byNumber('p=1')).toEqual([200, null]);
  await database.db.updateTable('blog_posts').set({ is_published: true, version: 1 }).execute();
  expect((await admin.open('/admin/audit')).html).toContain('moved in');
  await admin.send(page, { intent: 'undo' });
  await movePosts({ db: database.db, env });
  expect((await admin.open(page)).html).toContain('Undone');
  expect((await admin.open('/2024/03/lamps')).status).toBe(404);
  expect(await byNumber('p=1')).toEqual([200, null]);
  expect((await admin.open('/admin/trash')).html).toContain('Green lamps');
});

test('deletes a preview, and lists exports', async () => {
  const page = await preview();
  expect((await admin.open('/admin/move-in/posts')).html).toContain('old.xml');
  await admin.send(page, { intent: 'delete' });
  expect((await admin.open(page)).status).toBe(404);
  await admin.send(page, { intent: 'move' });
  expect((await admin.open('/admin/move-in/posts')).html).not.toContain('old.xml');
});

test('refuses a file that is no export, with the reason', async () => {
  for (const [file, reason] of [
    ['<html><body>Sign in</body></html>', 'not a WordPress export'],
    [example.slice(0, -300), 'The file is cut off'],
  ] as const) {
    const answer = await upload(file);
    expect([answer.status, (await answer.text()).includes(reason)]).toEqual([422, true]);
  }
});
