import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
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
  merchant_id: '',
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

test('previews a template, and names each mistake at its field', async () => {
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
