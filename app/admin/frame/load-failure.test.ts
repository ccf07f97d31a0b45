import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { connect } from '#database/connect.ts';
import { insertBlogPost, insertDeal } from '#test/factories/insert.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

// Tests section 8 of the specification: every list screen that cannot be read reports it and offers
// Retry.

const database = useTestDatabase();
const site = testSite(database);

/** Each list screen: its path, its title, the noun in its message, and a table that it reads. */
const screens = [
  ['/admin', 'Admin Dashboard', 'dashboard', 'click_days'],
  ['/admin/clicks', 'Clicks', 'clicks', 'click_days'],
  ['/admin/deals', 'Deal Management', 'deals', 'deals'],
  ['/admin/categories', 'Categories', 'categories', 'categories'],
  ['/admin/merchants', 'Merchants', 'merchants', 'merchants'],
  ['/admin/search', 'Search', 'searches', 'missed_searches'],
  ['/admin/users', 'Users', 'users', 'passkeys'],
  ['/admin/subscriptions', 'Newsletter Subscriptions', 'subscriptions', 'newsletter_subscriptions'],
  ['/admin/messages', 'Messages', 'messages', 'contact_messages'],
  ['/admin/blog', 'Blog Management', 'blog posts', 'blog_posts'],
  ['/admin/outbox', 'Mail outbox', 'mails', 'mail_outbox'],
  ['/admin/imports', 'Imports', 'imports', 'feed_sources'],
  ['/admin/imports/held', 'Prices to review', 'prices to review', 'deals'],
  ['/admin/imports/duplicates', 'Possible duplicates', 'duplicates', 'deals'],
  ['/admin/trash', 'Trash', 'trash', 'deleted_row_parts'],
  ['/admin/audit', 'Audit log', 'audit log', 'audit_log'],
  ['/admin/channels', 'Channels', 'channels', 'channels'],
  ['/admin/developers/witnesses', 'Witnesses', 'witnesses', 'evidence_sites'],
  ['/admin/developers', 'Developers', 'developer access', 'api_keys'],
] as const;

beforeEach(async () => void (await insertDeal(database.db))); // Without any deal, the list would not query its rows.

/** Runs `work` without `table`, as after a failed migration. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await sql`alter table ${sql.ref(table)} rename to away`.execute(database.db);
  try {
    return await work();
  } finally {
    await sql`alter table away rename to ${sql.ref(table)}`.execute(database.db);
  }
}

/**
 * Runs `work` while another connection locks `table`. The site's statement timeout is half a
 * second.
 */
async function whileHeld<T>(table: string, work: (hasty: typeof site) => Promise<T>): Promise<T> {
  const hasty = connect(database.url, { statementTimeout: 500 });
  try {
    return await database.db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.ref(table)} in access exclusive mode`.execute(tx);
      return work(testSite(database, { db: hasty.db }));
    });
  } finally {
    await hasty.close();
  }
}

describe.each(screens)('%s', (address, title, what, table) => {
  // Proves Back office 2: Dashboard: “Error loading dashboard: …”, Retry
  // Proves Back office 2: Dashboard: failure with Retry
  // Proves Back office 8: “Error loading …” with Retry (read-or-fail.server.ts)
  test('shows an error in the screen’s layout when the database rejects the query', async () => {
    const admin = await signedInVisitor(database, site, 'admin');
    const { status, html } = await without(table, () => admin.open(address));
    expect(status).toBe(500);
    const words = textOf(html);
    expect(words).toContain(`Error loading ${what}: something went wrong on our side.`);
    expect(words).toContain('for this reference: test-request');
    expect(words).not.toMatch(/relation|does not exist/);
    expect(html).toContain(`>${title}</h1>`);
    expect(html).toContain('id="admin-nav"');
    expect(html).toMatch(/<button[^>]*type="submit"[^>]*>Retry</);
    expect((await admin.open(address)).status).toBe(200);
  });

  test('shows an error in the screen’s layout and sends Retry-After when the database is too slow', async () => {
    const admin = await signedInVisitor(database, site, 'admin');
    const answer = await whileHeld(table, (hasty) => {
      const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      return hasty.page(address, { headers: { cookie } });
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    const words = textOf(answer.html);
    expect(words).toContain(`Error loading ${what}: the database took too long to respond.`);
    expect(words).not.toMatch(/canceling|timeout/);
    expect(answer.html).toContain('id="admin-nav"');
  });
});

test('keeps search, filters, order and page in the Retry link', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  const { html } = await without('deals', () =>
    admin.open('/admin/deals?q=desk+lamp&status=active&sort=-price&page=2'),
  );
  const form = /<form[^>]*action="\/admin\/deals"[^>]*>.*?<\/form>/s.exec(html)?.[0] ?? '';
  expect(form).toContain('Retry');
  expect(tagsOf(form, 'input')).toEqual([
    '<input type="hidden" name="q" value="desk lamp"/>',
    '<input type="hidden" name="status" value="active"/>',
    '<input type="hidden" name="sort" value="-price"/>',
    '<input type="hidden" name="page" value="2"/>',
  ]);
});

test('keeps the input of a form over a list that cannot be read', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  const { status, html } = await without('categories', () =>
    admin.send('/admin/categories/new', { name: 'Garden tools', slug: 'Not A Slug' }),
  );
  expect(status).toBe(422);
  expect(textOf(html)).toContain('Error loading categories');
  expect(html).toContain('value="Garden tools"');
});

test('reports a blog post that cannot be read, and returns 404 for a missing one', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  const { id } = await insertBlogPost(database.db);
  const { status, html } = await without('blog_posts', () => admin.open(`/admin/blog/edit/${id}`));
  expect(status).toBe(500);
  expect(textOf(html)).toContain('Error loading blog post: something went wrong on our side.');
  expect((await admin.open('/admin/blog/edit/999999')).status).toBe(404);
});

test('logs only the cause of a failed screen, under the reference', async () => {
  const lines: string[] = [];
  const log = createLog(
    'error',
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  const heard = testSite(database, { log });
  const admin = await signedInVisitor(database, heard, 'admin');
  await without('contact_messages', () => admin.open('/admin/messages'));
  const [line, ...others] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ requestId: 'test-request', msg: 'messages could not be read' });
  expect(JSON.stringify(line)).toContain('contact_messages');
});

test('refuses access to a screen without the right instead of reporting a failure', async () => {
  const visitor = await signedInVisitor(database, site, 'user');
  const { status, html } = await without('audit_log', () => visitor.open('/admin/audit'));
  expect(status).toBe(403);
  expect(html).not.toContain('Error loading');
});
