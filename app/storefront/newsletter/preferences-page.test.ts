import { beforeEach, expect, test } from 'vitest';
import { insertCategory, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { findPreferencesPath } from '#app/features/newsletter/preferences.server.ts';
import { newsletterLinkQuery } from '#app/features/newsletter/newsletter-link.server.ts';
import { findSubscription } from '#app/features/newsletter/newsletter-queries.server.ts';

const database = useTestDatabase();
const email = 'reader@mail.example';
let query = '';
const keys = () => Object.fromEntries(new URLSearchParams(query));
const site = () => testSite(database, { env: testServices(database).env });
const post = (path: string, fields: [string, string][]) =>
  site().page(`${path}?${query}`, {
    method: 'POST',
    body: new URLSearchParams([...Object.entries(keys()), ...fields]),
  });
const stored = async () => (await findSubscription(database.db, email))!;

beforeEach(async () => {
  const row = await database.db
    .insertInto('newsletter_subscriptions')
    .values({ email })
    .returningAll()
    .executeTakeFirstOrThrow();
  query = await newsletterLinkQuery(database.db, 'unsubscribe', row);
});

test('shows the preferences of an emailed link, and stores them without JavaScript', async () => {
  const category = await insertCategory(database.db, { name: 'Gadgets' });
  const { status, html } = await site().page(`/newsletter/preferences?${query}`);
  expect(status).toBe(200);
  expect(html).toContain('Weekly digest');
  expect(html).toContain('name="robots" content="noindex');
  expect(html.match(/name="list"[^>]*checked/g)).toHaveLength(2);
  const saved = await post('/newsletter/preferences', [
    ['list', '1'],
    ['category', String(category.id)],
    ['category', 'x'],
  ]);
  expect(saved.html).toContain('Your choices are saved.');
  expect(saved.html.match(/name="list"[^>]*checked/g)).toHaveLength(1);
  expect(await stored()).toMatchObject({
    list_ids: [1],
    followed_category_ids: [category.id],
    follows_favorites: false,
    is_active: true,
  });
});

test('unsubscribes from everything with one press, and offers nothing afterwards', async () => {
  const left = await post('/newsletter/preferences', [
    ['intent', 'leave'],
    ['list', '1'],
  ]);
  expect(left.html).toContain('You are not subscribed.');
  expect((await stored()).is_active).toBe(false);
  await post('/newsletter/preferences', [['list', '1']]);
  expect((await stored()).is_active).toBe(false);
});

test('rejects a forged preferences link, and changes nothing', async () => {
  query = query.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const { status, html } = await site().page(`/newsletter/preferences?${query}`);
  expect(status).toBe(400);
  expect(html).toContain('Invalid Link');
  expect(html).not.toContain('Weekly digest');
  expect((await post('/newsletter/preferences', [])).status).toBe(400);
  expect((await stored()).is_active).toBe(true);
});

test('names the remaining lists after unsubscribing from one, and unsubscribes from all with one more press', async () => {
  query += '&list=1';
  const left = await post('/unsubscribe', []);
  expect(left.html).toContain('Unsubscribed Successfully');
  expect(left.html).toMatch(/You still get: (?:<!-- -->)?Newsletters/);
  expect((await stored()).list_ids).toEqual([2]);
  expect(left.html).toContain('Unsubscribe from everything');
  const { email: address = '', token = '' } = keys();
  const all = await site().page(`/unsubscribe?${query}`, {
    method: 'POST',
    body: new URLSearchParams({ email: address, token }),
  });
  expect(all.html).toContain('You have been successfully unsubscribed from our newsletter.');
  expect((await stored()).is_active).toBe(false);
});

test('removes a subscriber only from the list that a one-click link names (RFC 8058)', async () => {
  const done = await site().page(`/unsubscribe/one-click?${query}&list=2`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  expect(done.status).toBe(200);
  expect((await stored()).list_ids).toEqual([1]);
});

test('links to the preferences from an account only if its address is verified', async () => {
  const visitor = await signedInVisitor(database, site(), 'user');
  const { email: own } = await database.db
    .selectFrom('users')
    .select('email')
    .executeTakeFirstOrThrow();
  const profile = async () => (await visitor.open('/profile')).html;
  expect(await profile()).not.toContain('Choose your newsletters');
  await database.db.insertInto('newsletter_subscriptions').values({ email: own }).execute();
  const path = (await findPreferencesPath(database.db, own)) ?? '';
  expect(await profile()).toContain(path.replaceAll('&', '&amp;'));
  await database.db.updateTable('users').set({ email_verified: false }).execute();
  expect(await profile()).not.toContain('Choose your newsletters');
  await insertUser(database.db, { id: 'other', email: 'other@mail.example' });
  expect(await findPreferencesPath(database.db, 'other@mail.example')).toBeNull();
});
