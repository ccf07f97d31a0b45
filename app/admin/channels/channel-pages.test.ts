import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
let staff: Awaited<ReturnType<typeof signedInVisitor>>;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin');
});

const address = '/admin/channels/new?kind=apprise';
const secret = 'https://127.0.0.1/notify/the-secret';
const fields = {
  intent: 'save',
  name: 'My group',
  'setting.url': secret,
  'setting.tag': 'deals',
  events: 'low',
  least_percent: '20',
  posts_a_day: '5',
  category_id: '',
  merchant: '',
  quiet_from: '22',
  quiet_to: '7',
  template: '{title} {price}\r\n{link}\r\n{disclosure}',
  is_active: 'on',
};

test('adds, changes, tests and deletes a channel without showing its secret', async () => {
  const { status, headers } = await staff.send(address, fields);
  const place = headers.get('location') ?? '';
  expect([status, place]).toEqual([302, expect.stringMatching(/^\/admin\/channels\/\d+$/)]);
  const { html } = await staff.open(place);
  expect(html).toContain('Channel added.');
  expect(html).toContain('value="deals"');
  expect(html).not.toContain('the-secret');
  await staff.send(place, { ...fields, 'setting.url': '', name: 'Our group' });
  await staff.send(place, { intent: 'test' });
  const { html: tested } = await staff.open(place);
  expect(tested).toContain('Our group');
  expect(tested).toContain('Failed to send the test post');
  expect(tested).toContain('is not an address of the public internet');
  const { html: list } = await staff.open('/admin/channels');
  expect(list).toContain('Our group');
  await staff.send(place, { intent: 'delete' });
  expect((await staff.open(place)).status).toBe(404);
});

test('previews a template, and shows each error at its field', async () => {
  const previewed = await staff.send(address, { ...fields, intent: 'preview' });
  expect(previewed.status).toBe(200);
  expect(previewed.html).toContain('Desk lamp with wireless charger $39\n');
  expect(previewed.html).not.toContain('the-secret');
  const wrong = { name: '', template: '{titel}', least_percent: 'x' };
  const { status, html } = await staff.send(address, { ...fields, ...wrong });
  expect(status).toBe(422);
  for (const words of ['Name is required', '{titel} is unknown', 'from 0 to 99']) {
    expect(html).toContain(words);
  }
  const { html: halfQuiet } = await staff.send(address, { ...fields, quiet_to: '' });
  expect(halfQuiet).toContain('Choose both hours, or none');
  expect(await database.db.selectFrom('channels').selectAll().execute()).toEqual([]);
});

test('accepts a merchant’s name, and does not widen a rule whose merchant or category was deleted', async () => {
  const merchant = await insertMerchant(database.db, { name: 'Oakhaft' });
  const { status } = await staff.send(address, { ...fields, merchant: 'oakhaft' });
  expect(status).toBe(302);
  const stored = await database.db
    .selectFrom('channels')
    .select(['id', 'merchant_id'])
    .executeTakeFirstOrThrow();
  expect(stored.merchant_id).toBe(merchant.id);
  const place = `/admin/channels/${stored.id}`;
  expect((await staff.open(place)).html).toContain('value="Oakhaft"');
  const unknown = await staff.send(place, { ...fields, merchant: 'Nobody' });
  expect([unknown.status, unknown.html]).toEqual([422, expect.stringContaining('Nobody')]);
  const gone = await insertChannel(database.db, { merchant_id: 999, category_id: 999 });
  const { html } = await staff.open(`/admin/channels/${gone}`);
  expect(html).toContain('value="Deleted merchant"');
  expect(html).toMatch(/<option value="999" selected="">Deleted category/);
});

test('asks for the token again when the server changes', async () => {
  const settings = { server: 'https://chat.example', token: 'stored-token' };
  const id = await insertChannel(database.db, { kind: 'mastodon', settings });
  const moved = { ...fields, 'setting.server': 'https://evil.example', 'setting.token': '' };
  const { status, html } = await staff.send(`/admin/channels/${id}`, moved);
  expect([status, html]).toEqual([422, expect.stringContaining('because the server changed')]);
  expect(html).not.toContain('stored-token');
});
