import { beforeEach, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const act = (intent: string, more: Record<string, string>) =>
  admin.send('/admin/menus', { intent, menu: 'header', ...more });
const navOf = async (name: string) => {
  const { html } = await site.page('/terms');
  const nav = new RegExp(`<nav[^>]*aria-label="${name}".*?</nav>`, 's').exec(html)?.[0] ?? '';
  return [...nav.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, label]) => [label, href]);
};
const labelsOf = async (name: string) => (await navOf(name)).map(([label]) => label).join(' ');
const blog = { label: 'Blog', href: '/blog' };

test('reorders the header’s links in the bar and the phone menu, and restores the default', async () => {
  const before = (await site.page('/terms')).html;
  await act('up', { ...blog, place: '4' });
  await act('up', { ...blog, place: '3' });
  expect(await labelsOf('Main')).toBe('Home Deals Blog Categories Stores');
  expect(await labelsOf('Menu')).toBe('Home Deals Blog Categories Stores');
  const again = await act('up', { ...blog, place: '3' });
  expect(again.status).toBe(302);
  expect((await admin.open('/admin/menus')).html).toContain('Someone else changed this menu');
  expect(await labelsOf('Main')).toBe('Home Deals Blog Categories Stores');
  await act('reset', {});
  await act('reset', {});
  expect((await site.page('/terms')).html).toBe(before);
  const { html } = await admin.open('/admin/audit');
  expect(html).toContain('settings');
});

test('adds a page, a category and an external URL', async () => {
  await insertCategory(database.db, { name: 'Lamps', slug: 'lamps' });
  const page = { slug: 'shipping', title: 'Shipping', content: 'x' };
  await database.db.insertInto('site_pages').values(page).execute();
  const { html } = await admin.open('/admin/menus');
  expect(html).toContain('<option value="/shipping">Shipping</option>');
  expect(html).toContain('<option value="/categories/lamps">Category: Lamps</option>');
  await act('add', { menu: 'how', listed: '/shipping', label: 'Shipping' });
  await act('add', { menu: 'how', listed: '/categories/lamps', label: 'Lamps' });
  await act('add', { menu: 'how', href: 'https://forum.example/a?b=1&c', label: '<b>Forum' });
  expect((await navOf('How it works')).slice(-3)).toEqual([
    ['Shipping', '/shipping'],
    ['Lamps', '/categories/lamps'],
    ['&lt;b&gt;Forum', 'https://forum.example/a?b=1&amp;c'],
  ]);
  const twice = await act('add', { menu: 'how', listed: '/shipping', label: 'Again' });
  expect(twice.status).toBe(422);
  expect(twice.html).toContain('This menu has this link already.');
});

test('keeps what was typed when a URL is refused', async () => {
  const { status, html } = await act('add', { href: 'javascript:alert(1)', label: 'Bad' });
  expect(status).toBe(422);
  expect(html).toContain('Must be a path such as /shipping');
  expect(html).toContain('value="Bad"');
  expect(await labelsOf('Main')).toBe('Home Deals Categories Stores Blog');
});

test('removes a link, restores it with Undo, and hides a column without links', async () => {
  await act('remove', { ...blog, place: '4' });
  expect(await labelsOf('Main')).toBe('Home Deals Categories Stores');
  await act('add', { ...blog, place: '0' });
  expect(await labelsOf('Main')).toBe('Blog Home Deals Categories Stores');
  await writeSiteSetting(database.db, 'menus', { legal: [] }, 'test');
  expect((await site.page('/terms')).html).not.toContain('aria-label="Legal"');
});

test('marks a menu link whose page no longer exists', async () => {
  await act('add', { href: '/not-there', label: 'Lost' });
  const { html } = await admin.open('/admin/menus');
  expect(html.match(/Page missing/g)).toHaveLength(1);
});

test('shows the imprint and the postal address as text once they are filled in', async () => {
  const bare = (await site.page('/contact')).html;
  expect(bare).not.toContain('Imprint');
  expect(bare).not.toContain('Postal address');
  await writeSiteSetting(database.db, 'imprint', 'Barn Ltd\n<b>HRB 1</b>', 'test');
  await writeSiteSetting(database.db, 'postalAddress', '1 Road\nTown', 'test');
  const { html } = await site.page('/contact');
  expect(html).toContain('Barn Ltd\n&lt;b&gt;HRB 1&lt;/b&gt;');
  expect(html).toContain('Postal address');
  expect((await site.page('/terms')).html).toContain('href="/contact#imprint"');
  expect((await admin.open('/admin/settings?section=site')).html).toContain('name="imprint"');
});
