import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { insertCategory, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { changeDeals } from '#app/features/deals/change-deals.server.ts';
import { nameThings } from '#app/features/desk/name-things.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { wordsOfAct } from './audit-words.ts';
import { describeChange } from './describe-change.ts';
import { entityHref } from './entity-href.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () =>
  signedInVisitor(database, site, 'admin', {
    email: 'clerk@staff.example',
    full_name: 'Clara Clerk',
  });

const update = (entityId: number | string, before: object, after: object) => ({
  actor: 'cli',
  action: 'deal.update',
  entity: 'deal',
  entityId,
  before,
  after,
});
/** Returns the page's text without the spaces left by tags. */
const wordsOf = (html: string) => textOf(html).replace(/\s+/g, ' ');

// Proves R42: audit
test('R42: shows an entry as a sentence with linked names and formatted amounts', async () => {
  const visitor = await admin();
  const deal = await insertDeal(database.db, { title: '<b>Steel</b> toolbox' });
  await writeAudit(database.db, {
    ...update(deal.id, { sale_price: 8099 }, { sale_price: 7499 }),
    actor: visitor.userId,
  });
  const { status, html } = await visitor.open('/admin/audit');
  expect(status).toBe(200);
  expect(wordsOf(html)).toContain(
    'clerk@staff.example changed the price of <b>Steel</b> toolbox from $80.99 to $74.99',
  );
  expect(html).toContain(`href="/admin/users/${visitor.userId}"`);
  expect(html).toContain(`<option value="${visitor.userId}">clerk@staff.example</option>`);
  expect(html).toContain(`href="/admin/deals/${deal.id}/edit"`);
  expect(html).toMatch(/<em>&lt;b&gt;Steel&lt;\/b&gt; toolbox<\/em>/);
  expect(html).toContain('Showing 1 entry');
});

test('lists several changes of one action together, in the site’s currency and time zone', async () => {
  const visitor = await admin();
  const { id: from } = await insertCategory(database.db, { name: 'Tools' });
  const { id: to } = await insertCategory(database.db, { name: 'Garden' });
  const deal = await insertDeal(database.db, { title: 'Rake' });
  for (const [name, value] of [
    ['currency', 'EUR'],
    ['timeZone', 'America/New_York'],
  ] as const) {
    await writeSiteSetting(database.db, name, value, 'cli');
  }
  const before = { category_id: from, original_price: null, expires_at: null, is_active: true };
  const after = {
    category_id: to,
    original_price: 1999,
    expires_at: '2026-12-01T02:00:00.000Z',
    is_active: false,
  };
  await writeAudit(database.db, update(deal.id, before, after));
  const { html } = await visitor.open('/admin/audit');
  const words = wordsOf(html);
  expect(words).toContain('Command line changed Rake');
  expect(words).toContain('category from the category Tools to the category Garden');
  expect(words).toMatch(/original price ?: €19\.99/);
  expect(words).toMatch(/end ?: November 30, 2026 at 9:00 PM EST/);
  expect(words).toContain('activity from active to inactive');
});

test('keeps the name and the history of deleted items', async () => {
  const visitor = await admin();
  const one = await insertDeal(database.db, { title: 'Old lamp' });
  const other = await insertDeal(database.db, { title: 'Rug' });
  await writeAudit(database.db, update(one.id, { title: 'Lamp' }, { title: 'Old lamp' }));
  const act = { actor: visitor.userId, verb: 'deactivate' as const, categoryId: null };
  await changeDeals(database.db, act, { ids: [one.id, other.id] });
  await changeDeals(database.db, { ...act, verb: 'delete' }, { ids: [one.id] });
  const { html } = await visitor.open(`/admin/audit?entity=deal&id=${one.id}`);
  const words = wordsOf(html);
  expect(words).toContain('Only changes to Old lamp');
  expect(words).toContain('clerk@staff.example deleted Old lamp (since deleted)');
  expect(words).toMatch(/deactivated 2 deals Old lamp \(since deleted\) ?Rug/);
  expect(words).toContain('changed the title of Old lamp (since deleted) from Lamp to Old lamp');
  expect(html).not.toContain(`/admin/deals/${one.id}/edit`);
  expect(html).toContain(`/admin/deals/${other.id}/edit`);
  expect(html).toContain('Showing 3 entries');
  expect((await visitor.open('/admin/audit?q=lamp')).html).toContain('Showing 3 entries');
});

test('reads names of audit entries with one query per kind, regardless of their number', async () => {
  const visitor = await admin();
  const deals = [];
  for (let n = 0; n < 20; n += 1) deals.push(await insertDeal(database.db, { title: `Deal ${n}` }));
  await writeAudit(
    database.db,
    deals.map(({ id }) => update(id, { title: 'x' }, { title: 'y' })),
  );
  const names = await nameThings(
    database.db,
    deals.map(({ id }) => ['deal', String(id)] as const),
  );
  expect(Object.keys(names['deal'] ?? {})).toHaveLength(20);
  expect(
    await nameThings(database.db, [
      ['deal', 'x'],
      ['mail', '1'],
    ]),
  ).toEqual({});
  expect(wordsOf((await visitor.open('/admin/audit')).html)).toContain(
    'the title of Deal 19 from x to y',
  );
});

test('describes every action that is written to the audit log', async () => {
  const files = await Array.fromAsync(glob('{app,server}/**/*.{ts,tsx}'));
  const source = await Promise.all(
    files.filter((file) => !file.includes('.test.')).map((file) => readFile(file, 'utf8')),
  );
  const acts = source.flatMap((text) =>
    [...text.matchAll(/action(?::|=)[^,;{]*?'([a-z-]+\.[a-z-]+)'/g)].map(([, act]) => act ?? ''),
  );
  expect(acts.length).toBeGreaterThan(20);
  expect(acts.filter((act) => wordsOfAct(act).join().includes('“'))).toEqual([]);
});

test('labels system actors and erased accounts as such', async () => {
  const visitor = await admin();
  const entry = { action: 'user.role', entity: 'user', entityId: 'x' };
  await writeAudit(database.db, [
    { ...entry, actor: 'cli' },
    { ...entry, actor: 'system' },
    { ...entry, actor: 'setup' },
    { ...entry, actor: 'abcdefghijkl' },
  ]);
  const { html } = await visitor.open('/admin/audit');
  for (const name of [
    'Command line',
    'The site itself',
    'The setup link',
    'Erased account abcdefgh',
  ]) {
    expect(html).toContain(name);
  }
});

test('keeps audit filters from page to page and ignores invalid ones', async () => {
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

test('describes the empty audit log and offers no form', async () => {
  const visitor = await admin();
  expect((await visitor.open('/admin/audit')).html).toContain('appear here');
  expect((await visitor.send('/admin/audit', { intent: 'delete', id: '1' })).status).toBe(405);
});

test('describes a change field by field, without unchanged fields', () => {
  const look = { currency: 'USD', timeZone: 'UTC' };
  expect(
    describeChange(
      { a: true, b: '', c: 'x', same: { deep: 1 } },
      { a: false, b: { deep: [1, 'two'] }, d: null, same: { deep: 1 } },
      look,
    ),
  ).toEqual([
    { name: 'a', label: 'a', before: 'yes', after: 'no' },
    { name: 'c', label: 'c', before: 'x', after: null },
    { name: 'b.deep', label: 'b deep', before: null, after: '1, two' },
  ]);
  expect(describeChange(null, null, look)).toEqual([]);
  expect(describeChange(null, 5, look)).toEqual([
    { name: 'value', label: 'value', before: null, after: '5' },
  ]);
  expect(describeChange({ role: 'user' }, { role: 'super_admin' }, look)).toMatchObject([
    { before: 'user', after: 'super admin' },
  ]);
});

test('shows a corrected price as one change, without computed columns', async () => {
  const visitor = await admin();
  const { id } = await insertDeal(database.db, { title: 'Lamp', sale_price: 1999 });
  const row = () =>
    database.db.selectFrom('deals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const before = await row();
  await database.db.updateTable('deals').set({ sale_price: 1500 }).where('id', '=', id).execute();
  await writeAudit(database.db, update(id, before, await row()));
  const { html } = await visitor.open('/admin/audit');
  expect(wordsOf(html)).toContain('changed the price of Lamp from $19.99 to $15.00');
  expect(html).not.toMatch(/\d fields/);

  const coupon = { coupon_code: 'A', brand: 'B' };
  await writeAudit(database.db, update(id, coupon, { coupon_code: null, brand: 'C' }));
  const words = wordsOf((await visitor.open('/admin/audit')).html);
  expect(words).toContain('coupon code : removed, was A');
  expect(words).not.toContain('to nothing');
});

test('does not link an entry to a missing page, and encodes ids in paths', () => {
  expect(entityHref('subscription', '1')).toBeNull();
  expect(entityHref('deal', null)).toBeNull();
  expect(entityHref('site_settings', 'site')).toBe('/admin/settings');
  expect(entityHref('user', '../x')).toBe('/admin/users/..%2Fx');
});

test('describes a change of the maintenance mode with its own sentence', async () => {
  const visitor = await admin();
  await writeAudit(database.db, {
    ...update('maintenance', { enabled: false }, { enabled: true }),
    action: 'settings.maintenance',
    entity: 'site_settings',
  });
  const words = wordsOf((await visitor.open('/admin/audit')).html);
  expect(words).toContain('changed the maintenance mode');
});
