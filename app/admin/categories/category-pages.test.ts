import { expect, test } from 'vitest';
import { insertCategory, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');

test('creates a category with its form without JavaScript and shows it on the site', async () => {
  const visitor = await admin();
  const form = await visitor.open('/admin/categories/new');
  expect(form.html).toContain('Create New Category');
  for (const label of ['Smartphone', 'Gamepad', 'Shopping Bag', 'Tools']) {
    expect(form.html).toContain(`>${label}</option>`);
  }
  const sent = await visitor.send('/admin/categories/new', {
    name: 'Lamps',
    slug: 'lamps',
    icon: 'home',
  });
  expect(sent.status).toBe(302);
  expect((await visitor.open('/admin/categories')).html).toContain('Category created.');
  expect((await visitor.open('/categories')).html).toContain('Lamps');
});

// Proves Back office 5: Category and merchant forms (input-fields.ts)
test('shows errors at their fields and keeps the input', async () => {
  const { status, html } = await (
    await admin()
  ).send('/admin/categories/new', { name: '', slug: 'a b', description: 'kept', icon: 'car' });
  expect(status).toBe(422);
  expect(html).toContain('Name: Name is required');
  expect(html).toContain('kept</textarea>');
  expect(html).toMatch(/<option value="car" selected="">/);
});

test('R47: shows both versions to the second of two users who save', async () => {
  const visitor = await admin();
  const { id } = await insertCategory(database.db, { slug: 'old' });
  const path = `/admin/categories/${id}/edit`;
  await visitor.send(path, { name: 'Theirs', slug: 'old', version: '1' });
  const late = await visitor.send(path, { name: 'Mine', slug: 'old', version: '1' });
  expect(late.status).toBe(409);
  expect(late.html).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
});

test('P41: keeps a category with deals, and deletes an empty one with Undo', async () => {
  const visitor = await admin();
  const { category_id } = await insertDeal(database.db);
  await visitor.send('/admin/categories', { intent: 'delete', id: String(category_id) });
  expect((await visitor.open('/admin/categories')).html).toContain(
    'Failed to delete category: 1 deal belongs to',
  );
  const { id } = await insertCategory(database.db, { name: 'Empty one' });
  await visitor.send('/admin/categories', { intent: 'delete', id: String(id) });
  const { html } = await visitor.open('/admin/categories');
  expect(html).toContain('Category deleted successfully!');
  await visitor.send('/admin/categories', { intent: 'restore', id: String(id) });
  expect((await visitor.open('/admin/categories')).html).toContain('Empty one');
});

// Proves Back office 2: Categories: list, search, form, delete, icons (manage-categories-page.tsx)
test('counts all categories, and searches their names and descriptions', async () => {
  const visitor = await admin();
  expect((await visitor.open('/admin/categories')).html).toContain('No categories found');
  await insertCategory(database.db, { name: 'Lamps', description: '' });
  await insertCategory(database.db, { name: 'Chairs', description: '' });
  const { html } = await visitor.open('/admin/categories?q=lam');
  expect(html).toMatch(/Total Categories.*?<strong[^>]*>2</s);
  expect(html).toContain('>Lamps</h2>');
  expect(html).not.toContain('>Chairs</h2>');
});

test('shows no character count while the title is empty', async () => {
  const visitor = await admin();
  const { html } = await visitor.open('/admin/categories/new');
  expect(html).toContain('Search engines show about 70 characters.');
  expect(html).not.toContain('of about 70 characters');
});

test('previews the search result and the shared card with the stored texts', async () => {
  const visitor = await admin();
  const { id } = await insertCategory(database.db, {
    slug: 'lamps',
    name: 'Lamps',
    share_text: 'Look at these lamps',
  });
  const path = `/admin/categories/${id}/edit`;
  const { html } = await visitor.open(path);
  expect(html).toContain('Lamps Deals | Deal Hub');
  expect(html).toContain('11 of about 70 characters');
  expect(html).toMatch(/When shared<\/figcaption>.*Look at these lamps<\/p>/s);
  expect(html).toContain(`src="/share-pictures/category-${id}-000000000001.jpg"`);
  const sent = await visitor.send(path, {
    name: 'Lamps',
    slug: 'lamps',
    version: '1',
    seo_title: 'x'.repeat(71),
    noindex: 'on',
  });
  expect(sent.status).toBe(302);
  const saved = (await visitor.open(path)).html;
  expect(saved).toContain(`src="/share-pictures/category-${id}-000000000002.jpg"`);
  expect(saved).toContain('71 of about 70 characters that search engines show. The rest is cut.');
  expect(saved).toContain('Search engines are asked not to list this page.');
});
