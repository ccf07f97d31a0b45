import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { type Soft, softAuthenticator } from '#test/soft-authenticator.ts';
import { insertUser } from '#test/factories/insert.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { rightsOf } from '../policy.ts';
import { addPasskey, beginPasskey, mostPasskeysPerUser } from './add-passkey.server.ts';
import { askForOwnPasskey, askForPasskey } from './passkey-challenge.server.ts';
import { confirmIdentity } from '../confirm-identity.server.ts';
import { exportAccount } from '../people/export-account.server.ts';
import { newPasskeyAnswer, passkeyAnswer } from './passkey-input.ts';
import { deletePasskey, listPasskeys } from './passkey-queries.server.ts';
import type { SessionUser } from '../sessions/session-context.server.ts';
import { findOpenSession } from '../sessions/session-queries.server.ts';
import { signInByPasskey } from './sign-in-by-passkey.server.ts';

const database = useTestDatabase();
const origin = 'http://deals.test';
let services: AppServices;
let count = 0;

beforeEach(() => {
  services = testServices(database);
  count += 1;
});

async function makeUser(): Promise<SessionUser> {
  const { id, email } = await insertUser(database.db);
  return {
    id,
    email,
    fullName: 'Maria Keller',
    role: 'user',
    rights: rightsOf('user'),
    emailVerified: true,
    hasTwoFactor: false,
    byPasskey: false,
    sessionId: 'none',
    sessionExpiresAt: new Date(),
  };
}

/** Creates a user with a device whose passkey is stored. */
async function withPasskey(): Promise<{ user: SessionUser; device: Soft }> {
  const user = await makeUser();
  const device = softAuthenticator(user.id);
  expect(await add(user, device)).toBe(true);
  return { user, device };
}

async function add(user: SessionUser, device: Soft, changed: Parameters<Soft['create']>[1] = {}) {
  const options = await beginPasskey(services, user, 'Deal Hub');
  if (!options) throw new Error('no challenge');
  const made = device.create({ challenge: options.challenge, origin }, changed);
  return addPasskey(services, user, 'Laptop', newPasskeyAnswer.parse(made));
}

type Changes = Parameters<Soft['get']>[1];

/** Requests a sign-in challenge and responds to it. `changed` makes the response invalid. */
async function enter(device: Soft, changed: Changes = {}) {
  const { options, cookie } = await askForPasskey(services);
  const used = device.get({ challenge: options.challenge, origin }, changed);
  return send(used, cookie);
}

function send(used: ReturnType<Soft['get']>, cookie: string) {
  const request = new Request(`${origin}/api/passkeys/sign-in`, {
    headers: cookie ? { cookie: cookie.split(';')[0] ?? '' } : {},
  });
  const place = { origin, address: `192.0.2.${count}`, userAgent: 'Test Browser' };
  return signInByPasskey(services, request, passkeyAnswer.parse(used), place, null);
}

const refused = { ok: false, reason: 'refused' };

// Proves R50: second factor, passkeys (sign-in-by-passkey.server.ts)
describe('R50: a passkey', () => {
  // Proves Storefront 4: Authentication: passkeys (R50) (sign-in-by-passkey.server.ts)
  test('signs in with a passkey alone, records its use, and asks for no code', async () => {
    const { user, device } = await withPasskey();
    await database.db
      .updateTable('users')
      .set({ two_factor_enabled: true })
      .where('id', '=', user.id)
      .execute();
    const result = await enter(device);
    if (!result.ok) throw new Error(result.reason);
    const token = /^session=([^;]+)/.exec(result.cookies[0] ?? '')?.[1] ?? '';
    expect(await findOpenSession(database.db, token)).toMatchObject({
      id: user.id,
      byPasskey: true,
    });
    const [passkey] = await listPasskeys(database.db, user.id);
    expect(passkey).toMatchObject({ name: 'Laptop' });
    expect(passkey?.lastUsedAt).toBeInstanceOf(Date);
  });

  test.each(['ES256', 'RS256', 'EdDSA'] as const)(
    'accepts a passkey with algorithm %s',
    async (algorithm) => {
      const user = await makeUser();
      const device = softAuthenticator(user.id, { algorithm });
      expect(await add(user, device)).toBe(true);
      expect(await enter(device)).toMatchObject({ ok: true });
    },
  );

  test('emails the owner about a new passkey, and exports it without its key', async () => {
    const { user } = await withPasskey();
    const mail = await database.db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ kind: 'passkey-added', recipient: user.email });
    const exported = JSON.stringify(await exportAccount(database.db, user.id));
    expect(exported).toContain('Laptop');
    expect(exported).not.toContain('public_key');
  });

  test('accepts a passkey response only once', async () => {
    const { device } = await withPasskey();
    const { options, cookie } = await askForPasskey(services);
    const used = device.get({ challenge: options.challenge, origin });
    expect(await send(used, cookie)).toMatchObject({ ok: true });
    expect(await send(used, cookie)).toEqual(refused);
  });

  test('rejects a passkey when its challenge is expired or from another browser', async () => {
    const { device } = await withPasskey();
    const late = await askForPasskey(services);
    const used = device.get({ challenge: late.options.challenge, origin });
    expect(await send(used, '')).toEqual(refused);
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect(await send(used, late.cookie)).toEqual(refused);
  });

  test.each<[string, Changes]>([
    ['another origin', { origin: 'http://deals.test.evil.example' }],
    ['a frame of another site', { crossOrigin: true }],
    ['another site’s name', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['the creation of a key', { type: 'webauthn.create' }],
    ['a device that verified no user', { flags: 0x01 }],
    ['a device without user presence', { flags: 0x04 }],
    ['another key’s signature', { signWithOther: true }],
    ['another user', { userId: 'somebody-else' }],
  ])('rejects a passkey sign-in with the response of %s', async (_what, changed) => {
    const { device } = await withPasskey();
    expect(await enter(device, changed)).toEqual(refused);
    expect(await enter(device)).toMatchObject({ ok: true });
  });

  test('does not open another user’s account by its passkey id', async () => {
    const { device } = await withPasskey();
    const other = await withPasskey();
    expect(await enter(device, { userId: other.user.id })).toEqual(refused);
    expect(await enter(other.device, { id: device.id })).toEqual(refused);
  });

  test('rejects a passkey whose counter does not advance, since it may be copied', async () => {
    const { device } = await withPasskey();
    expect(await enter(device, { counter: 5 })).toMatchObject({ ok: true });
    expect(await enter(device, { counter: 5 })).toEqual(refused);
    expect(await enter(device, { counter: 4 })).toEqual(refused);
    expect(await enter(device, { counter: 0 })).toEqual(refused);
    expect(await enter(device, { counter: 6 })).toMatchObject({ ok: true });
  });

  test('rejects a removed passkey, and does not let a stranger remove one (R03)', async () => {
    const { user, device } = await withPasskey();
    const stranger = await makeUser();
    expect(await deletePasskey(database.db, stranger.id, device.id)).toBe(false);
    expect(await enter(device)).toMatchObject({ ok: true });
    expect(await deletePasskey(database.db, user.id, device.id)).toBe(true);
    expect(await enter(device)).toEqual(refused);
  });
});

describe('adding a passkey', () => {
  test.each<[string, Parameters<Soft['create']>[1]]>([
    ['another origin', { origin: 'https://deals.test' }],
    ['a frame of another site', { crossOrigin: true }],
    ['another site’s name', { rpId: 'evil.example' }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['a device that verified no user', { flags: 0x41 }],
    ['no new key', { flags: 0x05 }],
    ['a key of another algorithm than declared', { algorithm: -257 }],
    ['an algorithm not offered', { algorithm: -47 }],
    ['an invalid key', { key: Buffer.from('no key') }],
    ['no key at all', { key: Buffer.alloc(0) }],
    ['the id of another key', { id: 'A'.repeat(43) }],
  ])('rejects a new passkey with the response of %s', async (_what, changed) => {
    const user = await makeUser();
    expect(await add(user, softAuthenticator(user.id), changed)).toBe(false);
    expect(await listPasskeys(database.db, user.id)).toEqual([]);
  });

  test('requires an unused challenge of this user to add a passkey', async () => {
    const [user, stranger] = [await makeUser(), await makeUser()];
    const options = await beginPasskey(services, user, 'Deal Hub');
    const challenge = options?.challenge ?? '';
    const answer = () =>
      newPasskeyAnswer.parse(softAuthenticator(user.id).create({ challenge, origin }));
    expect(await addPasskey(services, stranger, 'Theirs', answer())).toBe(false);
    expect(await addPasskey(services, user, 'Used up', answer())).toBe(false);
    expect(await add(user, softAuthenticator(user.id))).toBe(true);
  });

  test('does not let a new passkey replace another user’s key', async () => {
    const { user, device } = await withPasskey();
    const stranger = await makeUser();
    expect(await add(stranger, device)).toBe(false);
    expect(await listPasskeys(database.db, stranger.id)).toEqual([]);
    expect(await listPasskeys(database.db, user.id)).toHaveLength(1);
  });

  test('limits passkeys per user, and excludes keys that the device already has', async () => {
    const user = await makeUser();
    for (let n = 0; n < mostPasskeysPerUser; n += 1) await add(user, softAuthenticator(user.id));
    expect(await beginPasskey(services, user, 'Deal Hub')).toBeNull();
    const [first] = await listPasskeys(database.db, user.id);
    await deletePasskey(database.db, user.id, first?.id ?? '');
    const options = await beginPasskey(services, user, 'Deal Hub');
    expect(options?.excludeCredentials).toHaveLength(mostPasskeysPerUser - 1);
    expect(options).toMatchObject({
      rp: { id: 'deals.test' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });
});

// Proves R50: asked again before roles, deletion, export
describe('R50: confirming one’s identity with a passkey', () => {
  /** Requests an identity challenge for the user and responds to it. */
  async function confirm(user: SessionUser, device: Soft, changed: Changes = {}) {
    const { challenge } = await askForOwnPasskey(services, user);
    return confirmWith(user, device.get({ challenge, origin }, changed));
  }
  const confirmWith = (user: SessionUser, answer: object) =>
    confirmIdentity(services, user, { typed: '', credential: JSON.stringify(answer) });
  const unconfirmed = { ok: false, reason: 'wrong-passkey' };

  test('confirms a user without a password with a passkey, once per challenge', async () => {
    const { user, device } = await withPasskey();
    expect(await confirmIdentity(services, user, { typed: '', credential: '' })).toEqual({
      ok: false,
      reason: 'stale',
    });
    const { challenge, allowCredentials } = await askForOwnPasskey(services, user);
    expect(allowCredentials).toEqual([{ type: 'public-key', id: device.id }]);
    const answer = device.get({ challenge, origin });
    expect(await confirmWith(user, answer)).toEqual({ ok: true });
    expect(await confirmWith(user, answer)).toEqual(unconfirmed);
  });

  test('rejects a confirmation with another’s key, another’s challenge, or a sign-in challenge', async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()];
    expect(await confirm(mine.user, theirs.device)).toEqual(unconfirmed);
    const forThem = await askForOwnPasskey(services, theirs.user);
    const stolen = mine.device.get({ challenge: forThem.challenge, origin });
    expect(await confirmWith(mine.user, stolen)).toEqual(unconfirmed);
    const { options } = await askForPasskey(services);
    const other = mine.device.get({ challenge: options.challenge, origin });
    expect(await confirmWith(mine.user, other)).toEqual(unconfirmed);
    expect(await confirm(mine.user, mine.device)).toEqual({ ok: true });
  });

  test.each<[string, Changes]>([
    ['another origin', { origin: 'https://deals.test' }],
    ['a device that verified no user', { flags: 0x01 }],
    ['another key’s signature', { signWithOther: true }],
  ])('rejects a confirmation with the response of %s', async (_what, changed) => {
    const { user, device } = await withPasskey();
    expect(await confirm(user, device, changed)).toEqual(unconfirmed);
  });

  test('rejects a malformed passkey confirmation without an error', async () => {
    const { user } = await withPasskey();
    for (const credential of ['{}', 'no json', '[]', '{"id":1}']) {
      expect(await confirmIdentity(services, user, { typed: '', credential })).toEqual(unconfirmed);
    }
  });
});
