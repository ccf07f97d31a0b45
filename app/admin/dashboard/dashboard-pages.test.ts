import { expect, test } from 'vitest';
import { insertBlogPost, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
const audited = () =>
  database.db.selectFrom('audit_log').select(['actor', 'action']).orderBy('id').execute();

/** Returns the number on a stat card. */
function figure(html: string, label: string): string | undefined {
  return new RegExp(`>${label}</a></span><strong[^>]*>([^<]*)<`).exec(html)?.[1];
}

// Proves Back office 2: Dashboard: six cards, Refresh, Seed Data, quick actions (dashboard-page.tsx)
// Proves Back office 2: Dashboard: six cards, measured, with their lists (dashboard-page.tsx)
// Proves P38: users and status are measured (dashboard-page.tsx)
test('P38: shows six cards with counts, users included, linked to their lists', async () => {
  await insertDeal(database.db, { is_featured: true });
  await insertDeal(database.db, { is_active: false, is_featured: true });
  await insertMerchant(database.db, { is_featured: true });
  const { html } = await (await admin()).open('/admin');
  expect(html).toContain('>Admin Dashboard</h1>');
  expect(figure(html, 'Total Deals')).toBe('1');
  expect(figure(html, 'Featured Deals')).toBe('1');
  expect(figure(html, 'Total Merchants')).toBe('3');
  expect(figure(html, 'Featured Merchants')).toBe('1');
  expect(figure(html, 'Total Categories')).toBe('2');
  expect(figure(html, 'Total Users')).toBe('1');
  expect(html).toContain('href="/admin/deals?status=active&amp;show=featured"');
});

test('shows no attention list when nothing needs attention', async () => {
  expect((await (await admin()).open('/admin')).html).not.toContain('Needs attention');
});

test('lists first on the dashboard what needs attention, with links', async () => {
  await insertDeal(database.db, { image_url: null });
  const { html } = await (await admin()).open('/admin');
  expect(html).toContain('Needs attention');
  expect(html).toContain('1 active deal has no picture');
  expect(html).toContain('href="/admin/deals?status=active&amp;show=no-picture"');
  expect(html.indexOf('Needs attention')).toBeLessThan(html.indexOf('Total Deals'));
});

test('shows the statistics since yesterday first, each linked to its list', async () => {
  await insertDeal(database.db, { image_url: null });
  const { html } = await (await admin()).open('/admin');
  expect(html).toContain('Since yesterday');
  expect(html).toContain('href="/admin/earnings"');
  expect(html).toContain('href="/admin/subscriptions?status=active"');
  expect(html.indexOf('Since yesterday')).toBeLessThan(html.indexOf('Needs attention'));
});

// Proves Back office 2: Dashboard: System Status (dashboard-panels.tsx)
test('P38: lists the check results in System Status, durability and sign-in among them', async () => {
  const { html } = await (await admin()).open('/admin');
  expect(html).toMatch(/Connected: PostgreSQL \d+/);
  expect(html).toContain('Active: a test session was opened, found and closed');
  expect(html).toContain('No email server: emails are kept in the outbox');
  expect(html).toMatch(/\d GB free/);
  expect(html).toContain('No feed is set up');
});

// Proves Back office 2: Dashboard: Seed Data, its question and outcome (dashboard-page.tsx)
// Proves Back office 2: Dashboard: Refresh, Seed Data, its words (dashboard-page.tsx)
test('fills an empty site once with Seed Data, confirms it and writes an audit entry', async () => {
  const visitor = await admin();
  expect((await visitor.open('/admin')).html).toContain(
    'This will add sample data to your database. Continue?',
  );
  const sent = await visitor.send('/admin', { intent: 'seed' });
  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin']);
  const { html } = await visitor.open('/admin');
  expect(html).toContain('Sample data seeded successfully!');
  expect(figure(html, 'Total Deals')).toBe('2');
  await visitor.send('/admin', { intent: 'seed' });
  expect((await visitor.open('/admin')).html).toContain('Data already exists');
  expect(await audited()).toEqual([{ actor: visitor.userId, action: 'site.seed' }]);
});

// Proves Design: Demo data: a bar that removes it (demo-bar.tsx)
test('shows the demo bar on every screen while demo rows exist, and removes them from the bar', async () => {
  const visitor = await admin();
  const own = await insertBlogPost(database.db, { slug: 'own' });
  await insertDeal(database.db, { is_demo: true });
  expect((await visitor.open('/admin/merchants')).html).toContain('Remove demo data');
  await visitor.send('/admin', { intent: 'remove-demo' });
  const { html } = await visitor.open('/admin');
  expect(html).toContain('Demo data removed: 1 deal with everything that belonged to them.');
  expect(html).not.toContain('Remove demo data');
  expect(await database.db.selectFrom('blog_posts').select('id').execute()).toEqual([
    { id: own.id },
  ]);
  expect(await audited()).toEqual([{ actor: visitor.userId, action: 'site.remove-demo' }]);
});

test('refuses an unknown action of the dashboard', async () => {
  expect((await (await admin()).send('/admin', { intent: 'explode' })).status).toBe(400);
});
