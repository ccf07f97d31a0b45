import { beforeEach, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { textOf } from '#test/render-component.tsx';
import { routePatterns } from '#test/route-patterns.ts';
import { loadBuild, testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';
import { type Right, rights, rightsOf } from '#app/features/accounts/policy.ts';
import { readEnv } from '#app/platform/env.server.ts';

// Tests every admin route as a user who passes the guard of the layout, but has few rights.

const database = useTestDatabase();
const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'admin-write=0' });
let pretended: ReadonlySet<Right>;
const site = testSite(database, {
  env,
  rightsOfRole: (role) => (role === 'admin' ? pretended : rightsOf(role)),
});
let visitor: TestVisitor;
beforeEach(async () => {
  visitor = await signedInVisitor(database, site, 'admin');
});

const routes = routePatterns()
  .filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern))
  .map(({ pattern, id }) => {
    // No row has this id, and a user without the right must not find out.
    const path = pattern.replaceAll(/:\w+/g, '1');
    return { pattern, path, id };
  });
const isOfBlog = (pattern: string) => /^\/admin\/(blog|pages)(\/|$)/.test(pattern);
// This screen finds only what the rights allow.
const isFind = (pattern: string) => pattern === '/admin/find';

/**
 * Returns the statuses of a route's document, of all data of its page, and of the route's own data.
 */
async function read({ path, id }: (typeof routes)[number]): Promise<number[]> {
  const alone = `${path}.data?_routes=${encodeURIComponent(id)}`;
  const answers = [];
  for (const address of [path, `${path}.data`, alone]) answers.push(await visitor.open(address));
  return answers.map(({ status }) => status);
}

/** Sends a form as `read` does. Returns null for a route without an action. */
async function write({ path, id }: (typeof routes)[number]): Promise<number[] | null> {
  const { routes: built } = await loadBuild();
  if (!built[id]?.module.action) return null;
  const answers = [];
  for (const address of [path, `${path}.data`]) {
    answers.push(await visitor.send(address, { intent: 'delete', id: '1' }));
  }
  return answers.map(({ status }) => status);
}

test.each<[string, Right[], (pattern: string) => boolean]>([
  ['access to the layout only', ['admin.open'], (pattern) => !isFind(pattern)],
  [
    'access to the blog only',
    ['admin.open', 'blog.read', 'blog.write'],
    // Deleted posts are restored from the trash.
    (pattern) => !isOfBlog(pattern) && !isFind(pattern) && pattern !== '/admin/trash',
  ],
])('R61: allows a user with %s nothing else, and returns 403', async (_name, has, isRefused) => {
  pretended = new Set(has);
  expect(routes.length).toBeGreaterThan(40);
  const wrong: unknown[] = [];
  for (const route of routes) {
    const [seen, sent] = [await read(route), await write(route)];
    const isOpen = [...seen, ...(sent ?? [])].some((status) => status !== 403);
    if (isOpen === isRefused(route.pattern)) wrong.push([route.pattern, seen, sent]);
  }
  expect(wrong).toEqual([]);
  expect(await database.db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
});

// Proves R61: each act of the back office asks for its right by name
test('R61: rejects all changes by a user who may only read', async () => {
  pretended = new Set(rights.filter((right) => /\.(?:open|read)$/.test(right)));
  const wrong: unknown[] = [];
  for (const route of routes) {
    const sent = await write(route);
    if (sent?.some((status) => status !== 403)) wrong.push([route.pattern, sent]);
  }
  expect(wrong).toEqual([]);
  expect((await visitor.open('/admin/deals')).status).toBe(200);
  expect(await database.db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
});

test('R61: lists permitted pages in the menu, even on a page that returns 403', async () => {
  pretended = new Set<Right>(['admin.open', 'blog.read', 'blog.write']);
  await insertDeal(database.db, { is_demo: true });
  for (const [path, status] of [
    ['/admin/blog', 200],
    ['/admin/deals', 403],
    ['/admin', 403],
  ] as const) {
    const answer = await visitor.open(path);
    const nav = /<nav[^>]*id="admin-nav".*?<\/nav>/s.exec(answer.html)?.[0] ?? '';
    const groups = [...nav.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
    const links = [...nav.matchAll(/href="(\/admin\/[^"]*)"/g)].map(([, href]) => href);
    expect([path, answer.status, groups, links]).toEqual([
      path,
      status,
      ['Content', 'System'],
      ['/admin/find', '/admin/blog', '/admin/pages', '/admin/trash'],
    ]);
    // The page also omits buttons that need other rights.
    expect(answer.html).not.toContain('Remove demo data');
    const isRefused = status === 403;
    expect(textOf(answer.html).includes('Access Restricted')).toBe(isRefused);
    expect(answer.html.includes('<title>Access Restricted</title>')).toBe(isRefused);
    expect(answer.html.match(/<main/g)).toHaveLength(1);
  }
});
