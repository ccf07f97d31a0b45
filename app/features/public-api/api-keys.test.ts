import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { listApiKeys } from './api-key-queries.server.ts';
import { createApiKey, mostApiKeys } from './create-api-key.server.ts';
import { revokeApiKey } from './revoke-api-key.server.ts';

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database, {
  env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'api-address=2/60' }),
});
let actor: string;
beforeEach(async () => {
  actor = (await insertUser(database.db, { role: 'admin', email: 'staff@mail.example' })).id;
});

async function aKey(perMinute: number | null = null) {
  const made = await createApiKey(database.db, { actor, name: 'Price watcher', perMinute });
  if (!made.ok) throw new Error(made.reason);
  return made;
}

const ask = (authorization: string) =>
  site.request('/api/v1/categories', { headers: { authorization } });

describe('API keys', () => {
  test('creates API keys of 256 bits, which are stored as hashes and identified by their first letters', async () => {
    const { id, key } = await aKey();
    expect(key).toMatch(/^dealhub_[\w-]{43}$/);
    const row = await database.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.key_hash).toBe(createHash('sha256').update(key).digest('base64url'));
    expect(JSON.stringify(row)).not.toContain(key.slice(14));
    const [listed] = await listApiKeys(database.db, 10);
    expect(listed).toMatchObject({
      id,
      name: 'Price watcher',
      prefix: key.slice(0, 14),
      created_by: 'staff@mail.example',
      last_used_at: null,
    });
    expect(listed).not.toHaveProperty('key_hash');
  });

  test('R42: logs the creation and revocation of an API key, without the key', async () => {
    const { id, key } = await aKey(1200);
    expect(await revokeApiKey(database.db, { actor, id })).toBe(true);
    expect(await revokeApiKey(database.db, { actor, id })).toBe(false);
    const log = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(log.map(({ action, entity_id }) => [action, entity_id])).toEqual([
      ['api-key.create', String(id)],
      ['api-key.revoke', String(id)],
    ]);
    expect(log[0]?.after).toMatchObject({
      name: 'Price watcher',
      per_minute: 1200,
      may: ['Higher limits'],
    });
    expect(JSON.stringify(log)).not.toContain(key);
  });

  test('limits the number of API keys', async () => {
    await database.db
      .insertInto('api_keys')
      .values(
        Array.from({ length: mostApiKeys }, (_, n) => ({
          name: 'x',
          prefix: 'x',
          key_hash: `${n}`,
        })),
      )
      .execute();
    const more = () => createApiKey(database.db, { actor, name: 'One more', perMinute: null });
    expect(await more()).toEqual({ ok: false, reason: 'too-many' });
    await revokeApiKey(database.db, { actor, id: 1 });
    expect(await more()).toMatchObject({ ok: true });
  });
});

describe('a request with a key', () => {
  // Proves R12: limits by address and key (count-caller.server.ts)
  test('R12: applies the API key’s limit instead of the address’s', async () => {
    const [usual, own] = [await aKey(), await aKey(3)];
    for (let n = 0; n < 3; n++) expect((await ask(`Bearer ${usual.key}`)).status).toBe(200);
    const answer = await ask(`Bearer ${usual.key}`);
    expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60');
    expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=596;t=\d+$/);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(`bearer ${own.key}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('records the use of an API key once an hour', async () => {
    const { key } = await aKey();
    await ask(`Bearer ${key}`);
    const first = (await listApiKeys(database.db, 1))[0]?.last_used_at;
    expect(first?.toISOString()).toMatch(/:00:00\.000Z$/);
    await database.db
      .updateTable('api_keys')
      .set({ last_used_at: new Date(0) })
      .execute();
    await ask(`Bearer ${key}`);
    expect((await listApiKeys(database.db, 1))[0]?.last_used_at).toEqual(first);
  });

  test('rejects an unknown or revoked API key with a challenge, and counts the request toward the address’s limit', async () => {
    const { id, key } = await aKey();
    await revokeApiKey(database.db, { actor, id });
    const refused = await ask(`Bearer ${key}`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.json()).toMatchObject({ title: 'The API key is unknown' });
    expect((await ask('Basic eDp5')).status).toBe(401);
    expect((await ask(`Bearer ${'x'.repeat(40)}`)).status).toBe(429);
  });
});
