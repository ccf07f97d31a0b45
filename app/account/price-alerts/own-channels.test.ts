import { expect, test } from 'vitest';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertAlertChannel } from '#test/factories/insert-alert-channel.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const standIn = useChannelStandIn();

/** Simulates a signed-in browser without JavaScript, on a site that allows local hosts. */
async function enter(overrides: { email_verified?: boolean } = {}) {
  const { user, cookie } = await signIn(database, overrides);
  const { env } = testServices(database, { ALERT_PRIVATE_HOSTS: '127.0.0.1' });
  const site = testSite(database, { env });
  return {
    user,
    read: async (path: string) => (await site.page(path, { headers: { cookie } })).html,
    post: (fields: Record<string, string>, path = '/price-alerts') =>
      site.request(path, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams(fields),
      }),
  };
}

const fieldsOf = (kind: 'gotify' | 'ntfy') => ({
  intent: 'add-channel',
  kind,
  ...Object.fromEntries(
    Object.entries(standIn().settings[kind]).map(([name, value]) => [`setting.${name}`, value]),
  ),
});
const channels = () => database.db.selectFrom('alert_channels').selectAll().execute();

test('adds a channel, verifies it by its code and removes it without JavaScript', async () => {
  const { read, post } = await enter();
  expect(await read('/price-alerts')).not.toContain('remove-channel');
  expect(await read('/price-alerts?channel=gotify')).toContain('name="setting.token"');
  const added = await post(fieldsOf('gotify'));
  expect(added.headers.get('location')).toBe('/price-alerts?channel-added#channels');
  const list = await read('/price-alerts?channel-added');
  expect(list).toContain('waiting for the code');
  expect(list).not.toContain('the-secret-token');
  const id = String((await channels())[0]?.id);
  const wrong = await post({ intent: 'prove-channel', id, code: 'no code' });
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringContaining('That code is incorrect'),
  ]);
  const code = /code is (\d{6})/.exec(standIn().shown[0]?.text ?? '')?.[1] ?? '';
  const proved = await post({ intent: 'prove-channel', id, code });
  expect(proved.headers.get('location')).toBe('/price-alerts?channel-proved#channels');
  expect(await read('/price-alerts')).toContain('gets your alerts');
  const other = await enter();
  expect((await other.post({ intent: 'remove-channel', id })).status).toBe(404);
  const removed = await post({ intent: 'remove-channel', id });
  expect(removed.headers.get('location')).toBe('/price-alerts?channel-removed#channels');
  expect(await channels()).toEqual([]);
});

test('shows a rejected channel form with its errors and without the secret', async () => {
  const { post } = await enter();
  const path = '/price-alerts?channel=gotify';
  const blank = await post({ ...fieldsOf('gotify'), 'setting.server': '' }, path);
  const html = await blank.text();
  expect([blank.status, html]).toEqual([422, expect.stringContaining('Server is required')]);
  expect(html).not.toContain('the-secret-token');
  standIn().faults.push({ status: 401, body: { error: 'words of the network' } });
  const refused = await (await post(fieldsOf('gotify'), path)).text();
  expect(refused).toContain('The channel refused the code');
  expect(refused).not.toContain('words of the network');
  expect(await channels()).toEqual([]);
});

test('offers no channel before the email is verified', async () => {
  const { read, post } = await enter({ email_verified: false });
  expect(await read('/price-alerts?channel=gotify')).not.toContain('add-channel');
  expect((await post(fieldsOf('gotify'))).status).toBe(403);
  expect(standIn().shown).toEqual([]);
});

test('lets a person with a channel choose where an alert and a search go', async () => {
  const { user, read, post } = await enter();
  const deal = await insertDeal(database.db, { sale_price: 10_000 });
  const { id } = await database.db
    .insertInto('price_alerts')
    .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const form = `/price-alerts?edit=${id}`;
  const search = '/price-alerts/searches/new?of=/deals';
  for (const path of [form, search]) expect(await read(path)).not.toContain('name="goes_to"');
  await insertAlertChannel(database.db, user.id, 'ntfy', standIn().settings.ntfy);
  for (const path of [form, search]) expect(await read(path)).toContain('name="goes_to"');
  const alert = { intent: 'update', id: String(id), target: '90', is_active: 'on' };
  await post({ ...alert, currency: 'USD', goes_to: 'channels' });
  await post({ cadence: 'daily', goes_to: 'mail' }, search);
  const choices = await Promise.all(
    (['price_alerts', 'watched_searches'] as const).map((table) =>
      database.db.selectFrom(table).select('goes_to').executeTakeFirstOrThrow(),
    ),
  );
  expect(choices).toEqual([{ goes_to: 'channels' }, { goes_to: 'mail' }]);
});
