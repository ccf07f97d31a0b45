import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { testOrigin } from '#test/origin.ts';
import { listSaved, pressedHeart } from '#test/pressed-heart.ts';
import { testSite } from '#test/site.ts';
import { softAuthenticator } from '#test/soft-authenticator.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const password = 'walking the hills';
let count = 0;
let email = '';
let visitor: TestVisitor;

beforeEach(async () => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  email = `keys-${count}@mail.example`;
  visitor = testVisitor(site, `203.0.113.${count}`);
  await visitor.sendAsHuman('/sign-up', { full_name: 'Kim Keys', email, password });
  await database.db.updateTable('users').set({ email_verified: true }).execute();
  await visitor.sendAsHuman('/sign-in', { email, password });
});

async function userId(): Promise<string> {
  const { id } = await database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the response to a name and password, as the page's script reads it. */
async function challengeForNew(): Promise<string> {
  const page = await visitor.send('/profile/passkeys', { intent: 'begin', name: 'Key', password });
  expect(page.status).toBe(200);
  return /challenge(?:&quot;|[^\w])+([\w-]{43})/.exec(page.html)?.[1] ?? '';
}

async function addKey() {
  const device = softAuthenticator(await userId());
  const made = device.create({ challenge: await challengeForNew(), origin: testOrigin });
  const page = await visitor.send('/profile/passkeys', {
    intent: 'finish',
    name: 'Blue key',
    credential: JSON.stringify(made),
  });
  return { device, page };
}

async function enterWith(
  who: TestVisitor,
  device: ReturnType<typeof softAuthenticator>,
  to: string,
) {
  const asked = await who.send('/api/passkeys/challenge', {});
  expect(asked.headers.get('cache-control')).toBe('private, no-store');
  const { challenge } = JSON.parse(asked.html) as { challenge: string };
  const used = device.get({ challenge, origin: testOrigin });
  return who.send(`/api/passkeys/sign-in?returnTo=${encodeURIComponent(to)}`, {
    credential: JSON.stringify(used),
  });
}

describe('the passkeys page', () => {
  test('lists passkeys and counts them on the profile', async () => {
    expect((await visitor.open('/profile/passkeys')).html).toContain('You have no passkeys yet.');
    const { page } = await addKey();
    expect(page.html).toContain('Your passkey has been added.');
    const list = await visitor.open('/profile/passkeys');
    expect(list.html).toContain('Blue key');
    expect(list.html).toContain('never used');
    expect((await visitor.open('/profile')).html).toContain('One passkey can sign you in.');
  });

  test('explains that passkeys need JavaScript when there is none', async () => {
    const { html } = await visitor.open('/profile/passkeys');
    expect(html).toContain('JavaScript is off');
  });

  // Proves R50: second factor
  test('R50: requires the password to add or remove a passkey', async () => {
    const begin = { intent: 'begin', name: 'Key', password: 'not my password' };
    const refused = await visitor.send('/profile/passkeys', begin);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('That password is incorrect');
    await addKey();
    const { id } = await database.db.selectFrom('passkeys').select('id').executeTakeFirstOrThrow();
    const remove = { intent: 'remove', passkey: id };
    expect((await visitor.send('/profile/passkeys', remove)).status).toBe(422);
    const wrong = { ...remove, password: 'not my password' };
    expect((await visitor.send('/profile/passkeys', wrong)).status).toBe(422);
    expect(await database.db.selectFrom('passkeys').select('id').execute()).toHaveLength(1);
    const right = await visitor.send('/profile/passkeys', { ...remove, password });
    expect(right.html).toContain('The passkey has been removed');
    expect(await database.db.selectFrom('passkeys').select('id').execute()).toEqual([]);
    const again = await visitor.send('/profile/passkeys', { ...remove, password });
    expect(again.status).toBe(404);
  });

  test.each([
    ['no name', { name: ' ' }, 'Please name the passkey'],
    ['a name that is too long', { name: 'x'.repeat(61) }, 'at most 60 characters'],
  ])('refuses a passkey with %s at its field', async (_what, fields, words) => {
    const page = await visitor.send('/profile/passkeys', { intent: 'begin', password, ...fields });
    expect(page.status).toBe(422);
    expect(page.html).toContain(words);
  });

  test.each(['', 'no json', '{}', '[1]', JSON.stringify({ id: 1 })])(
    'refuses the passkey response %j without an error',
    async (credential) => {
      const page = await visitor.send('/profile/passkeys', {
        intent: 'finish',
        name: 'Key',
        credential,
      });
      expect(page.status).toBe(422);
      expect(page.html).toContain('The passkey could not be added.');
    },
  );
});

describe('signing in with a passkey', () => {
  test('redirects to the previous page after signing in with a passkey, on this site only (R28)', async () => {
    const { device } = await addKey();
    const browser = testVisitor(site, `203.0.113.${100 + count}`);
    const home = await enterWith(browser, device, '//evil.example');
    expect(home.headers.get('location')).toBe('/');
    const back = await enterWith(browser, device, '/favorites');
    expect([back.status, back.headers.get('location')]).toEqual([303, '/favorites']);
    expect((await browser.open('/profile')).html).toContain(email);
  });

  test('saves a deal favorited before signing in with a passkey', async () => {
    const { device } = await addKey();
    const deal = await insertDeal(database.db);
    const stranger = testVisitor(site, `203.0.113.${(count += 1)}`);
    await stranger.send('/favorites', pressedHeart(deal.id));
    await enterWith(stranger, device, '/');
    expect(await listSaved(database.db)).toEqual([deal.id]);
    expect(stranger.cookies.has('favorite-wished')).toBe(false);
  });

  test('R12: counts passkey sign-ins towards the IP address’s rate limit', async () => {
    const browser = testVisitor(site, `203.0.113.${150 + count}`);
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await browser.send('/api/passkeys/sign-in', { credential: '{}' })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(422), 429]);
  });

  test('R12: limits the passkey challenges given to one IP address', async () => {
    const browser = testVisitor(site, `203.0.113.${200 + count}`);
    const statuses = new Set<number>();
    for (let n = 0; n < 61; n += 1)
      statuses.add((await browser.send('/api/passkeys/challenge', {})).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
