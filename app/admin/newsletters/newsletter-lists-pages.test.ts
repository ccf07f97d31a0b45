import { beforeEach, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database, {
  env: testServices(database, { SMTP_HOST: '127.0.0.1' }).env,
});
const admin = () => signedInVisitor(database, site, 'admin');
const lists = '/admin/newsletters/lists';
const typed = { subject: 'Lamps', preview: '', content: '<p>Light.</p>', list_id: '2' };

beforeEach(() => writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test'));

test('adds, renames and retires a list without JavaScript, and shows errors at the field', async () => {
  const visitor = await admin();
  const add = { intent: 'add', name: 'Coupons' };
  expect(flashOf(await visitor.send(lists, add))).toBe('List added');
  const again = await visitor.send(lists, add);
  expect(again.status).toBe(422);
  expect(again.html).toContain('Another list has this name');
  expect(again.html.match(/value="Coupons"/g)).toHaveLength(2);
  const rename = { intent: 'save', id: '4', name: 'Best coupons', isJoined: 'on' };
  expect(flashOf(await visitor.send(lists, rename))).toBe('List saved');
  expect((await visitor.open('/admin/newsletters/new')).html).toContain('Best coupons');
  const retire = { intent: 'retire', id: '4' };
  expect(flashOf(await visitor.send(lists, retire))).toContain('List retired');
  expect(flashOf(await visitor.send(lists, { ...retire, id: '2' }))).toContain(
    'the last one stays',
  );
  const { html } = await visitor.open(lists);
  expect(html).toContain('Best coupons (retired)');
  expect(flashOf(await visitor.send(lists, { ...retire, intent: 'resume' }))).toBe(
    'List in use again',
  );
});

test('offers a choice of lists only if there are several', async () => {
  const visitor = await admin();
  const { html } = await visitor.open('/admin/newsletters/new');
  expect(html).not.toMatch(/<select[^>]*name="list_id"/);
  expect(html).toMatch(/<input type="hidden" name="list_id" value="2"/);
});

test('shows before sending how many subscribers follow the chosen category', async () => {
  const { db } = database;
  const category = await insertCategory(db, { name: 'Gadgets' });
  await insertMerchant(db);
  const row = { email: 'a@x.example', followed_category_ids: [category.id] };
  await db
    .insertInto('newsletter_subscriptions')
    .values([row, { email: 'b@x.example' }])
    .execute();
  const visitor = await admin();
  const followers = { ...typed, audience_category_id: String(category.id) };
  await visitor.send('/admin/newsletters/new', followers);
  const { html } = await visitor.open('/admin/newsletters/1');
  expect(html).toContain('Send now to 1 subscriber');
  expect(html).toContain('following Gadgets');
  expect((await visitor.open('/admin/newsletters/1/edit')).html).toContain(
    `<option value="${category.id}" selected="">Gadgets</option>`,
  );
  // The category's deletion does not widen the audience.
  await db.deleteFrom('categories').execute();
  expect((await visitor.open('/admin/newsletters/1')).html).toContain('a deleted category');
});

test('refuses a retired list and equal subjects at their fields', async () => {
  const visitor = await admin();
  const gone = await visitor.send('/admin/newsletters/new', { ...typed, list_id: '9' });
  expect(gone.html).toContain('List: Choose a list that is in use.');
  const same = await visitor.send('/admin/newsletters/new', { ...typed, subject_b: 'Lamps' });
  expect(same.status).toBe(422);
  expect(same.html).toContain('must differ from the first');
});

test('shows both subjects with their clicks, and sends the rest once', async () => {
  const { db } = database;
  const visitor = await admin();
  await db.insertInto('newsletter_subscriptions').values({ email: 'a@x.example' }).execute();
  await visitor.send('/admin/newsletters/new', { ...typed, subject_b: 'Lights', test_hours: '' });
  const planned = await visitor.open('/admin/newsletters/1');
  expect(planned.html).toContain('Subject test');
  expect(planned.html).not.toContain('Send the rest');
  await visitor.send('/admin/newsletters/1/send', { intent: 'send', version: '1' });
  const choose = { intent: 'choose', variant: 'b' };
  const early = flashOf(await visitor.send('/admin/newsletters/1/send', choose));
  expect(early).toContain('still being tested');
  await db
    .updateTable('newsletters')
    .set({ is_queued: true, tested_at: new Date(), past_sent_a: 1_000, past_sent_b: 1_000 })
    .execute();
  const link = { newsletter_id: 1, href: '/blog', label: 'Blog', clicks: 140 };
  await db
    .insertInto('newsletter_links')
    .values({ ...link, position: 1, clicks_a: 50, clicks_b: 90 })
    .execute();
  const { html } = await visitor.open('/admin/newsletters/1');
  expect(html).toContain('The difference is unlikely to be due to chance.');
  expect(html).toContain('The rest waits until you choose.');
  expect(html).toContain('Send the rest with B');
  const [first, second] = await Promise.all([
    visitor.send('/admin/newsletters/1/send', choose),
    visitor.send('/admin/newsletters/1/send', { ...choose, variant: 'a' }),
  ]);
  expect([flashOf(first), flashOf(second)].toSorted()).toEqual([
    expect.stringMatching(/^The rest gets subject [AB]\.$/),
    'The subject for the rest was already chosen.',
  ]);
  expect((await visitor.open('/admin/newsletters/1')).html).toMatch(
    /The rest gets subject (?:<!-- -->)?[AB]/,
  );
});
