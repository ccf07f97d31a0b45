import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '#database/connect.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testProviderKeys, startProvider } from '#test/provider-stand-in.ts';
import { pushReceiver } from '#test/push-stand-in.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testSite } from '#test/site.ts';
import { givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';

// Tests R59: a stranger signs up with another person's address and waits. The tests cover what the
// stranger may do in the meantime, and what remains once the owner verifies the address.

const database = useTestDatabase();
let db: Db;
const password = 'walking the hills';
let provider: Awaited<ReturnType<typeof startProvider>>;
let site: ReturnType<typeof testSite>;
let count = 0;
let email = '';
let userId = '';
let stranger: TestVisitor;

beforeAll(async () => {
  ({ db } = database);
  provider = await startProvider();
});
afterAll(() => provider.close());

beforeEach(async () => {
  const { env } = testServices(database, {
    OIDC_ISSUER: provider.origin,
    OIDC_CLIENT_ID: testProviderKeys.clientId,
    OIDC_CLIENT_SECRET: testProviderKeys.clientSecret,
    OIDC_NAME: 'Shop Login',
  });
  site = testSite(database, { env });
  count += 1;
  email = `owner-${count}@mail.example`;
  provider.person = { subject: `s-${count}`, email, isVerified: true };
  stranger = newVisitor();
  await stranger.sendAsHuman('/sign-up', { full_name: 'Mallory', email, password });
  await stranger.sendAsHuman('/sign-in', { email, password });
  if (!stranger.cookies.has('session')) throw new Error('the stranger is not signed in');
  ({ id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow());
});

function newVisitor(): TestVisitor {
  count += 1;
  return testVisitor(site, `198.51.100.${count}`);
}

const words = (page: Page) =>
  textOf(page.html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''));

const linkInMail = (kind: string) => mailedPath(db, kind, email);

const tokenIn = (path: string) =>
  new URL(path, 'http://deals.test').searchParams.get('token') ?? '';

/**
 * Returns the number of rows that give access to the account, email someone or act for the account,
 * by kind.
 */
async function heldThings(): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from sessions where user_id = ${userId}) as sessions,
           (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
           (select count(*)::int from two_factors where user_id = ${userId}) as "secondSteps",
           (select count(*)::int from backup_codes where user_id = ${userId}) as "backupCodes",
           (select count(*)::int from accounts where user_id = ${userId} and provider_id <> 'credential') as providers,
           (select count(*)::int from push_subscriptions where user_id = ${userId}) as browsers,
           (select count(*)::int from alert_channels where user_id = ${userId}) as channels,
           (select count(*)::int from api_keys where created_by = ${userId} and revoked_at is null) as keys,
           (select count(*)::int from verifications where value = ${userId}) as links`.execute(db);
  return rows[0] ?? {};
}
const aPasskey = {
  id: 'a-key-of-a-device',
  name: 'Key',
  public_key: Buffer.alloc(1),
  algorithm: -7,
};
const aChannel = { kind: 'ntfy', settings: Buffer.alloc(1), place: 'a', place_hash: 'a' };
const nothing = {
  sessions: 0,
  passkeys: 0,
  secondSteps: 0,
  backupCodes: 0,
  providers: 0,
  browsers: 0,
  channels: 0,
  keys: 0,
  links: 0,
};

// Proves R59: what needs a proved address (refuse_unproved.sql, session-context.server.ts)
describe('R59: an account with an unverified address', () => {
  test('R59: redirects an unverified account from pages of sign-in methods to verification, with an explanation', async () => {
    for (const path of ['/profile/passkeys', '/profile/two-factor', '/profile/providers']) {
      const page = await stranger.open(path);
      expect([path, page.status, page.headers.get('location')]).toEqual([
        path,
        303,
        '/resend-verification?first',
      ]);
    }
    const asked = await stranger.open('/resend-verification?first');
    expect(words(asked)).toContain('Verify your email address first.');
    expect(asked.html).toContain(`value="${email}"`);
    const profile = await stranger.open('/profile');
    expect(words(profile)).toContain('this account cannot have a passkey, two-factor');
    expect(profile.html).not.toContain('href="/profile/passkeys"');
  });

  test('R59: does not add a passkey, second factor, provider or notified browser to an unverified account', async () => {
    const browser = { endpoint: 'https://push.example/stranger', ...pushReceiver().keys };
    for (const [path, fields] of [
      ['/profile/passkeys', { intent: 'begin', name: 'Key', password }],
      ['/profile/passkeys', { intent: 'finish', name: 'Key', credential: '{}' }],
      ['/profile/two-factor', { intent: 'begin', password }],
      ['/profile/two-factor', { intent: 'confirm', code: '000000' }],
      ['/profile/providers', { intent: 'connect', provider: 'oidc', password }],
    ] as const) {
      const page = await stranger.send(path, { ...fields });
      expect([path, page.status]).toEqual([path, 303]);
      expect(page.headers.get('location')).toBe('/resend-verification?first');
    }
    const told = await stranger.send('/price-alerts', { intent: 'notify-browser', ...browser });
    expect(told.status).toBe(403);
    expect((await stranger.open('/price-alerts')).html).not.toContain('Notifications</h2>');
    expect(await heldThings()).toEqual({ ...nothing, sessions: 1 });
  });

  test('R59: rejects an unverified account’s sign-in methods even in the database', async () => {
    const browser = { endpoint: 'https://push.example/x', p256dh: 'a', auth: 'b' };
    const link = { id: 'l', account_id: 'l', provider_id: 'google' };
    const own = { user_id: userId };
    await expect(
      db
        .insertInto('passkeys')
        .values({ ...aPasskey, ...own })
        .execute(),
    ).rejects.toThrow('passkeys needs a proved address');
    await expect(
      db
        .insertInto('two_factors')
        .values({ sealed_key: Buffer.alloc(1), ...own })
        .execute(),
    ).rejects.toThrow('two_factors needs a proved address');
    await expect(
      db
        .insertInto('push_subscriptions')
        .values({ ...browser, ...own })
        .execute(),
    ).rejects.toThrow('push_subscriptions needs a proved address');
    await expect(
      db
        .insertInto('alert_channels')
        .values({ ...aChannel, ...own })
        .execute(),
    ).rejects.toThrow('alert_channels needs a proved address');
    await expect(
      db
        .insertInto('accounts')
        .values({ ...link, ...own })
        .execute(),
    ).rejects.toThrow('accounts needs a proved address');
    const set = (change: object) =>
      db.updateTable('users').set(change).where('id', '=', userId).execute();
    await expect(set({ two_factor_enabled: true })).rejects.toThrow('users_second_step_needs');
    await expect(set({ role: 'admin' })).rejects.toThrow('users_role_needs_proof');
  });

  test('R59: does not assign a role to an unverified account, and shows staff the reason', async () => {
    const owner = await signedInVisitor(database, site, 'super_admin');
    await givePassword(database, owner.userId);
    const page = await owner.open(`/admin/users/${userId}`);
    expect(words(page)).toContain('This address is not verified yet');
    expect(page.html).not.toContain('name="password"');
    const fields = { role: 'admin', password: staffPassword };
    const sent = await owner.send(`/admin/users/${userId}`, fields);
    expect([sent.status, words(sent).includes('Only verified users')]).toEqual([409, true]);
    expect(await changeRole(db, { actor: owner.userId, userId, role: 'admin' })).toEqual({
      ok: false,
      reason: 'unproved',
    });
  });

  test('R59: lets an unverified account save favorites, set alerts and be deleted, and sends it only verification emails', async () => {
    const deal = await insertDeal(db, { sale_price: 5000 });
    await stranger.send('/favorites', {
      deal_id: String(deal.id),
      want: 'set',
      return_to: '/deals',
    });
    await stranger.send('/price-alerts/new', { deal_id: String(deal.id), target: '40' });
    const { id } = await db.selectFrom('price_alerts').select('id').executeTakeFirstOrThrow();
    const tested = await stranger.send('/price-alerts', { intent: 'test', id: String(id) });
    expect(tested.status).toBe(403);
    expect((await stranger.open('/price-alerts')).html).not.toContain('value="test"');
    const changed = { intent: 'password', current_password: password, password: 'rowing over' };
    expect((await stranger.send('/profile', changed)).status).toBe(200);
    const mails = await db.selectFrom('mail_outbox').select('kind').execute();
    expect(mails).toEqual([{ kind: 'verify-email' }]);
    expect(await db.selectFrom('user_favorites').select('deal_id').execute()).toHaveLength(1);
  });
});

// Proves R59: data of the address (export-account.server.ts, erase-account.server.ts)
describe('R59: an address’s data', () => {
  const address = () => sql<string>`lower(email)`;
  beforeEach(async () => {
    await db
      .insertInto('newsletter_subscriptions')
      .values({ email: email.toUpperCase() })
      .execute();
    await db
      .insertInto('contact_messages')
      .values({ name: 'Olive', email, subject: 'A letter of mine', message: 'Hello' })
      .execute();
    await db
      .insertInto('mail_outbox')
      .values({
        key: `digest-${count}`,
        kind: 'newsletter-digest',
        recipient: email,
        payload: '{}',
      })
      .execute();
  });

  async function left(): Promise<number[]> {
    const found = await Promise.all([
      db.selectFrom('newsletter_subscriptions').select('id').where(address(), '=', email).execute(),
      db.selectFrom('contact_messages').select('id').where(address(), '=', email).execute(),
      db.selectFrom('mail_outbox').select('id').where('kind', '=', 'newsletter-digest').execute(),
    ]);
    return found.map(({ length }) => length);
  }

  test('R59: exports none of the address’s data for an unverified account, and explains why', async () => {
    const file = JSON.parse((await stranger.send('/profile/export', { password })).html) as object;
    expect(file).toMatchObject({ account: { email }, newsletter: [], messages: [], mails: [] });
    expect(file).toHaveProperty('left_out', expect.stringContaining('until your email address'));

    await verify(stranger);
    const whole = await stranger.send('/profile/export', { password });
    expect(JSON.parse(whole.html)).toMatchObject({
      newsletter: [{ is_active: true }],
      messages: [{ subject: 'A letter of mine' }],
      mails: [{ kind: 'verify-email' }],
    });
    expect(whole.html).not.toContain('left_out');
  });

  test('R59: keeps an address’s data when an unverified account is deleted, and deletes it with a verified one', async () => {
    expect((await stranger.send('/profile', { intent: 'erase', password })).status).toBe(303);
    expect(await left()).toEqual([1, 1, 1]);
    const accountMails = await db
      .selectFrom('mail_outbox')
      .select('id')
      .where('kind', '=', 'verify-email')
      .execute();
    expect(accountMails).toEqual([]);

    const owner = newVisitor();
    await owner.sendAsHuman('/sign-up', { full_name: 'Olive', email, password });
    await verify(owner);
    expect((await owner.send('/profile', { intent: 'erase', password })).status).toBe(303);
    expect(await left()).toEqual([0, 0, 0]);
  });

  test('R59: keeps an address’s data when a super_admin deletes an unverified account', async () => {
    const owner = await signedInVisitor(database, site, 'super_admin');
    await givePassword(database, owner.userId);
    await owner.send(`/admin/users/${userId}/delete`, { password: staffPassword });
    expect(await db.selectFrom('users').select('id').where('id', '=', userId).execute()).toEqual(
      [],
    );
    expect(await left()).toEqual([1, 1, 1]);
  });
});

/** Verifies the email with the emailed link and the account's password. */
async function verify(who: TestVisitor, typed = password): Promise<Page> {
  const path = await linkInMail('verify-email');
  return who.send(path, { token: tokenIn(path), password: typed });
}

async function reset(who: TestVisitor): Promise<void> {
  await who.sendAsHuman('/forgot-password', { email });
  const token = tokenIn(await linkInMail('reset-password'));
  const page = await who.send('/reset-password', { token, password: 'rowing over lakes' });
  expect(page.status).toBe(200);
}

async function comeFromProvider(who: TestVisitor): Promise<void> {
  const page = await who.send('/sign-in/with/oidc', {});
  const there = page.headers.get('refresh')?.replace('0;url=', '') ?? '';
  expect((await who.open(provider.agree(there))).status).toBe(303);
}

describe('R59: the emailed link', () => {
  test('R59: requires the password with the emailed link, because the owner may click a stranger’s link', async () => {
    const owner = newVisitor();
    for (const [typed, message] of [
      ['', 'Please enter your password'],
      ['a guess of mine', 'That password is incorrect'],
    ] as const) {
      const page = await verify(owner, typed);
      expect([page.status, words(page).includes(message)]).toEqual([422, true]);
    }
    const user = await db
      .selectFrom('users')
      .select('email_verified')
      .where('id', '=', userId)
      .executeTakeFirst();
    expect(user).toEqual({ email_verified: false });
    expect(owner.cookies.has('session')).toBe(false);
    expect((await verify(owner)).status).toBe(200);
  });

  test('R59: expires the emailed link once the address is verified in another way, and never skips the second step', async () => {
    const path = await linkInMail('verify-email');
    await reset(newVisitor());
    const late = newVisitor();
    const page = await late.send(path, { token: tokenIn(path), password: 'rowing over lakes' });
    expect(page.status).toBe(410);
    expect(late.cookies.has('session')).toBe(false);
  });
});

// Proves R59: the first proof ends what was there (prove-address.server.ts)
describe('R59: the first verification', () => {
  /** Inserts rows as older versions did, which allowed a stranger to prepare the account. */
  async function plant(): Promise<void> {
    const set = (email_verified: boolean) =>
      db.updateTable('users').set({ email_verified }).where('id', '=', userId).execute();
    await set(true);
    const own = { user_id: userId };
    await db
      .insertInto('sessions')
      .values({ id: 's', token: 't', expires_at: new Date(Date.now() + 3_600_000), ...own })
      .execute();
    await db
      .insertInto('passkeys')
      .values({ ...aPasskey, ...own })
      .execute();
    await db
      .insertInto('two_factors')
      .values({ sealed_key: Buffer.alloc(1), ...own })
      .execute();
    await db
      .insertInto('backup_codes')
      .values({ code_hash: 'h', ...own })
      .execute();
    await db
      .insertInto('accounts')
      .values({ id: 'l', account_id: 'planted', provider_id: 'oidc', ...own })
      .execute();
    await db
      .insertInto('push_subscriptions')
      .values({ endpoint: 'https://push.example/x', p256dh: 'a', auth: 'b', ...own })
      .execute();
    await db
      .insertInto('alert_channels')
      .values({ ...aChannel, ...own })
      .execute();
    await db
      .insertInto('api_keys')
      .values({ name: 'Mine', prefix: 'dh_', key_hash: 'h', created_by: userId })
      .execute();
    await set(false);
    await db
      .updateTable('users')
      .set({ disconnected_providers: ['oidc', 'google'] })
      .where('id', '=', userId)
      .execute();
    expect(Object.values(await heldThings()).slice(0, -1)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  }

  test.each<[string, (who: TestVisitor) => Promise<unknown>, object]>([
    ['a reset of the password', reset, {}],
    ['a provider that verified the address', comeFromProvider, { sessions: 1, providers: 1 }],
    ['the command line', () => changeRole(db, { actor: 'cli', userId, role: 'admin' }), {}],
  ])(
    'R59: ends all earlier access when the address is first verified by %s',
    async (_what, prove, made) => {
      await plant();
      const owner = newVisitor();
      await prove(owner);
      expect(await heldThings()).toEqual({ ...nothing, ...made });
      const user = await db
        .selectFrom('users')
        .select(['email_verified', 'two_factor_enabled', 'disconnected_providers'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      expect(user).toEqual({
        email_verified: true,
        two_factor_enabled: false,
        disconnected_providers: [],
      });
      // The password that the stranger chose does not work either.
      const again = await newVisitor().sendAsHuman('/sign-in', { email, password });
      expect(again.status).toBe(422);
      expect((await stranger.open('/profile')).status).toBe(302);
    },
  );

  test('R59: ends all earlier access, except the current session, when the emailed link first verifies the address', async () => {
    await stranger.sendAsHuman('/resend-verification', { email });
    const path = await linkInMail('verify-email');
    await plant();
    // The first verification in this test expired the link, so the site sends another one.
    await stranger.sendAsHuman('/resend-verification', { email });
    expect(await linkInMail('verify-email')).not.toBe(path);
    const owner = newVisitor();
    expect((await verify(owner)).status).toBe(200);
    expect(await heldThings()).toEqual({ ...nothing, sessions: 1 });
    expect((await owner.open('/profile')).status).toBe(200);
    expect((await stranger.open('/profile')).status).toBe(302);
  });

  test('R59: removes nothing from a verified account on a password reset', async () => {
    await verify(stranger);
    await db
      .insertInto('passkeys')
      .values({ ...aPasskey, user_id: userId })
      .execute();
    await reset(newVisitor());
    expect(await heldThings()).toEqual({ ...nothing, passkeys: 1 });
  });
});
