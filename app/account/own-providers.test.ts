import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testProviderKeys, startProvider } from '#test/provider-stand-in.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { softAuthenticator } from '#test/soft-authenticator.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const path = '/profile/providers';
const password = staffPassword;
let provider: Awaited<ReturnType<typeof startProvider>>;
let visitor: TestVisitor;
let count = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

beforeEach(async () => {
  count += 1;
  provider.person = {
    subject: `own-${count}`,
    email: `own-${count}@mail.example`,
    isVerified: true,
    name: 'Ada Almond',
  };
  visitor = newVisitor();
});

const settings = () => ({
  OIDC_ISSUER: provider.origin,
  OIDC_CLIENT_ID: testProviderKeys.clientId,
  OIDC_CLIENT_SECRET: testProviderKeys.clientSecret,
  OIDC_NAME: 'Shop Login',
});

function newVisitor(): TestVisitor {
  count += 1;
  const { env } = testServices(database, settings());
  return testVisitor(testSite(database, { env }), `198.51.100.${count}`);
}

/** Signs in at the provider through its button and returns. */
async function signInThere(who = visitor, returnTo = '/profile'): Promise<Page> {
  return goOn(
    who,
    await who.send(`/sign-in/with/oidc?returnTo=${encodeURIComponent(returnTo)}`, {}),
  );
}

/** Follows a page that redirects to the provider, where the user agrees. */
function goOn(who: TestVisitor, page: Page): Promise<Page> {
  const address = page.headers.get('refresh')?.replace('0;url=', '');
  if (!address) throw new Error(`This page leads nowhere: ${page.status}`);
  return who.open(provider.agree(address));
}

const words = (page: Page) =>
  textOf(page.html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''));

async function me(): Promise<string> {
  const { id } = await database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', provider.person.email)
    .executeTakeFirstOrThrow();
  return id;
}

async function links(userId?: string): Promise<string[]> {
  let query = database.db.selectFrom('accounts').select('account_id');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  const rows = await query.where('provider_id', '=', 'oidc').execute();
  return rows.map((row) => row.account_id);
}

async function mailKinds(): Promise<string[]> {
  const rows = await database.db.selectFrom('mail_outbox').select('kind').orderBy('id').execute();
  return rows.map(({ kind }) => kind);
}

/** Makes the session an hour older. */
async function growOld(): Promise<void> {
  await database.db
    .updateTable('sessions')
    .set({ created_at: sql<Date>`now() - interval '1 hour'` })
    .execute();
}

async function addKey(who = visitor) {
  const begun = await who.send('/profile/passkeys', { intent: 'begin', name: 'Key' });
  const challenge = /challenge(?:&quot;|[^\w])+([\w-]{43})/.exec(begun.html)?.[1] ?? '';
  const device = softAuthenticator(await me());
  const credential = JSON.stringify(device.create({ challenge, origin: testOrigin }));
  const done = await who.send('/profile/passkeys', { intent: 'finish', name: 'Key', credential });
  expect(words(done)).toContain('Your passkey has been added.');
  return device;
}

/** Returns a device's signed proof of identity. */
async function proofOf(device: ReturnType<typeof softAuthenticator>, who = visitor) {
  const asked = await who.send('/api/passkeys/challenge?purpose=confirm', {});
  expect(asked.headers.get('cache-control')).toBe('private, no-store');
  const { challenge } = JSON.parse(asked.html) as { challenge: string };
  return { credential: JSON.stringify(device.get({ challenge, origin: testOrigin })) };
}

const disconnect = { intent: 'disconnect', provider: 'oidc' };

describe('disconnecting a provider', () => {
  // Proves R50: connecting and disconnecting a provider (remove-way-in.server.ts, providers-page.tsx)
  test('refuses with a message to disconnect the last sign-in method', async () => {
    await signInThere();
    expect(words(await visitor.open('/profile'))).toContain('Shop Login can sign you in.');
    const page = await visitor.send(path, disconnect);
    expect(page.status).toBe(409);
    expect(words(page)).toContain(
      'This is the only way to sign in to your account. Set a password or add a passkey first.',
    );
    expect(await links(await me())).toEqual([provider.person.subject]);
  });

  test('disconnects a provider from an account with a passkey, sends an email, and stays disconnected after the next sign-in there', async () => {
    await signInThere();
    await addKey();
    const page = await visitor.send(path, disconnect);
    expect([page.status, words(page).includes('Disconnected.')]).toEqual([200, true]);
    expect(await links()).toEqual([]);
    expect(await mailKinds()).toEqual(['passkey-added', 'provider-disconnected']);

    const elsewhere = newVisitor();
    const refused = await signInThere(elsewhere);
    expect(refused.status).toBe(403);
    expect(words(refused)).toContain('You disconnected this provider from your account.');
    expect(elsewhere.cookies.has('session')).toBe(false);
    expect(await links()).toEqual([]);
    expect((await visitor.open(path)).html).toContain('Connect Shop Login');
  });

  test('R50: requires the password, if there is one, to disconnect a provider', async () => {
    await signInThere();
    await givePassword(database, await me());
    for (const [typed, message] of [
      ['', 'Please enter your password'],
      ['not mine at all', 'That password is incorrect'],
    ] as const) {
      const page = await visitor.send(path, { ...disconnect, password: typed });
      expect(page.status).toBe(422);
      expect(words(page)).toContain(message);
    }
    expect(await links(await me())).toHaveLength(1);
    const page = await visitor.send(path, { ...disconnect, password });
    expect(page.status).toBe(200);
    expect(await links(await me())).toEqual([]);
  });

  test('changes nothing for a provider that is not connected or unknown', async () => {
    await signInThere();
    await addKey();
    expect((await visitor.send(path, { intent: 'disconnect', provider: 'github' })).status).toBe(
      404,
    );
    expect((await visitor.send(path, { intent: 'forget', provider: 'oidc' })).status).toBe(400);
    expect((await visitor.send(path, { intent: 'connect', provider: 'github' })).status).toBe(400);
    const stranger = newVisitor();
    const page = await stranger.send(path, disconnect);
    expect(page.headers.get('location')).toBe('/sign-in?returnTo=%2Fprofile%2Fproviders');
    expect(await links()).toHaveLength(1);
  });

  test('R03: leaves other users’ provider links alone', async () => {
    await signInThere();
    const first = await me();
    const other = newVisitor();
    provider.person = {
      ...provider.person,
      subject: 'somebody',
      email: `else-${count}@mail.example`,
    };
    await signInThere(other);
    await addKey(other);
    expect((await other.send(path, disconnect)).status).toBe(200);
    expect(await links(first)).toHaveLength(1);
  });

  test('R50: does not count a provider as a sign-in method for staff without two-factor', async () => {
    await signInThere();
    const device = await addKey();
    await database.db.updateTable('users').set({ role: 'admin' }).execute();
    const proof = await proofOf(device);
    const page = await visitor.send('/profile/passkeys', {
      intent: 'remove',
      passkey: device.id,
      ...proof,
    });
    expect(page.status).toBe(409);
    expect(words(page)).toContain('This is the only way to sign in to your account.');
  });
});

describe('connecting a provider', () => {
  /** Creates an account with a password, whose email differs from the provider's. */
  async function withPassword() {
    const email = `other-${count}@mail.example`;
    const user = await insertUser(database.db, { email, email_verified: true });
    await givePassword(database, user.id);
    const who = newVisitor();
    await who.sendAsHuman('/sign-in', { email, password });
    return { who, user };
  }
  const connect = { intent: 'connect', provider: 'oidc' };

  test('confirms the user’s identity, redirects to the provider, and signs in with it from then on', async () => {
    const { who, user } = await withPassword();
    const refused = await who.send(path, { ...connect, password: 'not mine at all' });
    expect([refused.status, refused.headers.get('refresh')]).toEqual([422, null]);
    const back = await goOn(who, await who.send(path, { ...connect, password }));
    expect([back.status, back.headers.get('location')]).toEqual([303, `${path}?connected=oidc`]);
    expect(words(await who.open(`${path}?connected=oidc`))).toContain('Connected.');
    expect(await links(user.id)).toEqual([provider.person.subject]);
    expect(await mailKinds()).toEqual(['provider-connected']);

    const elsewhere = newVisitor();
    expect((await signInThere(elsewhere)).status).toBe(303);
    expect((await elsewhere.open('/profile')).html).toContain(user.email);
  });

  test('connects a provider again after a disconnect', async () => {
    const { who, user } = await withPassword();
    await goOn(who, await who.send(path, { ...connect, password }));
    await who.send(path, { ...disconnect, password });
    expect((await goOn(who, await who.send(path, { ...connect, password }))).status).toBe(303);
    expect((await signInThere(newVisitor())).status).toBe(303);
    expect(await links(user.id)).toHaveLength(1);
  });

  test('refuses to connect a provider’s account that belongs to another user here', async () => {
    await signInThere();
    const first = await me();
    const { who, user } = await withPassword();
    const back = await goOn(who, await who.send(path, { ...connect, password }));
    expect(back.status).toBe(403);
    expect(words(back)).toContain('That account is already connected to another account here.');
    expect([await links(first), await links(user.id)]).toEqual([[provider.person.subject], []]);
  });

  test('refuses to connect a provider when the browser was signed out meanwhile', async () => {
    const { who, user } = await withPassword();
    const page = await who.send(path, { ...connect, password });
    who.cookies.delete('session');
    const back = await goOn(who, page);
    expect(back.status).toBe(403);
    expect(words(back)).toContain('This attempt has expired');
    expect(await links(user.id)).toEqual([]);
  });
});

// Proves R50: who has no password (identity-field.tsx)
describe('R50: a user without a password', () => {
  test('R50: requires no further proof just after signing in without a password', async () => {
    await signInThere();
    expect(words(await visitor.open('/profile'))).toContain(
      'You just signed in, so no confirmation is needed.',
    );
    const file = await visitor.send('/profile/export', {});
    expect(file.status).toBe(200);
    expect(JSON.parse(file.html)).toMatchObject({
      sign_in_providers: [{ provider: 'oidc', number_there: provider.person.subject }],
    });
    const gone = await visitor.send('/profile', { intent: 'erase' });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/']);
  });

  test('R50: requires a new sign-in at the provider when the last one is old', async () => {
    await signInThere();
    await growOld();
    const page = await visitor.open('/profile');
    expect(page.html).toContain('href="/sign-in/with/oidc?returnTo=%2Fprofile"');
    for (const [to, fields] of [
      ['/profile', { intent: 'erase' }],
      ['/profile', { intent: 'first-password', password: 'rowing over lakes' }],
      ['/profile/passkeys', { intent: 'begin', name: 'Key' }],
      ['/profile/two-factor', { intent: 'begin' }],
    ] as const) {
      const refused = await visitor.send(to, { ...fields });
      expect([to, refused.status]).toEqual([to, 422]);
      expect(words(refused)).toContain('sign in again first');
    }
    const refused = await visitor.send('/profile/export', {});
    expect(refused.headers.get('location')).toBe('/profile?export=stale#profile-export');
    expect(words(await visitor.open('/profile?export=stale'))).toContain('sign in again first');

    const before = visitor.cookies.get('session');
    expect((await signInThere()).headers.get('location')).toBe('/profile');
    expect(visitor.cookies.get('session')).not.toBe(before);
    expect((await visitor.send('/profile/export', {})).status).toBe(200);
    expect((await visitor.send('/profile/two-factor', { intent: 'begin' })).status).toBe(200);
  });

  test('R50: does not switch users when someone else signs in at the provider', async () => {
    await signInThere();
    await growOld();
    const session = visitor.cookies.get('session');
    provider.person = { ...provider.person, subject: 'guest', email: 'guest@mail.example' };
    const back = await signInThere();
    expect(back.status).toBe(403);
    expect(words(back)).toContain('That is a different account from the one connected here.');
    expect(visitor.cookies.get('session')).toBe(session);
    expect(await links()).toHaveLength(1);
    expect((await visitor.send('/profile/export', {})).status).toBe(303);
  });

  test('R50: makes the provider ask for its password again', async () => {
    const address = async () =>
      new URL(
        (await visitor.send('/sign-in/with/oidc', {})).headers.get('refresh')?.slice(6) ?? '',
      );
    expect((await address()).searchParams.has('max_age')).toBe(false);
    await signInThere();
    expect((await address()).searchParams.get('max_age')).toBe('0');
  });

  test('R50: requires a fresh sign-in at a provider that reports the time of sign-ins', async () => {
    await signInThere();
    await growOld();
    const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
    provider.claims = { auth_time: secondsAgo(3600) };
    const late = await signInThere();
    expect(late.status).toBe(403);
    expect(words(late)).toContain('Sign out there first, then try again.');
    expect((await visitor.send('/profile/export', {})).status).toBe(303);

    provider.claims = { auth_time: secondsAgo(60) };
    expect((await signInThere()).status).toBe(303);
    expect((await visitor.send('/profile/export', {})).status).toBe(200);
  });

  test('R50: allows everything with a passkey alone, regardless of the session’s age', async () => {
    await signInThere();
    const device = await addKey();
    await growOld();
    expect((await visitor.send('/profile/export', {})).status).toBe(303);
    const file = await visitor.send('/profile/export', await proofOf(device));
    expect(file.status).toBe(200);
    const begun = await visitor.send('/profile/two-factor', {
      intent: 'begin',
      ...(await proofOf(device)),
    });
    expect(begun.html).toContain('otpauth://');
    const disconnected = await visitor.send(path, { ...disconnect, ...(await proofOf(device)) });
    expect(disconnected.status).toBe(200);
    const kept = await visitor.send('/profile/passkeys', {
      intent: 'remove',
      passkey: device.id,
      ...(await proofOf(device)),
    });
    expect(kept.status).toBe(409);
    const gone = await visitor.send('/profile', { intent: 'erase', ...(await proofOf(device)) });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/']);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  test('sets a password on the profile, and ends every other session', async () => {
    await signInThere();
    const other = newVisitor();
    await signInThere(other);
    const weak = await visitor.send('/profile', { intent: 'first-password', password: 'abc' });
    expect([weak.status, words(weak).includes('Use at least 6 characters.')]).toEqual([422, true]);
    const next = 'rowing over lakes';
    const done = await visitor.send('/profile', { intent: 'first-password', password: next });
    expect(words(done)).toContain(
      'Your password has been set, and all your other sessions have been signed out.',
    );
    expect((await other.open('/profile')).status).toBe(302);
    const page = await visitor.open('/profile');
    expect(page.html).toContain('value="password"');
    const again = await visitor.send('/profile', {
      intent: 'first-password',
      password: 'abcdef9!',
    });
    expect(again.status).toBe(422); // The account has a password now, so it is required.
    const fresh = newVisitor();
    const entered = await fresh.sendAsHuman('/sign-in', {
      email: provider.person.email,
      password: next,
    });
    expect(entered.status).toBe(303);
  });

  test('refuses an identity challenge to signed-out visitors', async () => {
    const page = await visitor.send('/api/passkeys/challenge?purpose=confirm', {});
    expect([page.status, page.html]).toEqual([401, '']);
  });
});

describe('R50: staff without a password', () => {
  test('R50: lets staff who have no password change a role and export email addresses with a passkey, but not on an unlocked screen', async () => {
    await signInThere();
    const device = await addKey();
    await database.db
      .updateTable('users')
      .set({ role: 'super_admin' })
      .where('email', '=', provider.person.email)
      .execute();
    await growOld();
    const { id } = await insertUser(database.db);
    const role = async () =>
      (
        await database.db
          .selectFrom('users')
          .select('role')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).role;
    const refused = await visitor.send(`/admin/users/${id}`, { role: 'admin' });
    expect([refused.status, await role()]).toEqual([422, 'user']);
    expect(words(refused)).toContain('sign in again first');
    const proof = await proofOf(device);
    const changed = await visitor.send(`/admin/users/${id}`, { role: 'admin', ...proof });
    expect([changed.status < 400, await role()]).toEqual([true, 'admin']);
    const file = await visitor.send('/admin/subscriptions/file', await proofOf(device));
    expect([file.status, file.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/csv'),
    ]);
    const stale = await visitor.send('/admin/subscriptions/file', {});
    expect(stale.headers.get('location')).toBe('/admin/subscriptions/export?refused=stale');
    const asked = await visitor.open('/admin/subscriptions/export?refused=stale');
    expect(words(asked)).toContain('sign in again first');
  });
});
