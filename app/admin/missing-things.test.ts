import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

// Tests how admin URLs respond when their row is missing or its id is invalid.

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'super_admin');
});

/** Each screen of a single row, and the list that it links back to. */
const screens = [
  ['/admin/deals/{id}/edit', 'Deals', '/admin/deals'],
  ['/admin/deals/changes/{id}', 'Deals', '/admin/deals'],
  ['/admin/categories/{id}/edit', 'Categories', '/admin/categories'],
  ['/admin/merchants/{id}/edit', 'Merchants', '/admin/merchants'],
  ['/admin/imports/sources/{id}', 'Imports', '/admin/imports'],
  ['/admin/imports/sources/{id}/columns', 'Imports', '/admin/imports'],
  ['/admin/imports/runs/{id}', 'Imports', '/admin/imports'],
  ['/admin/users/{id}', 'Users', '/admin/users'],
  ['/admin/users/{id}/delete', 'Users', '/admin/users'],
  ['/admin/roles/{id}', 'Roles', '/admin/roles'],
  ['/admin/roles/{id}/delete', 'Roles', '/admin/roles'],
  ['/admin/messages/{id}', 'Messages', '/admin/messages'],
  ['/admin/subscriptions/{id}/reactivate', 'Subscriptions', '/admin/subscriptions'],
  ['/admin/channels/{id}', 'Channels', '/admin/channels'],
  ['/admin/developers/webhooks/{id}', 'Developers', '/admin/developers'],
  ['/admin/outbox/{id}', 'Mail outbox', '/admin/outbox'],
] as const;

describe.each(screens)('%s', (pattern, label, list) => {
  test('reports a missing item in the screen’s layout, and links back', async () => {
    const { status, html } = await staff.open(pattern.replace('{id}', '999999'));
    expect(status).toBe(404);
    expect(html).toContain('<title>Not found</title>');
    expect(html).toContain('id="admin-nav"');
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? '';
    expect(textOf(main)).toContain(
      `This does not exist It was deleted, or the address is wrong. ${label}`,
    );
    expect(textOf(main)).not.toContain('Something went wrong');
    expect(tagsOf(main, 'a').some((tag) => tag.includes(`href="${list}"`))).toBe(true);
    expect(tagsOf(html, 'h1')).toHaveLength(1);
  });

  test.each(['0', '-1', 'x', '1e3', '99999999999999999999', "1'--"])(
    'returns 404 for an id such as %s',
    async (id) => {
      expect((await staff.open(pattern.replace('{id}', id))).status).toBe(404);
    },
  );
});

test.each([
  ['/admin/imports/runs/999999/events'],
  ['/admin/imports/runs/999999/report'],
  ['/admin/outbox/999999/html'],
])('returns 404 for %s, which is not a page', async (address) => {
  expect((await staff.open(address)).status).toBe(404);
});

test('shows a reference in the layout of a failed screen, and no library’s error message', async () => {
  await database.db.schema.alterTable('feed_sources').renameTo('feed_sources_away').execute();
  try {
    const { status, html } = await staff.open('/admin/imports/sources/1');
    expect(status).toBe(500);
    expect(html).toContain('<title>Something went wrong</title>');
    expect(html).toContain('id="admin-nav"');
    expect(textOf(html)).toContain('test-request');
    expect(html).not.toContain('relation');
  } finally {
    await database.db.schema.alterTable('feed_sources_away').renameTo('feed_sources').execute();
  }
});
