import { beforeEach, describe, expect, test } from 'vitest';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { insertDeal } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const home = '/admin/developers';
let cookie = '';

const cookieOf = async (role: Role) =>
  (await signIn(database, { role, email: `${role}@mail.example` })).cookie;

const open = (path: string, as = cookie) =>
  site.page(path, { headers: as === '' ? {} : { cookie: as } });
const send = (path: string, fields: Record<string, string> | [string, string][], as = cookie) =>
  site.page(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: as === '' ? {} : { cookie: as },
  });
const keys = () => database.db.selectFrom('api_keys').selectAll().orderBy('id').execute();
const endpoints = () => database.db.selectFrom('webhook_endpoints').selectAll().execute();

beforeEach(async () => {
  cookie = await cookieOf('admin');
});

/** Adds a webhook to a URL on this server, which is never requested. */
async function aWebhook(): Promise<string> {
  await send(home, { intent: 'add-webhook', url: 'https://127.0.0.1/', events: 'deal.published' });
  const [row] = await endpoints();
  return `${home}/webhooks/${row?.id}`;
}

describe('R01: keys and webhooks', () => {
  test('R01: restricts keys and webhooks to staff', async () => {
    const webhook = await aWebhook();
    const user = await cookieOf('user');
    for (const path of [home, webhook]) {
      expect((await open(path, '')).status).toBe(401);
      expect((await open(path, user)).status).toBe(403);
      expect((await send(path, { intent: 'create-key', name: 'x' }, '')).status).toBe(401);
      expect((await send(path, { intent: 'create-key', name: 'x' }, user)).status).toBe(403);
    }
    expect(await keys()).toEqual([]);
    expect((await open(`${home}/webhooks/999`)).status).toBe(404);
    expect((await open(`${home}/webhooks/x`)).status).toBe(404);
    expect((await send(home, { intent: 'nonsense' })).status).toBe(400);
    expect((await send(webhook, { intent: 'nonsense' })).status).toBe(400);
  });
});

describe('the developers screen', () => {
  test('explains empty lists of keys and webhooks', async () => {
    const { html } = await open(home);
    expect(html).toContain('No keys yet');
    expect(html).toContain('No webhooks yet');
    expect(html).toContain('Without a key 60 requests a minute for an address');
  });

  test('shows a new API key once, and accepts it', async () => {
    const made = await send(home, {
      intent: 'create-key',
      name: 'Price <watcher>',
      per_minute: '',
      rights: 'limits',
    });
    expect(made.status).toBe(200);
    const [key] = /dealhub_[\w-]{43}/.exec(made.html) ?? [''];
    expect(made.html).toContain('Price &lt;watcher&gt;');
    expect(made.headers.get('cache-control') ?? 'private, no-store').not.toContain('public');
    const again = await open(home);
    expect(again.html).not.toContain(key);
    expect(again.html).toContain(key.slice(0, 14));
    const headers = { authorization: `Bearer ${key}` };
    const asked = await site.request('/api/v1/categories', { headers });
    expect(asked.headers.get('ratelimit-policy')).toContain('"key";q=600');
  });

  test('keeps the input when a key cannot be created, and shows the reason at the field', async () => {
    const { status, html } = await send(home, {
      intent: 'create-key',
      name: ' ',
      per_minute: 'many',
    });
    expect(status).toBe(422);
    expect(html).toContain('Enter a name.');
    expect(html).toContain('Enter a whole number from 1 to 100,000, or leave it blank.');
    expect(html).toContain('value="many"');
    expect(await keys()).toEqual([]);
  });

  test('creates a key with the selected rights, and shows it in the list and the log', async () => {
    const form = (await open(home)).html;
    expect(form).toMatch(/<input[^>]*value="limits"[^>]*checked|checked[^>]*value="limits"/);
    expect(form).toContain('Read clicks');
    const made = await send(home, [
      ['intent', 'create-key'],
      ['name', 'Sheet'],
      ['per_minute', ''],
      ['rights', 'clicks'],
      ['rights', 'limits'],
      ['rights', 'clicks'],
    ]);
    expect(made.status).toBe(200);
    expect(made.html).toContain('Higher limits, Read clicks');
    expect((await keys())[0]?.rights).toEqual(['limits', 'clicks']);
    expect((await open('/admin/audit')).html).toContain('Higher limits, Read clicks');
  });

  test.each([
    [{}, 'Choose at least one permission.'],
    [{ rights: 'everything' }, 'Choose at least one permission.'],
    [{ rights: 'clicks', per_minute: '9' }, 'Tick “Higher limits” as well'],
  ])('does not create an API key from %o', async (fields, words) => {
    const { status, html } = await send(home, {
      intent: 'create-key',
      name: 'Sheet',
      per_minute: '',
      ...fields,
    });
    expect(status).toBe(422);
    expect(html).toContain(words);
    expect(await keys()).toEqual([]);
  });

  test('R01: lets a key read clicks only if its creator may', async () => {
    const narrow = testSite(database, {
      rightsOfRole: (role) => new Set([...rightsOf(role)].filter((one) => one !== 'catalog.read')),
    });
    const form = await narrow.page(home, { headers: { cookie } });
    expect(form.html).toContain('value="limits"');
    expect(form.html).not.toContain('value="clicks"');
    const make = (rights: string) =>
      narrow.page(home, {
        method: 'POST',
        body: new URLSearchParams({ intent: 'create-key', name: 'x', per_minute: '', rights }),
        headers: { cookie },
      });
    const refused = await make('clicks');
    expect([refused.status, await keys()]).toEqual([422, []]);
    expect(refused.html).toContain('You can only grant rights that you have yourself.');
    expect((await make('limits')).status).toBe(200);
  });

  test('revokes an API key, which is rejected from then on', async () => {
    const { html } = await send(home, {
      intent: 'create-key',
      name: 'Old',
      per_minute: '9',
      rights: 'limits',
    });
    const [key] = /dealhub_[\w-]{43}/.exec(html) ?? [''];
    const id = String((await keys())[0]?.id);
    const revoked = await send(home, { intent: 'revoke-key', id });
    expect(revoked.status).toBe(302);
    expect((await keys())[0]).toMatchObject({ per_minute: 9, revoked_at: expect.any(Date) });
    expect((await open(home)).html).toContain('Revoked');
    const headers = { authorization: `Bearer ${key}` };
    expect((await site.request('/api/v1/deals', { headers })).status).toBe(401);
    expect((await send(home, { intent: 'revoke-key', id })).status).toBe(302);
  });

  test('adds a webhook and shows its secret once', async () => {
    const added = await send(home, [
      ['intent', 'add-webhook'],
      ['url', 'https://hooks.example/deals'],
      ['events', 'alert.fired'],
      ['events', 'deal.published'],
    ]);
    const [secret] = /whsec_[\w+/]{43}=/.exec(added.html) ?? [''];
    expect(secret).not.toBe('');
    expect((await open(home)).html).not.toContain(secret);
    expect((await endpoints())[0]).toMatchObject({
      url: 'https://hooks.example/deals',
      events: ['deal.published', 'alert.fired'],
    });
  });

  test('rejects a URL without https, and a webhook without events', async () => {
    const { status, html } = await send(home, {
      intent: 'add-webhook',
      url: 'http://hooks.example',
    });
    expect(status).toBe(422);
    expect(html).toContain('Enter an https address on its usual port');
    expect(html).toContain('Choose at least one event.');
    expect(html).toContain('value="http://hooks.example"');
    expect(await endpoints()).toEqual([]);
  });
});

describe('the webhook screen', () => {
  test('pings a webhook at once and shows the result', async () => {
    const path = await aWebhook();
    expect((await open(path)).html).toContain('Nothing has been sent yet');
    expect((await send(path, { intent: 'ping' })).status).toBe(302);
    const { html } = await open(path);
    expect(html).toContain('127.0.0.1 is not an address of the public internet');
    expect(html).toContain('Failing');
    const id = /name="id" value="(\d+)"/.exec(html)?.[1] ?? '';
    const before = await database.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .executeTakeFirstOrThrow();
    await send(path, { intent: 'resend', id });
    const after = await database.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ message_id: before.message_id, attempts: 2, state: 'failed' });
    expect((await send(path, { intent: 'resend', id: '999' })).status).toBe(302);
  });

  test('changes a webhook’s URL and turns it off', async () => {
    const path = await aWebhook();
    const wrong = await send(path, { intent: 'save', url: 'nonsense', events: 'alert.fired' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('value="nonsense"');
    await send(path, { intent: 'save', url: 'https://new.example/', events: 'alert.fired' });
    expect(await endpoints()).toMatchObject([
      { url: 'https://new.example/', events: ['alert.fired'], is_active: false },
    ]);
    expect((await open(path)).html).toContain('Webhook to new.example');
  });

  test('changes a webhook’s secret, and deletes the webhook with its log', async () => {
    const path = await aWebhook();
    await insertDeal(database.db);
    const rotated = await send(path, { intent: 'rotate' });
    expect(rotated.html).toMatch(/whsec_[\w+/]{43}=/);
    expect((await open(path)).html).toContain('Two secrets are valid at the moment.');
    const deleted = await send(path, { intent: 'delete' });
    expect([deleted.status, deleted.headers.get('location')]).toEqual([302, home]);
    expect(await endpoints()).toEqual([]);
    expect((await send(path, { intent: 'ping' })).status).toBe(404);
  });

  test('paginates a webhook’s log', async () => {
    const path = await aWebhook();
    const [row] = await endpoints();
    await database.db
      .insertInto('webhook_deliveries')
      .values(
        Array.from({ length: 51 }, () => ({ endpoint_id: row?.id ?? 0, event: 'ping' as const })),
      )
      .execute();
    expect((await open(path)).html).toContain(`${path}?page=2`);
    expect((await open(`${path}?page=2`)).html).toMatch(/51.{0,3}51 of 51 messages/);
    expect((await open(`${path}?page=99`)).headers.get('location')).toBe(`${path}?page=2`);
  });
});
