import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { listSaved, pressedHeart } from '#test/pressed-heart.ts';
import { useTestDatabase } from '#test/database.ts';
import { testProviderKeys, startProvider } from '#test/provider-stand-in.ts';
import { tagsOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';
import type { IdentityProvider } from '#app/features/accounts/providers/identity-providers.server.ts';
import {
  finishAtProvider,
  startAtProvider,
} from '#app/features/accounts/providers/sign-in-by-provider.server.ts';

const database = useTestDatabase();
let provider: Awaited<ReturnType<typeof startProvider>>;
let visitor: TestVisitor;
let count = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const settings = () => ({
  OIDC_ISSUER: provider.origin,
  OIDC_CLIENT_ID: testProviderKeys.clientId,
  OIDC_CLIENT_SECRET: testProviderKeys.clientSecret,
  OIDC_NAME: 'Shop Login',
});

beforeEach(() => {
  count += 1;
  provider.person = {
    subject: `p-${count}`,
    email: `Ada-${count}@mail.example`,
    isVerified: true,
    name: 'Ada Almond',
  };
  provider.claims = {};
  provider.isDown = false;
  visitor = newVisitor();
});

function newVisitor(): TestVisitor {
  count += 1;
  const { env } = testServices(database, settings());
  return testVisitor(testSite(database, { env }), `198.51.100.${count}`);
}

/** Returns the provider's URL that the button redirects to. */
async function start(who = visitor, returnTo = '/favorites'): Promise<string> {
  const path = `/sign-in/with/oidc?returnTo=${encodeURIComponent(returnTo)}`;
  const page = await who.send(path, {});
  expect(page.status).toBe(200);
  const address = page.headers.get('refresh')?.replace('0;url=', '') ?? '';
  expect(page.html).toContain(address.replaceAll('&', '&amp;'));
  return address;
}

async function come(who = visitor, returnTo?: string) {
  return who.open(provider.agree(await start(who, returnTo)));
}

const email = () => provider.person.email.toLowerCase();

function users() {
  return database.db.selectFrom('users').selectAll().where('email', '=', email()).execute();
}

async function links() {
  const rows = await database.db
    .selectFrom('accounts')
    .select('user_id')
    .where('provider_id', '=', 'oidc')
    .execute();
  return rows.map((row) => row.user_id);
}

describe('signing in with a provider', () => {
  test('offers a provider on sign-in and sign-up only when configured', async () => {
    for (const path of ['/sign-in', '/sign-up']) {
      expect((await visitor.open(path)).html).toContain('Continue with Shop Login');
      const bare = await testSite(database).page(path);
      expect(bare.html).not.toContain('Continue with');
    }
    expect((await visitor.send('/sign-in/with/google', {})).status).toBe(404);
    const page = await visitor.open('/sign-in/with/oidc');
    expect([page.status, page.headers.get('refresh')]).toEqual([200, null]);
  });

  test('shows each provider’s logo on its button, and a key for a provider without one', async () => {
    const { env } = testServices(database, {
      ...settings(),
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      GITHUB_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'secret',
    });
    const { html } = await testSite(database, { env }).page('/sign-in');
    const logos = [...html.matchAll(/<svg((?:(?!<svg).)*?)<\/svg>Continue with ([^<]+)</gs)].map(
      ([, svg = '', name]) => {
        const shapes = tagsOf(svg, 'path').map((tag) => / fill="([^"]+)"/.exec(tag)?.[1]);
        return { name, shapes, start: / d="(\w+)/.exec(svg)?.[1] };
      },
    );
    expect(logos).toEqual([
      { name: 'Google', shapes: ['#4285f4', '#34a853', '#fbbc05', '#ea4335'], start: 'M22' },
      { name: 'GitHub', shapes: ['currentColor'], start: 'M12' },
      { name: 'Shop Login', shapes: [undefined], start: 'M15' },
    ]);
  });

  test('sends state, nonce and PKCE, and creates a verified account on first use', async () => {
    const query = new URL(await start()).searchParams;
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('redirect_uri')).toBe(`${testOrigin}/sign-in/with/oidc/callback`);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(query.get(name)).toMatch(/^[\w-]{43}$/);

    const page = await come();
    expect([page.status, page.headers.get('location')]).toEqual([303, '/favorites']);
    const [user] = await users();
    expect(user).toMatchObject({ full_name: 'Ada Almond', email_verified: true, role: 'user' });
    expect((await visitor.open('/profile')).html).toContain(email());
  });

  test('finds the account by the provider’s subject, even when the email address changed', async () => {
    await come();
    const [user] = await users();
    provider.person = { ...provider.person, email: 'moved@mail.example', isVerified: false };
    const other = newVisitor();
    expect((await come(other)).status).toBe(303);
    expect((await other.open('/profile')).html).toContain(user?.email);
    expect(await links()).toEqual([user?.id]);
  });

  test('saves a deal favorited before signing in with a provider', async () => {
    const deal = await insertDeal(database.db);
    await visitor.send('/favorites', pressedHeart(deal.id));
    await come();
    expect(await listSaved(database.db)).toEqual([deal.id]);
    expect(visitor.cookies.has('favorite-wished')).toBe(false);
  });

  test('redirects only to this site after signing in with a provider (R28)', async () => {
    expect((await come(visitor, 'https://evil.example/')).headers.get('location')).toBe('/');
  });

  // Proves Storefront 4: Authentication: Google, GitHub, OpenID Connect (sign-in-by-provider.server.ts)
  test('opens the existing account when both sides have verified the email', async () => {
    const { id } = await insertUser(database.db, { email: email(), email_verified: true });
    expect((await come()).status).toBe(303);
    expect(await links()).toEqual([id]);
  });

  test('R59: verifies the address of an unverified account and removes its creator’s access', async () => {
    const stranger = newVisitor();
    const { id } = await insertUser(database.db, { email: email(), email_verified: false });
    await givePassword(database, id);
    const typed = { email: email(), password: staffPassword };
    expect((await stranger.sendAsHuman('/sign-in', typed)).status).toBe(303);

    expect((await come()).status).toBe(303);
    expect(await users()).toMatchObject([{ id, email_verified: true }]);
    expect(await links()).toEqual([id]);
    expect((await visitor.open('/profile')).status).toBe(200);
    expect((await stranger.open('/profile')).status).toBe(302);
    expect((await newVisitor().sendAsHuman('/sign-in', typed)).status).toBe(422);
    const told = await database.db
      .selectFrom('mail_outbox')
      .select(['kind', 'recipient', 'payload'])
      .execute();
    expect(told).toMatchObject([
      { kind: 'provider-connected', recipient: email(), payload: { isFirstProof: true } },
    ]);
  });

  test.each([false, undefined, 'true'])(
    'neither creates nor opens an account when the address’s verification is %s',
    async (isVerified) => {
      await insertUser(database.db, { email: email(), email_verified: true });
      provider.claims = { email_verified: isVerified };
      const page = await come();
      expect(page.status).toBe(403);
      expect(page.html).toContain('Your email address is not verified with this provider.');
      expect(await links()).toEqual([]);
    },
  );

  test.each(['admin', 'super_admin'] as const)(
    'R50: refuses %s without two-factor',
    async (role) => {
      await insertUser(database.db, { email: email(), email_verified: true, role });
      const page = await come();
      expect(page.status).toBe(403);
      expect(page.html).toContain('Administrator accounts need two-factor.');
      expect(await links()).toEqual([]);
    },
  );

  // Proves R50: second factor
  test('R50: asks for the two-factor code when it is on', async () => {
    await insertUser(database.db, {
      email: email(),
      email_verified: true,
      role: 'admin',
      two_factor_enabled: true,
    });
    const page = await come();
    expect(page.headers.get('location')).toBe('/sign-in/second-factor?returnTo=%2Ffavorites');
    expect(visitor.cookies.has('session')).toBe(false);
    expect((await visitor.open('/sign-in/second-factor')).status).toBe(200);
  });
});

describe('an invalid return from the provider', () => {
  test('reports that the visitor declined at the provider', async () => {
    const state = new URL(await start()).searchParams.get('state') ?? '';
    const page = await visitor.open(
      `/sign-in/with/oidc/callback?error=access_denied&state=${state}`,
    );
    expect(page.status).toBe(403);
    expect(page.html).toContain('You canceled the sign-in at the provider.');
  });

  test('accepts a return from the provider only once', async () => {
    const back = provider.agree(await start());
    const before = provider.tokens;
    expect((await visitor.open(back)).status).toBe(303);
    const again = await visitor.open(back);
    expect(again.status).toBe(403);
    expect(again.html).toContain('This attempt has expired');
    expect(provider.tokens).toBe(before + 1);
  });

  test('refuses a return from the provider in another browser, with another state, or when expired', async () => {
    const back = provider.agree(await start());
    expect((await newVisitor().open(back)).status).toBe(403);
    const changed = back.replace(/state=[^&]+/, `state=${'A'.repeat(43)}`);
    expect((await visitor.open(changed)).status).toBe(403);
    expect((await visitor.open('/sign-in/with/oidc/callback')).status).toBe(403);
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await visitor.open(back)).html).toContain('This attempt has expired');
    expect(visitor.cookies.has('session')).toBe(false);
  });

  test.each<[string, Record<string, unknown>]>([
    ['from another issuer', { iss: 'https://evil.example' }],
    ['for another site', { aud: 'somebody-else' }],
    ['from another attempt', { nonce: 'A'.repeat(43) }],
    ['that has expired', { exp: 1 }],
  ])('refuses a provider’s id token %s', async (_what, claims) => {
    provider.claims = claims;
    const page = await come();
    expect(page.status).toBe(403);
    expect(page.html).toContain('The response could not be read.');
    expect(await users()).toEqual([]);
  });

  test('refuses a return when the provider does not know the code', async () => {
    const back = provider.agree(await start()).replace(/code=[^&]+/, 'code=invented');
    const page = await visitor.open(back);
    expect([page.status, page.html.includes('The response could not be read.')]).toEqual([
      403,
      true,
    ]);
  });

  test('R12: counts provider sign-ins towards the IP address’s rate limit', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await visitor.open('/sign-in/with/oidc/callback?state=none')).status);
    expect(statuses).toEqual([...Array<number>(30).fill(403), 429]);
  });
});

// Proves R59: providers that lie (read-identity.server.ts, sign-in-by-provider.server.ts)
describe('R59: a provider that sends false data', () => {
  const told = () =>
    database.db.selectFrom('users').select(['id', 'email']).orderBy('created_at').execute();

  test('R59: neither opens nor creates an account with an unverified email from a provider', async () => {
    const owner = await insertUser(database.db, { email: 'owner@mail.example' });
    for (const email_verified of [false, undefined, null, 'true', 1, [true]]) {
      provider.claims = { email: owner.email, email_verified };
      expect((await come(newVisitor())).status).toBe(403);
    }
    expect([await links(), (await told()).length]).toEqual([[], 1]);
  });

  test('R59: opens the earlier account when a provider sends the address of a known subject', async () => {
    const owner = await insertUser(database.db, { email: 'owner@mail.example' });
    await come();
    const [guest] = await users();
    provider.person = { ...provider.person, email: owner.email };
    const again = newVisitor();
    expect((await come(again)).status).toBe(303);
    expect((await again.open('/profile')).html).not.toContain(owner.email);
    expect(await links()).toEqual([guest?.id]);
  });

  test('R59: does not open an account by email alone when another subject owns it', async () => {
    await come();
    const [user] = await users();
    provider.person = { ...provider.person, subject: 'the-next-holder-of-the-address' };
    const next = newVisitor();
    const page = await come(next);
    expect(page.status).toBe(403);
    expect(page.html).toContain('Your account is connected to a different account there.');
    expect(next.cookies.has('session')).toBe(false);
    expect(await links()).toEqual([user?.id]);
    await expect(
      database.db
        .insertInto('accounts')
        .values({ id: 'two', account_id: 'two', provider_id: 'oidc', user_id: user?.id ?? '' })
        .execute(),
    ).rejects.toThrow('accounts_user_provider');
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['not a string', 17],
    ['a list', ['p-1']],
    ['too long', 'x'.repeat(5000)],
    ['not ASCII', 'p\u0000\u00e4'],
  ])('R59: refuses a provider’s subject that is %s', async (_what, sub) => {
    provider.claims = { sub };
    const page = await come();
    expect(page.status).toBe(403);
    expect(page.html).toContain('The response could not be read.');
    expect(await users()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['two addresses in one', { email: 'a@mail.example, b@mail.example' }],
    ['a line break in the address', { email: 'a@mail.example\r\nBcc: b@mail.example' }],
    ['a list as address', { email: ['a@mail.example'] }],
    ['no address', { email: undefined }],
  ])('R59: creates no account with %s from a provider', async (_what, claims) => {
    provider.claims = claims;
    expect((await come()).status).toBe(403);
    expect(await told()).toEqual([]);
  });

  test.each(['javascript:alert(1)//', 'data:text/html,x'])(
    'R59: does not redirect anyone to %s as a provider’s sign-in page',
    async (authorization_endpoint) => {
      const liar = await startProvider();
      liar.description = { authorization_endpoint };
      const { env } = testServices(database, { ...settings(), OIDC_ISSUER: liar.origin });
      const guest = testVisitor(testSite(database, { env }), '198.51.100.251');
      const page = await guest.send('/sign-in/with/oidc', {});
      await liar.close();
      expect([page.status, page.headers.get('refresh')]).toEqual([502, null]);
      expect(page.html).not.toContain(authorization_endpoint);
    },
  );
});

test('does not use up the attempt on HEAD', async () => {
  const back = provider.agree(await start());
  const { env } = testServices(database, settings());
  const site = testSite(database, { env });
  const cookie = `provider-state=${visitor.cookies.get('provider-state')}`;
  const head = await site.request(back, { method: 'HEAD', headers: { cookie } });
  expect(head.status).toBe(405);
  expect((await visitor.open(back)).status).toBe(303);
});

test('uses the primary email from GitHub when it is verified', async () => {
  const services = testServices(database);
  const github: IdentityProvider = {
    ...testProviderKeys,
    id: 'github',
    name: 'GitHub',
    scope: 'read:user user:email',
    kind: {
      protocol: 'github',
      site: provider.origin,
      api: provider.origin,
      isOwnNetwork: true,
    },
  };
  async function arrive() {
    const address = `203.0.113.${(count += 1)}`;
    const started = await startAtProvider(services, github, { returnTo: '/', address });
    if (!started.ok) throw new Error(started.reason);
    const back = `${testOrigin}${provider.agree(started.url)}&iss=https://github.com/login/oauth`;
    const request = new Request(back, { headers: { cookie: started.cookie.split(';')[0] ?? '' } });
    const place = { origin: testOrigin, address, userAgent: 'Test Browser' };
    const nobody = { oldToken: null, viewer: null };
    return finishAtProvider(services, github, request, place, nobody);
  }
  provider.person.isVerified = false;
  expect(await arrive()).toEqual({ ok: false, reason: 'unverified' });
  provider.person.isVerified = true;
  expect(await arrive()).toMatchObject({ ok: true, needsCode: false });
  expect(await users()).toMatchObject([{ full_name: 'Ada Almond', email_verified: true }]);
});

test('shows a message instead of an error page when the provider does not respond', async () => {
  const { env } = testServices(database, { ...settings(), OIDC_ISSUER: 'http://127.0.0.1:9' });
  const other = testVisitor(testSite(database, { env }), '198.51.100.250');
  const page = await other.send('/sign-in/with/oidc', {});
  expect(page.status).toBe(502);
  expect(page.html).toContain('The response could not be read.');
});
