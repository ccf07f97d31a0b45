import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testServices } from '#test/services.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { confirmIdentity, identityWays } from './confirm-identity.server.ts';
import { totpCode } from './two-factor/totp.server.ts';
import { beginTwoFactor, confirmTwoFactor } from './two-factor/two-factor.server.ts';

const database = useTestDatabase();
useStoppedClock();
const asker = ({ id, email }: { id: string; email: string }) => ({
  id,
  email,
  hasTwoFactor: false,
  sessionId: `session-of-${id}`,
});
const nothing = { typed: '', credential: '' };

/** Creates a session whose sign-in was this many minutes ago. */
async function signedInAgo(userId: string, minutes: number) {
  await database.db
    .insertInto('sessions')
    .values({
      id: `session-of-${userId}`,
      token: `hash-of-${userId}`,
      user_id: userId,
      expires_at: new Date(Date.now() + 3_600_000),
      role_version: 1,
      created_at: sql<Date>`now() - make_interval(secs => ${minutes * 60})`,
    })
    .execute();
}

// Proves R50: asked again before roles, deletion, export
test('R50: accepts the user’s own password only, and delays many wrong ones', async () => {
  const user = await insertUser(database.db, { email: 'asked-again@staff.example' });
  await givePassword(database, user.id);
  const services = testServices(database);
  const confirm = (typed: string) =>
    confirmIdentity(services, asker(user), { typed, credential: '' });
  expect(await confirm(staffPassword)).toMatchObject({ ok: true });
  const answers = [];
  for (let n = 0; n < 12; n++) answers.push(await confirm('123456'));
  expect(answers[0]).toEqual({ ok: false, reason: 'wrong' });
  expect(answers.at(-1)).toMatchObject({ ok: false, reason: 'too-many' });
});

test('R50: accepts an authenticator code once, where set up', async () => {
  const user = await insertUser(database.db, { email: 'with-app@staff.example' });
  const services = testServices(database);
  const key = await beginTwoFactor(services, user.id);
  const codeAt = (offset: number) => totpCode(key, Math.floor(Date.now() / 30_000) + offset);
  await confirmTwoFactor(services, user.id, codeAt(0));
  const confirm = (typed: string) =>
    confirmIdentity(services, { ...asker(user), hasTwoFactor: true }, { typed, credential: '' });
  expect(await confirm('000000')).toEqual({ ok: false, reason: 'wrong' });
  expect(await confirm(codeAt(1))).toEqual({ ok: true });
  expect(await confirm(codeAt(1))).toEqual({ ok: false, reason: 'wrong' });
});

test('R50: asks for an empty field without counting an attempt', async () => {
  const user = await insertUser(database.db, { email: 'empty@staff.example' });
  await givePassword(database, user.id);
  const services = testServices(database);
  for (let n = 0; n < 30; n++) {
    const answer = await confirmIdentity(services, asker(user), nothing);
    expect(answer).toEqual({ ok: false, reason: 'missing' });
  }
  const right = { typed: staffPassword, credential: '' };
  expect(await confirmIdentity(services, asker(user), right)).toMatchObject({ ok: true });
});

test.each([
  [9.5, { ok: true }],
  [10.5, { ok: false, reason: 'stale' }],
])(
  'R50: returns whether a sign-in %d minutes ago confirms a user without a password: %j',
  async (minutes, expected) => {
    const user = await insertUser(database.db, { email: `no-password-${minutes}@mail.example` });
    await signedInAgo(user.id, minutes);
    const services = testServices(database);
    expect(await confirmIdentity(services, asker(user), nothing)).toEqual(expected);
    const ways = await identityWays(services, asker(user));
    expect(ways).toMatchObject({ hasPassword: false, isFresh: expected.ok });
  },
);

test('R50: requires the password of an account that has one, regardless of how recent the sign-in is', async () => {
  const user = await insertUser(database.db, { email: 'fresh@mail.example' });
  await givePassword(database, user.id);
  await signedInAgo(user.id, 0);
  const services = testServices(database);
  const answer = await confirmIdentity(services, asker(user), nothing);
  expect(answer).toEqual({ ok: false, reason: 'missing' });
  expect(await identityWays(services, asker(user))).toMatchObject({ isFresh: false });
});
