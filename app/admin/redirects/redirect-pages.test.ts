import { beforeEach, expect, test } from 'vitest';
import { findLivePaths, isFixedPath } from '#app/features/catalog/live-paths.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { insertCategory, insertDeal } from '#test/factories/insert.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' };
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const add = (from_path: string, target: string, status = '301') =>
  admin.send('/admin/redirects/new', { from_path, target, status });
const visit = (path: string, address = '192.0.2.1', headers: Record<string, string> = browser) =>
  site.request(path, { headers, address });
const leadsTo = async (path: string) => {
  const { status, headers } = await visit(path);
  return [status, headers.get('location')];
};
const stored = () =>
  database.db
    .selectFrom('address_redirects')
    .select(['from_path', 'target', 'status', 'hits'])
    .orderBy('from_path')
    .execute();
const upload = (csv: string, more: Record<string, string> = {}) =>
  admin.send('/admin/redirects/upload', {
    content: Buffer.from(csv).toString('base64'),
    ...more,
  });

test('redirects an old URL and counts its visits', async () => {
  expect((await add('/old-lamp/', '/deals?sort=price')).status).toBe(302);
  await add('/shop/*', '/categories/*', '302');
  await add('/closed', '', '410');
  expect(await leadsTo('/old-lamp?utm=1')).toEqual([301, '/deals?sort=price']);
  expect(await leadsTo('/shop/lamps/desk?page=2')).toEqual([302, '/categories/lamps/desk?page=2']);
  expect(await leadsTo('/closed')).toEqual([410, null]);
  expect(await leadsTo('/shop')).toEqual([404, null]);
  expect((await stored()).map(({ hits }) => hits)).toEqual([1, 1, 1]);
  const { html } = await admin.open('/admin/redirects');
  expect(html).toContain('/old-lamp');
  expect((await admin.open('/admin/audit')).html).toContain('redirect');
});

test('redirects the URL of a missing deal, and still shows a live deal', async () => {
  await insertDeal(database.db, { slug: 'lamp' });
  await add('/deals/*', '/deals');
  expect(await leadsTo('/deals/lamp')).toEqual([200, null]);
  expect(await leadsTo('/deals/sold-out')).toEqual([301, '/deals']);
});

test('refuses a redirect of a live page, a loop and a chain at their fields', async () => {
  await insertCategory(database.db, { slug: 'tools' });
  await add('/a', '/b');
  for (const [from, to, message] of [
    ['/about', '/deals', 'This address has a page'],
    ['/categories/tools', '/deals', 'This address has a page'],
    ['/b', '/c', '/a redirects to this address'],
    ['/c', '/a', '/a redirects to /b already'],
    ['/c', '/c', 'This redirects back to the old address'],
    ['/d/*', '/d/e/*', 'This redirects back to the old address'],
    ['/a', '/c', 'This address already has a redirect'],
  ] as const) {
    const { status, html } = await add(from, to);
    expect([from, status, html.includes(message)]).toEqual([from, 422, true]);
  }
  expect(await stored()).toHaveLength(1);
});

test('deletes a redirect and restores it with its visits', async () => {
  await add('/old', '/deals');
  await visit('/old');
  const { id } = await database.db
    .selectFrom('address_redirects')
    .select('id')
    .executeTakeFirstOrThrow();
  await admin.send('/admin/redirects', { intent: 'delete', id: String(id) });
  expect(await leadsTo('/old')).toEqual([404, null]);
  await admin.send('/admin/redirects', { intent: 'restore', id: String(id) });
  expect(await stored()).toMatchObject([{ from_path: '/old', hits: 1 }]);
});

test('previews a redirect file and imports only its accepted rows', async () => {
  await add('/old', '/deals');
  await add('/same', '/deals');
  const csv = [
    '\uFEFFfrom;to;status',
    '/old;/merchants;302',
    '/same;/deals;',
    '"/shop/*";/categories/*;301',
    '/loop;/loop;',
    '/first;/second;',
    '/second;/deals;',
    '/shop/*;/blog;',
    '/about;/deals;',
    '',
    '/gone;;410',
  ].join('\r\n');
  const preview = await upload(csv);
  expect(preview.status).toBe(200);
  for (const text of [
    '3 new redirects',
    '1 changed redirect',
    'This redirects back to the old address',
    '/second redirects to /deals already',
    'Line 4 has the same old address',
    'This address has a page',
  ])
    expect(preview.html).toContain(text);
  expect(await stored()).toHaveLength(2);
  expect((await upload(csv, { intent: 'import' })).status).toBe(302);
  expect((await stored()).map((one) => [one.from_path, one.target, one.status])).toEqual([
    ['/gone', null, 410],
    ['/old', '/merchants', 302],
    ['/same', '/deals', 301],
    ['/second', '/deals', 301],
    ['/shop/*', '/categories/*', 301],
  ]);
});

test('lists imports, and lets another user undo one, except for redirects changed since', async () => {
  await add('/old', '/deals');
  await upload('/earlier,/deals', { intent: 'import' });
  await upload('/old,/blog\n/a,/deals\n/b,/deals', { intent: 'import', file_name: 'list.csv' });
  const { id } = await database.db
    .selectFrom('address_redirects')
    .select('id')
    .where('from_path', '=', '/b')
    .executeTakeFirstOrThrow();
  const changed = { from_path: '/b', target: '/merchants', status: '301', version: '1' };
  await admin.send(`/admin/redirects/${id}/edit`, changed);
  const other = await signedInVisitor(database, site, 'admin');
  const { html } = await other.open('/admin/redirects/upload');
  expect(html).toContain('list.csv');
  const undo = { intent: 'undo', import: /name="import" value="(\d+)"/.exec(html)?.[1] ?? '' };
  const send = async () => flashOf(await other.send('/admin/redirects/upload', undo));
  expect(await send()).toBe(
    'Import undone: 1 redirect deleted, 1 restored. 1 changed since was kept.',
  );
  expect(await send()).toBe('This import was already undone.');
  expect((await stored()).map((one) => [one.from_path, one.target])).toEqual([
    ['/b', '/merchants'],
    ['/earlier', '/deals'],
    ['/old', '/deals'],
  ]);
  expect((await other.open('/admin/redirects/upload')).html).toContain('Undone');
  expect((await admin.open('/admin/audit')).html).toContain('undid an import of');
});

test('offers an undo in the message of an import that only changed redirects', async () => {
  await add('/old', '/deals');
  await upload('/old,/blog', { intent: 'import' });
  const { html } = await admin.open('/admin/redirects');
  const id = /name="import" value="(\d+)"/.exec(html)?.[1] ?? '';
  await admin.send('/admin/redirects/upload', { intent: 'undo', import: id });
  expect(await stored()).toMatchObject([{ from_path: '/old', target: '/deals' }]);
});

test('does not record an import that changes nothing, and deletes others after 30 days', async () => {
  for (const _ of [1, 2]) await upload('/a,/deals', { intent: 'import' });
  const imports = () => database.db.selectFrom('redirect_imports').select('id').execute();
  const before = await imports();
  expect(before).toHaveLength(1);
  await database.pool.query(`update redirect_imports set created_at = now() - interval '31 days'`);
  await forgetOldRows(database.db, 'empty-trash');
  expect(await imports()).toEqual([]);
  const undo = { intent: 'undo', import: String(before[0]?.id) };
  const answer = await admin.send('/admin/redirects/upload', undo);
  expect(flashOf(answer)).toBe('An import can be undone for 30 days.');
});

test('accepts export files of WordPress plugins that contain URLs of the old site', async () => {
  const csv = `source,target,regex,code,type,hits,title,status
"/old","https://old.example/second",0,301,"url",0,"","active"
"/second","/deals",0,301,"url",0,"","active"
"^/shop/(.*)$","/categories/$1",1,301,"url",0,"","active"
"^/(a|b)$","/deals",1,301,"url",0,"","active"`;
  const preview = await upload(csv, { old_site: 'https://old.example' });
  for (const text of [
    '3 new redirects',
    '1 refused row',
    'can’t be expressed here',
    'value="https://old.example"',
  ])
    expect(preview.html).toContain(text);
  await upload(csv, { old_site: 'https://old.example', intent: 'import' });
  expect((await stored()).map((one) => [one.from_path, one.target])).toEqual([
    ['/old', '/deals'],
    ['/second', '/deals'],
    ['/shop/*', '/categories/*'],
  ]);
  expect((await admin.open('/admin/move-in')).html).toContain('href="/admin/redirects/upload"');
});

test('exports redirects as a file that can be uploaded again', async () => {
  await upload('/a,/b\n/c/*,https://shop.example/*,302\n/gone,,410', { intent: 'import' });
  const before = await stored();
  const file = await admin.open('/admin/redirects/export');
  await database.db.deleteFrom('address_redirects').execute();
  await upload(file.html, { intent: 'import' });
  expect(await stored()).toEqual(before);
  expect(before).toHaveLength(3);
});

test('refuses an upload without redirects', async () => {
  expect((await upload('')).html).toContain('Choose a file.');
  expect((await upload('\n\n')).html).toContain('The file contains no redirects.');
});

test('lists a URL without a page once three visitors have opened it', async () => {
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
    await visit('/old-lamp?mail=ann@example.com', address);
  await visit('/old-lamp', '192.0.2.9', { 'user-agent': 'Googlebot/2.1' });
  await visit('/old-lamp', '192.0.2.9', { ...browser, 'sec-purpose': 'prefetch' });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    await visit('/wp-login.php', address);
  const missed = await database.db.selectFrom('missed_paths').selectAll().execute();
  expect(missed).toMatchObject([{ path: '/old-lamp', visitors: 2 }]);
  expect((await admin.open('/admin/redirects')).html).not.toContain('Redirect /old-lamp');
  await visit('/old-lamp', '192.0.2.3');
  expect((await admin.open('/admin/redirects')).html).toContain(
    '/admin/redirects/new?from=%2Fold-lamp',
  );
  expect((await admin.open('/admin/redirects/new?from=%2Fold-lamp')).html).toContain(
    'value="/old-lamp"',
  );
  await add('/old-lamp', '/deals');
  expect((await admin.open('/admin/redirects')).html).not.toContain('Redirect /old-lamp');
  const marks = await database.db.selectFrom('missed_path_visitors').selectAll().execute();
  expect(JSON.stringify(marks)).not.toContain('192.0.2');
});

test('recognizes every fixed page of the site', () => {
  const fixed = routePatterns()
    .map(({ pattern }) => pattern)
    .filter(
      (pattern) =>
        !pattern.includes('*') &&
        !/^\/(?:blog|deals|products|categories|merchants)\/:/.test(pattern),
    )
    .map((pattern) => pattern.replaceAll(/:\w+/g, 'x'))
    // The owner's pages are found in the database.
    .filter((path) => path !== '/blog/tags/x' && path !== '/x');
  expect(fixed.filter((path) => !isFixedPath(path))).toEqual([]);
  expect(isFixedPath('/deals/lamp/report')).toBe(true);
  expect(isFixedPath('/old')).toBe(false);
});

test('finds the pages of deals, categories and stores', async () => {
  await insertDeal(database.db, { slug: 'lamp' });
  await insertDeal(database.db, { slug: 'draft', is_active: false });
  const asked = ['/deals/lamp', '/deals/draft', '/blog/none', '/faq'];
  expect([...(await findLivePaths(database.db, asked))].toSorted()).toEqual([
    '/deals/lamp',
    '/faq',
  ]);
});
