import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories/insert.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';

const key = Buffer.alloc(32, 7);
let database: TestDatabase;
let site: HttpSite;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { RATE_LIMITS: 'page=0', BOUNCE_WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
  const { app } = await loadBuiltSite(testServices(database, env));
  site = await startHttpSite(app, { env, db: database.db });
});
afterAll(async () => {
  await site.close();
  await database.close();
});

// Tests the complete path of a request, including the page cache.
test('does not serve clicks to a stranger even after the key’s owner requested them', async () => {
  const { id: actor } = await insertUser(database.db, { role: 'admin' });
  const made = await createApiKey(database.db, {
    actor,
    name: 'Sheet',
    perMinute: null,
    rights: ['clicks'],
  });
  const authorization = made.ok ? `Bearer ${made.key}` : '';
  for (const path of ['/api/v1/clicks', '/api/v1/clicks/places?by=feed', '/api/v1/clicks/deals']) {
    const seen = [];
    for (const isHolder of [false, true, false, true, false]) {
      const answer = await site.send(path, isHolder ? { headers: { authorization } } : {});
      seen.push(answer.status);
      expect(answer.headers['cache-control']).toContain('no-store');
      expect(answer.headers.vary?.toLowerCase()).toContain('authorization');
    }
    expect([path, seen]).toEqual([path, [401, 200, 401, 200, 401]]);
  }
});

test('responds to an AI assistant, but not to another site’s page or for an unknown host', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
  const ask = (headers: Record<string, string>) =>
    site.send('/mcp', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
  const answered = await ask({});
  expect([answered.status, answered.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(answered.text).toContain('"search_deals"');
  expect(answered.headers).not.toHaveProperty('set-cookie');
  expect((await ask({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask({ host: 'evil.example' })).status).toBe(421);
  expect((await ask({ 'content-type': 'text/plain' })).status).toBe(403);
  expect((await site.send('/mcp')).status).toBe(405);
});

test('verifies a mail provider’s signed report, even a large one', async () => {
  const post = (body: string, signed = body) => {
    const at = Math.floor(Date.now() / 1000);
    const hmac = createHmac('sha256', key).update(`1.${at}.${signed}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': '1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${hmac}`,
    };
    return site.send('/webhooks/mail/json', { method: 'POST', body, headers });
  };
  const report = { type: 'bounce', address: 'ädä@reader.example', diagnostic: 'x'.repeat(300_000) };
  const body = JSON.stringify({ reports: [report] });
  const answered = await post(body);
  expect([answered.status, answered.text]).toEqual([204, '']);
  expect(answered.headers).not.toHaveProperty('set-cookie');
  expect((await post(`${body}\n`, body)).status).toBe(403);
  expect((await post('x'.repeat(1_100_000))).status).toBe(413);
  expect((await site.send('/webhooks/mail/json')).status).toBe(405);
});
