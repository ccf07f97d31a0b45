import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testServices } from '#test/services.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { rightsOf } from './policy.ts';
import { changePassword } from './passwords/change-password.server.ts';
import { changeRole } from './people/change-role.server.ts';
import { eraseAccount } from './people/erase-account.server.ts';
import { exportAccount } from './people/export-account.server.ts';
import { requestPasswordReset, resetPassword } from './passwords/reset-password.server.ts';
import { claimSetupLink, isSetupLinkGood, makeSetupLink } from './people/setup-link.server.ts';
import {
  endSession,
  findOpenSession,
  listOwnSessions,
  touchSession,
} from './sessions/session-queries.server.ts';
import type { SessionUser } from './sessions/session-context.server.ts';
import { signIn } from './sessions/sign-in.server.ts';
import { signUp } from './people/sign-up.server.ts';
import { resendVerification, verifyEmail } from './people/verify-email.server.ts';

const database = useTestDatabase();
const place = { origin: 'http://deals.test', address: '192.0.2.7', userAgent: 'Test Browser' };
let maria = { fullName: 'Maria Keller', email: '', password: 'walking the hills' };
let services: AppServices;
let count = 0;

beforeEach(() => {
  services = testServices(database);
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  maria = { ...maria, email: `maria-${count}@mail.example` };
});

async function register(person = maria) {
  await signUp(services, person, `192.0.2.${count}`);
  return database.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow();
}

/** Verifies the address, which most account features require. */
async function registerAndProve() {
  const user = await register();
  await database.db.updateTable('users').set({ email_verified: true }).execute();
  return { ...user, email_verified: true };
}

async function enterAs(person = maria, oldToken: string | null = null): Promise<string> {
  const result = await signIn(services, person, place, oldToken);
  if (!result.ok) throw new Error(`sign-in refused: ${result.reason}`);
  return tokenOf(result.cookies[0]);
}

function tokenOf(cookie = ''): string {
  return /^session=([^;]+)/.exec(cookie)?.[1] ?? '';
}

async function sessionUser(token: string): Promise<SessionUser> {
  const session = await findOpenSession(database.db, token);
  if (!session) throw new Error('no session');
  return { ...session, rights: rightsOf(session.role) };
}

function mails(kind: string) {
  return database.db
    .selectFrom('mail_outbox')
    .select('recipient')
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();
}

async function tokenInMail(kind: string): Promise<string> {
  const path = await mailedPath(database.db, kind);
  return new URL(path, 'http://deals.test').searchParams.get('token') ?? '';
}

describe('signing up', () => {
  // Proves Storefront 7: Authentication (sign-in.server.ts)
  test('creates an unverified user without rights, and emails a link that verifies once', async () => {
    const user = await register();
    expect(user).toMatchObject({ role: 'user', email_verified: false, full_name: 'Maria Keller' });
    const typed = { token: await tokenInMail('verify-email'), password: maria.password };
    const verify = () => verifyEmail(services, typed, place, null);
    const verified = await verify();
    if (!verified.ok) throw new Error(verified.reason);
    expect((await sessionUser(tokenOf(verified.cookies[0]))).emailVerified).toBe(true);
    expect(await verify()).toEqual({ ok: false, reason: 'dead-link' });
    expect((await sessionUser(await enterAs())).emailVerified).toBe(true);
  });

  // Proves R13: equal answers (app/features/accounts/people/sign-up.server.ts)
  test('R13: changes nothing for a taken address, and sends another email', async () => {
    const before = await register();
    await signUp(
      services,
      { ...maria, fullName: 'Somebody Else', password: 'another password' },
      '192.0.2.2',
    );
    expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([before]);
    expect(await mails('already-registered')).toMatchObject([{ recipient: maria.email }]);
    expect(
      (await signIn(services, { ...maria, password: 'another password' }, place, null)).ok,
    ).toBe(false);
  });

  test('creates one account when two sign up at once with the same email', async () => {
    await Promise.all([register(), signUp(services, maria, '192.0.2.9')]);
    expect(await database.db.selectFrom('users').select('email').execute()).toHaveLength(1);
    expect(await database.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
  });

  test('resends the link only if needed, and at most three times an hour', async () => {
    await register();
    for (let n = 0; n < 5; n += 1)
      await resendVerification(services, maria.email, `192.0.2.${count}`);
    await resendVerification(services, 'nobody@mail.example', `192.0.2.${count}`);
    expect((await mails('verify-email')).map(({ recipient }) => recipient)).toEqual(
      Array.from({ length: 3 }, () => maria.email),
    );
  });
});

describe('sessions', () => {
  // Proves R10: sessions (app/features/accounts/sessions/session-queries.server.ts)
  test('R10: stores only hashes of session tokens', async () => {
    await register();
    const token = await enterAs();
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await database.db.selectFrom('sessions').selectAll().execute();
    expect(row?.token).toBe(createHash('sha256').update(token).digest('base64url'));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row).toMatchObject({ ip_address: '192.0.2.7', user_agent: 'Test Browser' });
  });

  test('R10: replaces the browser’s earlier session when a user signs in', async () => {
    await register();
    const first = await enterAs();
    const second = await enterAs(maria, first);
    expect(second).not.toBe(first);
    expect(await findOpenSession(database.db, first)).toBeNull();
    expect(await findOpenSession(database.db, second)).not.toBeNull();
  });

  // Proves Storefront 4: Authentication (session-queries.server.ts)
  test('R10: ends a session when idle, sooner for staff, and after 30 days in any case', async () => {
    const user = await registerAndProve();
    const token = await enterAs();
    const days = async () => {
      const session = await findOpenSession(database.db, token);
      return session && (session.sessionExpiresAt.getTime() - Date.now()) / 86_400_000;
    };
    expect(await days()).toBeCloseTo(14, 2);
    await database.db
      .updateTable('sessions')
      .set({ created_at: new Date(Date.now() - 29 * 86_400_000) })
      .execute();
    const { sessionId } = await sessionUser(token);
    await touchSession(database.db, { sessionId, role: 'user' });
    expect(await days()).toBeCloseTo(1, 2);
    await database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect(await days()).toBeNull();
    expect(await touchSession(database.db, { sessionId, role: 'user' })).toBeNull();

    await changeRole(database.db, { actor: 'cli', userId: user.id, role: 'admin' });
    const asAdmin = await findOpenSession(database.db, await enterAs());
    expect((asAdmin!.sessionExpiresAt.getTime() - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
  });

  test('ends the oldest session when a user has more than 20', async () => {
    await register();
    const tokens: string[] = [];
    for (let n = 0; n < 21; n += 1) tokens.push(await enterAs());
    const { id } = await sessionUser(tokens[20] ?? '');
    expect(await listOwnSessions(database.db, id)).toHaveLength(20);
    expect(await findOpenSession(database.db, tokens[0] ?? '')).toBeNull();
    expect(await findOpenSession(database.db, tokens[1] ?? '')).not.toBeNull();
  });

  // Proves R03: owner check in the query (app/features/price-alerts/alert-queries.server.ts)
  test('R03: lets only its owner end a session', async () => {
    await register();
    const { sessionId } = await sessionUser(await enterAs());
    const stranger = await insertUser(database.db);
    expect(await endSession(database.db, stranger.id, sessionId)).toBe(false);
    expect(await database.db.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });
});

describe('passwords', () => {
  useStoppedClock();

  // Proves R12: limits per account and address (app/features/accounts/limit-staff-writes.server.ts)
  test('R12: delays password attempts for an account after wrong ones, even parallel ones, for a limited time', async () => {
    await register();
    const wrong = () => signIn(services, { ...maria, password: 'wrong' }, place, null);
    const results = await Promise.all(Array.from({ length: 12 }, wrong));
    expect(results.some((result) => !result.ok && result.reason === 'too-many')).toBe(true);
    // The right password must wait too, and an unknown address is treated the same.
    const right = await signIn(services, maria, place, null);
    expect(right).toMatchObject({ ok: false, reason: 'too-many' });
  });

  test('R10: ends all other sessions when the password changes, and renews the current token', async () => {
    await registerAndProve();
    const [here, there] = [await enterAs(), await enterAs()];
    const user = await sessionUser(here);
    const passwords = { current: maria.password, next: 'rowing over lakes' };
    const changed = await changePassword(services, user, passwords, place);
    if (!changed.ok) throw new Error(changed.reason);
    expect(await findOpenSession(database.db, here)).toBeNull();
    expect(await findOpenSession(database.db, there)).toBeNull();
    expect(await findOpenSession(database.db, tokenOf(changed.cookie))).not.toBeNull();
    expect(await mails('password-changed')).toHaveLength(1);
    expect(await changePassword(services, user, passwords, place)).toEqual({
      ok: false,
      reason: 'wrong',
    });
  });

  test('R50: keeps a passkey’s session as a passkey session when the password changes', async () => {
    await register();
    for (const byPasskey of [true, false]) {
      const user = { ...(await sessionUser(await enterAs())), byPasskey };
      const passwords = { current: maria.password, next: maria.password };
      const changed = await changePassword(services, user, passwords, place);
      if (!changed.ok) throw new Error(changed.reason);
      const after = await findOpenSession(database.db, tokenOf(changed.cookie));
      expect(after).toMatchObject({ byPasskey });
    }
  });

  // Proves R49: password reset and change
  test('R49: resets a password through a link that works once, ends all sessions and expires', async () => {
    const user = await register();
    const session = await enterAs();
    await requestPasswordReset(services, maria.email, '192.0.2.3');
    await requestPasswordReset(services, 'nobody@mail.example', '192.0.2.3');
    expect(await mails('reset-password')).toHaveLength(1);
    const token = await tokenInMail('reset-password');
    expect(await resetPassword(services, { token, password: 'maria' })).toMatchObject({
      reason: 'weak',
    });
    expect(await resetPassword(services, { token, password: 'rowing over lakes' })).toEqual({
      ok: true,
    });
    expect(await findOpenSession(database.db, session)).toBeNull();
    expect(await resetPassword(services, { token, password: 'once more again' })).toMatchObject({
      reason: 'dead-link',
    });
    await enterAs({ ...maria, password: 'rowing over lakes' });

    await requestPasswordReset(services, maria.email, '192.0.2.3');
    const late = await tokenInMail('reset-password');
    const [row] = await database.db.selectFrom('verifications').selectAll().execute();
    expect(row?.value).toBe(user.id);
    expect(JSON.stringify(row)).not.toContain(late);
    expect((row!.expires_at.getTime() - row!.created_at.getTime()) / 60_000).toBeCloseTo(30, 0);
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(
      await resetPassword(services, { token: late, password: 'once more again' }),
    ).toMatchObject({
      reason: 'dead-link',
    });
  });
});

describe('roles', () => {
  // Proves Storefront 6: A call that makes somebody admin (change-role.server.ts)
  // Proves Back office 7: Users: update role, delete (change-role.server.ts)
  // Proves P12: who grants roles (change-role.server.ts)
  // Proves R42: audit
  test('R02: lets only a super_admin change roles, but not their own or the last super_admin’s', async () => {
    const [owner, admin, user] = await Promise.all([
      insertUser(database.db, { role: 'super_admin' }),
      insertUser(database.db, { role: 'admin' }),
      insertUser(database.db),
    ]);
    const change = (actor: string, userId: string, role: 'user' | 'admin' | 'super_admin') =>
      changeRole(database.db, { actor, userId, role });
    expect(await change(admin.id, user.id, 'admin')).toEqual({ ok: false, reason: 'not-allowed' });
    expect(await change(user.id, user.id, 'super_admin')).toEqual({
      ok: false,
      reason: 'not-allowed',
    });
    expect(await change(owner.id, owner.id, 'user')).toEqual({ ok: false, reason: 'self' });
    expect(await change('cli', owner.id, 'user')).toEqual({
      ok: false,
      reason: 'last-super-admin',
    });
    expect(await change(owner.id, 'no-such-user', 'admin')).toEqual({
      ok: false,
      reason: 'missing',
    });
    expect(await change(owner.id, user.id, 'super_admin')).toEqual({ ok: true, before: 'user' });
    const log = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(log).toMatchObject([
      {
        actor: owner.id,
        action: 'user.role',
        entity_id: user.id,
        before: { role: 'user' },
        after: { role: 'super_admin' },
      },
    ]);
  });

  // Proves R02: roles, the last super_admin (change-role.server.ts)
  test('R02: keeps one super_admin when two demote each other at once', async () => {
    const [one, two] = await Promise.all([
      insertUser(database.db, { role: 'super_admin' }),
      insertUser(database.db, { role: 'super_admin' }),
    ]);
    const results = await Promise.all([
      changeRole(database.db, { actor: one.id, userId: two.id, role: 'user' }),
      changeRole(database.db, { actor: two.id, userId: one.id, role: 'user' }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  // Proves Storefront 4: Role falls back to user; any event re-reads it (session-context.server.ts)
  test('R10: ends the user’s sessions at once when the role changes, even if only the version changes', async () => {
    const user = await registerAndProve();
    const first = await enterAs();
    await changeRole(database.db, { actor: 'cli', userId: user.id, role: 'admin' });
    expect(await findOpenSession(database.db, first)).toBeNull();
    const second = await enterAs();
    await database.db.updateTable('users').set({ role_version: 99 }).execute();
    expect(await findOpenSession(database.db, second)).toBeNull();
  });

  // Proves R33: first start
  test('R33: creates the first administrator through a link that works once', async () => {
    const link = await makeSetupLink(database.db, 'http://deals.test');
    const token = new URL(link ?? '').searchParams.get('token') ?? '';
    const rows = await database.db.selectFrom('verifications').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await isSetupLinkGood(services, token)).toBe(true);
    expect(await isSetupLinkGood(services, 'guessed')).toBe(false);
    const other = { ...maria, email: 'other@mail.example' };
    const results = await Promise.all([
      claimSetupLink(services, token, maria),
      claimSetupLink(services, token, other),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const staff = await database.db
      .selectFrom('users')
      .select(['role', 'email_verified'])
      .execute();
    expect(staff).toEqual([{ role: 'super_admin', email_verified: true }]);
    expect(await makeSetupLink(database.db, 'http://deals.test')).toBeNull();
    expect(await isSetupLinkGood(services, token)).toBe(false);
  });
});

describe('a person’s data', () => {
  test('R45: exports a person’s data without any hash', async () => {
    const user = await register();
    await enterAs();
    const deal = await insertDeal(database.db, { title: 'A lamp' });
    await database.db
      .insertInto('user_favorites')
      .values({ user_id: user.id, deal_id: deal.id })
      .execute();
    const text = JSON.stringify(await exportAccount(database.db, user.id));
    expect(text).toContain(maria.email);
    expect(text).toContain('A lamp');
    expect(text).not.toMatch(/argon2|token=|password":/);
  });

  // Proves R45: the own data (export-route.ts)
  test('R45: deletes a person’s data from every table, and leaves only an id in the log', async () => {
    const user = await registerAndProve();
    await enterAs();
    const deal = await insertDeal(database.db);
    await database.db
      .insertInto('user_favorites')
      .values({ user_id: user.id, deal_id: deal.id })
      .execute();
    await database.db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 100 })
      .execute();
    await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email: maria.email.toUpperCase() })
      .execute();
    expect(await eraseAccount(services, user)).toEqual({ ok: true });
    for (const table of [
      'users',
      'accounts',
      'sessions',
      'verifications',
      'user_favorites',
      'price_alerts',
      'newsletter_subscriptions',
      'mail_outbox',
    ] as const) {
      expect([table, await database.db.selectFrom(table).selectAll().execute()]).toEqual([
        table,
        [],
      ]);
    }
    const log = JSON.stringify(await database.db.selectFrom('audit_log').selectAll().execute());
    expect(log).toContain(user.id);
    expect(log).not.toContain('maria');
  });

  test('R45: does not let the last super_admin delete their account', async () => {
    const owner = await insertUser(database.db, { role: 'super_admin' });
    expect(await eraseAccount(services, owner)).toEqual({ ok: false, reason: 'last-super-admin' });
    await insertUser(database.db, { role: 'super_admin' });
    expect(await eraseAccount(services, owner)).toEqual({ ok: true });
  });
});
