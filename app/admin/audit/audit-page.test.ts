import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { describeChange } from './describe-change.ts';
import { entityHref } from './entity-href.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () =>
  signedInVisitor(database, site, 'admin', {
    email: 'clerk@staff.example',
    full_name: 'Clara Clerk',
  });

// Proves R42: audit
test('R42: an entry shows who, what, on what with a link, and before and after', async () => {
  const visitor = await admin();
  const deal = await insertDeal(database.db);
  await writeAudit(database.db, {
    actor: visitor.userId,
    action: 'deal.update',
    entity: 'deal',
    entityId: deal.id,
    before: { title: '<b>Old</b>', is_active: false },
    after: { title: 'New', is_active: true },
  });
  const { status, html } = await visitor.open('/admin/audit');
  expect(status).toBe(200);
  expect(textOf(html)).toContain('Clara Clerk clerk@staff.example deal.update');
  expect(html).toContain(`href="/admin/users/${visitor.userId}"`);
  expect(html).toContain(`<option value="${visitor.userId}">clerk@staff.example</option>`);
  expect(html).toContain(`href="/admin/deals/${deal.id}/edit"`);
  expect(html).toMatch(/<del><span[^>]*>was <\/span>&lt;b&gt;Old&lt;\/b&gt;<\/del>/);
  expect(html).toMatch(/<ins><span[^>]*>became <\/span>New<\/ins>/);
  expect(html).toContain('Showing 1 entry');
});

test('machines and the erased are named as what they are', async () => {
  const visitor = await admin();
  const entry = { action: 'user.role', entity: 'user', entityId: 'x' };
  await writeAudit(database.db, [
    { ...entry, actor: 'cli' },
    { ...entry, actor: 'system' },
    { ...entry, actor: 'abcdefghijkl' },
  ]);
  const { html } = await visitor.open('/admin/audit');
  for (const name of ['Command line', 'The site itself', 'Erased account abcdefgh']) {
    expect(html).toContain(name);
  }
});

test('filters are kept from page to page, and nonsense in the address is ignored', async () => {
  const visitor = await admin();
  const entry = { actor: 'cli', action: 'deal.update', entity: 'deal' };
  await writeAudit(
    database.db,
    Array.from({ length: 51 }, (_, n) => ({ ...entry, entityId: n })),
  );
  const { html } = await visitor.open('/admin/audit?action=deal.update&from=2020-01-01');
  const older = /href="([^"]+)"[^>]*>Older/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(older).toMatch(/^\/admin\/audit\?action=deal\.update&from=2020-01-01&older=\d+$/);
  const second = (await visitor.open(older)).html;
  expect(second).toContain('Showing 1 entry');
  expect(second).toContain('>Newer<');
  const odd = await visitor.open('/admin/audit?actor=%27%3B--&from=yesterday&older=x&id=%00');
  expect([odd.status, odd.html.includes('Showing 50 entries')]).toEqual([200, true]);
  expect((await visitor.open('/admin/audit?actor=nobody')).html).toContain('Nothing matches.');
});

test('an empty log says what comes here, and there is nothing to post', async () => {
  const visitor = await admin();
  expect((await visitor.open('/admin/audit')).html).toContain('appears here');
  expect((await visitor.send('/admin/audit', { intent: 'delete', id: '1' })).status).toBe(405);
});

test('a change is told field by field, whatever its values are', () => {
  expect(
    describeChange({ a: true, b: '', c: 'x' }, { a: false, b: { deep: [1] }, d: null }),
  ).toEqual([
    { name: 'a', before: 'yes', after: 'no' },
    { name: 'b', before: 'nothing', after: '{"deep":[1]}' },
    { name: 'c', before: 'x', after: null },
    { name: 'd', before: null, after: 'nothing' },
  ]);
  expect(describeChange(null, null)).toEqual([]);
  expect(describeChange(null, 5)).toEqual([{ name: 'value', before: null, after: '5' }]);
});

test('what has no page has no link, and an id cannot leave its place in one', () => {
  expect(entityHref('subscription', '1')).toBeNull();
  expect(entityHref('deal', null)).toBeNull();
  expect(entityHref('site_settings', 'site')).toBe('/admin/settings');
  expect(entityHref('user', '../x')).toBe('/admin/users/..%2Fx');
});
