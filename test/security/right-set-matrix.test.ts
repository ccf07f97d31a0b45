import { expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { textOf } from '#test/render-component.tsx';
import { routePatterns } from '#test/route-patterns.ts';
import { loadBuild, testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';
import type { BuiltInSet } from '#app/features/accounts/policy.ts';
import { readEnv } from '#app/platform/env.server.ts';

// Tests every admin route for each built-in right set, by document and by POST.

const database = useTestDatabase();
const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'admin-write=0' });
const site = testSite(database, { env });

/** Routes that list deals, stores and others. */
const catalogLists =
  /^\/admin\/(?:clicks(?:\/export)?|deals(?:\/changes\/:id|\/export|\/merchants)?|categories|merchants(?:\/:id\/discount-check)?|coupons|search|redirects(?:\/export)?)$/;
const catalog = /^\/admin\/(?:clicks|deals|categories|merchants|coupons|search|redirects)(?:\/|$)/;
const content = /^\/admin\/(?:blog|pages|media)(?:\/|$)/;
const trash = /^\/admin\/trash$/;
const everywhere = /^\/admin(?:\/find)?$/;

/** The routes that a right set opens. */
const opened: Record<BuiltInSet, { read: RegExp[]; write: RegExp[] }> = {
  editor: {
    read: [
      everywhere,
      catalog,
      content,
      trash,
      /^\/admin\/(?:imports|newsletters|subscriptions|move-in|messages)(?:\/|$)/,
    ],
    write: [
      catalog,
      content,
      trash,
      /^\/admin\/(?:imports|newsletters|subscriptions|move-in|messages)(?:\/|$)/,
    ],
  },
  writer: { read: [everywhere, catalogLists, content, trash], write: [content, trash] },
  analyst: {
    read: [
      everywhere,
      catalogLists,
      /^\/admin\/(?:blog|pages|blog\/preview\/:id|earnings|earnings\/export)$/,
    ],
    write: [],
  },
};
const isIn = (patterns: readonly RegExp[], path: string) => patterns.some((one) => one.test(path));

const routes = routePatterns().filter(({ pattern }) => /^\/admin(?:\/|$)/.test(pattern));

async function colleague(rightSet: string | null): Promise<TestVisitor & { userId: string }> {
  const visitor = await signedInVisitor(database, site, 'admin');
  await database.db
    .updateTable('users')
    .set({ right_set: rightSet })
    .where('id', '=', visitor.userId)
    .execute();
  return visitor;
}

// Proves R61: each act of the back office asks for its right by name (policy.ts)
test.each(Object.entries(opened))(
  'R61: opens the declared routes to a colleague with the right set %s, and returns 403 for all others',
  async (set, { read, write }) => {
    const { routes: built } = await loadBuild();
    const visitor = await colleague(set);
    const wrong: unknown[] = [];
    expect(routes.length).toBeGreaterThan(80);
    for (const { pattern, id } of routes) {
      const path = pattern.replaceAll(/:\w+/g, '1');
      const seen = (await visitor.open(path)).status;
      if ((seen !== 403) !== isIn(read, pattern)) wrong.push(['GET', pattern, seen]);
      if (!built[id]?.module.action) continue;
      const sent = (await visitor.send(path, { intent: 'none', id: '1' })).status;
      if ((sent !== 403) !== isIn(write, pattern)) wrong.push(['POST', pattern, sent]);
    }
    expect(wrong).toEqual([]);
  },
);

test.each([
  ['editor', 19],
  ['writer', 14],
  ['analyst', 13],
] as const)('shows a colleague with the set %s only screens that open', async (set, count) => {
  const visitor = await colleague(set);
  const { html } = await visitor.open('/admin/find');
  const nav = /<nav[^>]*id="admin-nav".*?<\/nav>/s.exec(html)?.[0] ?? '';
  const links = [...nav.matchAll(/href="(\/admin[^"]*)"/g)].flatMap(([, href]) => href ?? []);
  expect(links).toHaveLength(count);
  for (const href of links) expect([href, (await visitor.open(href)).status]).toEqual([href, 200]);
  // The finder offers the same routes, and no forbidden actions.
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? '';
  const found = [...main.matchAll(/<a[^>]* href="(\/admin[^"]*)"/g)].flatMap(([, to]) => to ?? []);
  for (const to of found) expect([to, (await visitor.open(to)).status]).toEqual([to, 200]);
  expect(textOf(main)).not.toContain('Roles');
});

test('shows lists without forbidden forms and buttons to users who may only read', async () => {
  const deal = await insertDeal(database.db);
  const reader = await colleague('analyst');
  const editor = await colleague('editor');
  for (const path of ['/admin/deals', '/admin/categories', '/admin/merchants']) {
    for (const [visitor, isShown] of [
      [reader, false],
      [editor, true],
    ] as const) {
      const { html } = await visitor.open(path);
      const main = /<main.*<\/main>/s.exec(html)?.[0] ?? '';
      expect([path, /\/(?:new|\d+\/edit)"/.test(main)]).toEqual([path, isShown]);
      expect([path, main.includes('value="delete"')]).toEqual([path, isShown]);
    }
  }
  const { html } = await reader.open('/admin/deals');
  expect(html).toContain(deal.title);
  expect(html).toContain(`/deals/${deal.slug}`);
  const refused = await reader.open('/admin/deals/new');
  expect(textOf(refused.html)).toContain('Your role does not include this screen.');
});

test('leaves a colleague only a user’s rights if the right set is missing', async () => {
  const visitor = await colleague('999');
  expect((await visitor.open('/admin/find')).status).toBe(200);
  for (const path of ['/admin', '/admin/deals', '/admin/users', '/admin/settings']) {
    expect([path, (await visitor.open(path)).status]).toEqual([path, 403]);
  }
});

test('never assigns a right set to a user or an owner, even in the database', async () => {
  for (const role of ['user', 'super_admin'] as const) {
    const { id } = await insertUser(database.db, { role });
    const set = database.db.updateTable('users').set({ right_set: 'editor' }).where('id', '=', id);
    await expect(set.execute()).rejects.toThrow('users_right_set_of_admins');
  }
  const { id } = await insertUser(database.db, { role: 'admin' });
  await insertUser(database.db, { id: 'owner', role: 'super_admin' });
  await changeRole(database.db, { actor: 'owner', userId: id, role: 'admin', rightSet: 'writer' });
  await changeRole(database.db, { actor: 'owner', userId: id, role: 'super_admin' });
  const stored = database.db.selectFrom('users').select(['role', 'right_set']).where('id', '=', id);
  expect(await stored.executeTakeFirst()).toEqual({ role: 'super_admin', right_set: null });
});
