import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { testProviderKeys } from '#test/provider-stand-in.ts';
import { testServices } from '#test/services.ts';
import { givePassword } from '#test/staff.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { rightsOf } from './policy.ts';
import { identityWays } from './confirm-identity.server.ts';
import { providerTitle } from './providers/identity-providers.server.ts';
import { disconnectProvider, removePasskey } from './remove-way-in.server.ts';
import type { SessionUser } from './sessions/session-context.server.ts';
import { findWaysIn } from './ways-in-queries.server.ts';

const database = useTestDatabase();
let services: AppServices;
let count = 0;

/** Google and GitHub are configured; `oidc` no longer is. */
const settings = {
  GOOGLE_CLIENT_ID: testProviderKeys.clientId,
  GOOGLE_CLIENT_SECRET: testProviderKeys.clientSecret,
  GITHUB_CLIENT_ID: testProviderKeys.clientId,
  GITHUB_CLIENT_SECRET: testProviderKeys.clientSecret,
};

beforeEach(() => {
  services = testServices(database, settings);
});

type Way = 'password' | 'passkey' | 'google' | 'github' | 'oidc';

async function personWith(
  ways: readonly Way[],
  { role = 'user', hasTwoFactor = false }: { role?: Role; hasTwoFactor?: boolean } = {},
): Promise<SessionUser> {
  const { id, email } = await insertUser(database.db, { role });
  for (const way of ways) {
    count += 1;
    if (way === 'password') await givePassword(database, id);
    else if (way === 'passkey') await addPasskey(id, `a-key-of-a-device-${count}`);
    else await link(id, way);
  }
  return {
    id,
    email,
    role,
    rights: rightsOf(role),
    hasTwoFactor,
    byPasskey: false,
    fullName: 'Ada Almond',
    emailVerified: true,
    sessionId: 'none',
    sessionExpiresAt: new Date(),
  };
}

async function addPasskey(userId: string, id: string): Promise<void> {
  await database.db
    .insertInto('passkeys')
    .values({ id, user_id: userId, name: 'Key', public_key: Buffer.alloc(1), algorithm: -7 })
    .execute();
}

async function link(userId: string, provider: string): Promise<void> {
  await database.db
    .insertInto('accounts')
    .values({
      id: `link-${count}`,
      account_id: `there-${count}`,
      provider_id: provider,
      user_id: userId,
    })
    .execute();
}

async function keyOf(user: SessionUser): Promise<string> {
  const { id } = await database.db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  return id;
}

describe('a provider', () => {
  test.each<[Way[], boolean]>([
    [['google'], false],
    [['google', 'oidc'], false], // No one can sign in with `oidc` any longer.
    [['google', 'github'], true],
    [['google', 'password'], true],
    [['google', 'passkey'], true],
  ])(
    'checks whether an account with %j can disconnect a provider: %s',
    async (ways, isPossible) => {
      const user = await personWith(ways);
      const result = await disconnectProvider(services, user, 'google');
      expect(result).toEqual(isPossible ? { ok: true } : { ok: false, reason: 'last-way' });
      const { providers } = await findWaysIn(database.db, user.id);
      expect(providers.some(({ id }) => id === 'google')).toBe(!isPossible);
    },
  );

  test.each<[Role, boolean, boolean]>([
    ['user', false, true],
    ['admin', false, false],
    ['super_admin', false, false],
    ['admin', true, true],
  ])(
    'checks whether a provider is a sign-in method for a %s with two-factor %s: %s',
    async (role, hasTwoFactor, isWayIn) => {
      const user = await personWith(['google', 'github'], { role, hasTwoFactor });
      const result = await disconnectProvider(services, user, 'google');
      expect(result.ok).toBe(isWayIn);
    },
  );

  test('reports a provider that is not connected as missing', async () => {
    const user = await personWith(['password']);
    const result = await disconnectProvider(services, user, 'google');
    expect(result).toEqual({ ok: false, reason: 'missing' });
    // The password is not a provider.
    expect(await disconnectProvider(services, user, 'credential')).toEqual(result);
    expect((await findWaysIn(database.db, user.id)).hasPassword).toBe(true);
    const { disconnected_providers } = await database.db
      .selectFrom('users')
      .select('disconnected_providers')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(disconnected_providers).toEqual([]);
  });

  test('names a provider even after its keys were removed', () => {
    const { env } = testServices(database, {});
    expect(['google', 'github', 'oidc'].map((id) => providerTitle(env, id))).toEqual([
      'Google',
      'GitHub',
      'oidc',
    ]);
  });
});

describe('a passkey', () => {
  test.each<[Way[], boolean]>([
    [['passkey'], false],
    [['passkey', 'oidc'], false],
    [['passkey', 'passkey'], true],
    [['passkey', 'password'], true],
    [['passkey', 'github'], true],
  ])('checks whether an account with %j can remove a passkey: %s', async (ways, isPossible) => {
    const user = await personWith(ways);
    const before = (await findWaysIn(database.db, user.id)).passkeys;
    const result = await removePasskey(services, user, await keyOf(user));
    expect(result).toEqual(isPossible ? { ok: true } : { ok: false, reason: 'last-way' });
    const { passkeys } = await findWaysIn(database.db, user.id);
    expect(before - passkeys).toBe(isPossible ? 1 : 0);
  });

  test('R03: reports another user’s passkey as missing', async () => {
    const [user, other] = [
      await personWith(['password']),
      await personWith(['passkey', 'passkey']),
    ];
    const result = await removePasskey(services, user, await keyOf(other));
    expect(result).toEqual({ ok: false, reason: 'missing' });
    expect((await findWaysIn(database.db, other.id)).passkeys).toBe(2);
  });
});

test('keeps one sign-in method when two are removed at once', async () => {
  for (let n = 0; n < 5; n += 1) {
    const user = await personWith(['passkey', 'google']);
    const key = await keyOf(user);
    const results = await Promise.all([
      removePasskey(services, user, key),
      disconnectProvider(services, user, 'google'),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { passkeys, providers } = await findWaysIn(database.db, user.id);
    expect(passkeys + providers.length).toBe(1);
  }
});

describe('R50: the options to confirm one’s identity', () => {
  test.each<[Way[], object]>([
    [['password'], { hasPassword: true, hasPasskey: false, providers: [] }],
    [['passkey'], { hasPassword: false, hasPasskey: true, providers: [] }],
    [
      ['github', 'oidc'],
      { hasPassword: false, hasPasskey: false, providers: [{ id: 'github', name: 'GitHub' }] },
    ],
  ])('R50: offers an account with %j the confirmations %j', async (ways, expected) => {
    const user = await personWith(ways);
    expect(await identityWays(services, user)).toEqual({
      hasCode: false,
      isFresh: false,
      ...expected,
    });
  });
});
