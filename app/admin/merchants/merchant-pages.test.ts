import { expect, test } from 'vitest';
import { merchantInput } from '#app/features/merchants/merchant-input.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
const merchants = () =>
  database.db.selectFrom('merchants').select(['id', 'name', 'slug', 'version']).execute();

// Proves Back office 2: Merchants: cards, table, form, delete (manage-merchants-page.tsx)
// Proves P35d: the preset for a merchant (edit-merchant-page.tsx)
test('creates a merchant with its form without JavaScript, and confirms it once in the list', async () => {
  const visitor = await admin();
  const sent = await visitor.send('/admin/merchants/new', {
    name: 'Lamp House',
    slug: 'lamp-house',
    keep_history: 'on',
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin/merchants']);
  const list = await visitor.open('/admin/merchants');
  expect(list.html).toContain('Merchant created.');
  expect(list.html).toContain('Lamp House');
  expect((await visitor.open('/admin/merchants')).html).not.toContain('Merchant created.');
});

test('shows errors at their fields and keeps the input', async () => {
  const visitor = await admin();
  const { status, html } = await visitor.send('/admin/merchants/new', {
    name: 'Lamp <b>House</b>',
    slug: 'Lamp House',
    website_url: 'not an address',
    description: 'Warm & bright',
  });
  expect(status).toBe(422);
  expect(html).toContain('Error saving merchant');
  expect(html).toContain('Slug must contain only lowercase letters, numbers, and hyphens');
  expect(html).toContain('Must be a valid URL');
  expect(html).toContain('value="Lamp &lt;b&gt;House&lt;/b&gt;"');
  expect(html).toContain('value="not an address"');
  expect(html).toContain('Warm &amp; bright</textarea>');
  expect(await merchants()).toEqual([]);
});

test('shows a field for each value that the form saves, since an absent one would be erased', async () => {
  const { html } = await (await admin()).open('/admin/merchants/new');
  const names = Object.keys(merchantInput('USD').shape);
  expect(names.filter((name) => !html.includes(`name="${name}"`))).toEqual([]);
});

// Proves Back office 8: Category and merchant: slug not unique (category-messages.ts)
test('P43: reports a slug in use at the slug field', async () => {
  await insertMerchant(database.db, { slug: 'lamp-house' });
  const { status, html } = await (
    await admin()
  ).send('/admin/merchants/new', { name: 'Lamp House', slug: 'lamp-house' });
  expect(status).toBe(422);
  expect(html).toContain('Slug: Error saving merchant. Please check if the slug is unique.');
});

test('R47: shows both versions to the second of two users who save, and lets them overwrite', async () => {
  const visitor = await admin();
  const { id } = await insertMerchant(database.db, { name: 'Old', slug: 'old' });
  const path = `/admin/merchants/${id}/edit`;
  await visitor.send(path, { name: 'Theirs', slug: 'old', version: '1' });
  const mine = { name: 'Mine', slug: 'old' };
  const late = await visitor.send(path, { ...mine, version: '1' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('Someone else saved this merchant in the meantime.');
  expect(late.html).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
  expect(late.html).toContain('name="version" value="2"');
  expect((await merchants())[0]?.name).toBe('Theirs');
  expect((await visitor.send(path, { ...mine, version: '2' })).status).toBe(302);
  expect((await merchants())[0]).toMatchObject({ name: 'Mine', version: 3 });
});

test('P41: keeps a merchant with deals, and states how many', async () => {
  const visitor = await admin();
  const { merchant_id } = await insertDeal(database.db);
  await visitor.send('/admin/merchants', { intent: 'delete', id: String(merchant_id) });
  const { html } = await visitor.open('/admin/merchants');
  expect(html).toContain('Failed to delete merchant: 1 deal belongs to');
  expect(await merchants()).toHaveLength(1);
});

test('asks the specification’s question before deleting a merchant, and keeps the search and offers Undo', async () => {
  const visitor = await admin();
  const { id } = await insertMerchant(database.db, { name: 'Lamp House' });
  const sent = await visitor.send('/admin/merchants?q=lamp', { intent: 'delete', id: String(id) });
  expect(sent.headers.get('location')).toBe('/admin/merchants?q=lamp');
  const { html } = await visitor.open('/admin/merchants?q=lamp');
  expect(html).toContain('Merchant deleted successfully!');
  expect(html).toContain('>Undo<');
  expect(html).toContain('No merchants found');
  await visitor.send('/admin/merchants?q=lamp', { intent: 'restore', id: String(id) });
  expect(await merchants()).toMatchObject([{ id, name: 'Lamp House' }]);
});

test('returns 404 for a missing merchant or an invalid id', async () => {
  const visitor = await admin();
  for (const id of ['999', '0', 'x', '1e3', '-1']) {
    expect((await visitor.open(`/admin/merchants/${id}/edit`)).status, id).toBe(404);
  }
  expect(
    (await visitor.send('/admin/merchants/999/edit', { name: 'A', slug: 'a', version: '1' }))
      .status,
  ).toBe(404);
});

test('explains what merchants are for when there are none', async () => {
  const { html } = await (await admin()).open('/admin/merchants');
  expect(html).toContain('No merchants found');
  expect(html).toContain('Add the first one, or import a feed');
});

test('describes an empty result of a merchant search, and keeps the search in row links', async () => {
  const visitor = await admin();
  const { id } = await insertMerchant(database.db, { name: 'Lamp House' });
  expect((await visitor.open('/admin/merchants?q=zzz')).html).toContain('Nothing matches.');
  const { html } = await visitor.open('/admin/merchants?q=lamp');
  expect(html).toContain(`href="/admin/merchants/${id}/edit?q=lamp"`);
  expect(html).toContain('Showing 1 merchant');
});
