import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { codeNow, keyIn } from '#test/authenticator-app.ts';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';

import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';
import { hashPassword } from '#app/features/accounts/passwords/password-hash.server.ts';

const database = useTestDatabase();
const site = testSite(database);
const password = 'walking the hills';
// The password is hashed once, since hashing is slow on purpose.
const keptPassword = hashPassword(password);
let count = 0;
let visitor: TestVisitor & { userId: string };

beforeEach(async () => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  visitor = await signedInVisitor(database, site, 'user', { email: `p-${count}@mail.example` });
  await database.db
    .insertInto('accounts')
    .values({
      id: `account-${count}`,
      account_id: visitor.userId,
      provider_id: 'credential',
      user_id: visitor.userId,
      password: await keptPassword,
    })
    .execute();
});

const words = (page: Page) =>
  textOf(page.html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''));
const theHash = () =>
  database.db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', visitor.userId)
    .executeTakeFirstOrThrow();
const thePerson = () =>
  database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', visitor.userId)
    .executeTakeFirstOrThrow();

describe('the profile', () => {
  test('shows the user’s profile and offers every action in a form that works without JavaScript', async () => {
    const page = await visitor.open('/profile');
    expect(page.status).toBe(200);
    expect(words(page)).toContain(`p-${count}@mail.example`);
    for (const heading of [
      'Password',
      'Two-factor authentication',
      'Passkeys',
      'Where you are signed in',
    ]) {
      expect(page.html).toContain(`>${heading}</h2>`);
    }
    for (const intent of ['name', 'password', 'end-others', 'end-all', 'erase']) {
      expect(page.html).toContain(`value="${intent}"`);
    }
  });

  test('asks for the current password once in each section, and collapses all but one', async () => {
    const asked = (html: string) =>
      tagsOf(html, 'input').filter((tag) => /autocomplete="current-password"/i.test(tag)).length;
    const sections = ({ html }: Page) =>
      [...html.matchAll(/<section[^>]*aria-labelledby="profile-([^"]+)".*?<\/section>/gs)]
        .map(([section, name]) => ({ name, section }))
        .filter(({ section }) => asked(section) > 0)
        .map(({ name, section }) => [
          name,
          asked(section),
          /<details(?![^>]* open)/.test(section) ? 'folded' : 'open',
        ]);
    const page = await visitor.open('/profile');
    expect(asked(page.html)).toBe(3);
    expect(sections(page)).toEqual([
      ['password', 1, 'open'],
      ['export', 1, 'folded'],
      ['delete', 1, 'folded'],
    ]);
    expect(sections(await visitor.send('/profile', { intent: 'erase', password: '' }))).toEqual([
      ['password', 1, 'open'],
      ['export', 1, 'folded'],
      ['delete', 1, 'open'],
    ]);
  });

  test('saves a trimmed name and shows it', async () => {
    const page = await visitor.send('/profile', { intent: 'name', full_name: '  Ada Byron ' });
    expect(page.status).toBe(200);
    expect(words(page)).toContain('Your name has been saved.');
    expect((await thePerson()).full_name).toBe('Ada Byron');
    expect((await visitor.open('/profile')).html).toContain('value="Ada Byron"');
  });

  test.each([
    ['', 'Please enter your full name'],
    ['   ', 'Please enter your full name'],
    ['x'.repeat(101), 'The name may have at most 100 characters'],
  ])('refuses the name %j at its field and keeps the old one', async (name, message) => {
    const before = (await thePerson()).full_name;
    const page = await visitor.send('/profile', { intent: 'name', full_name: name });
    expect(page.status).toBe(422);
    const [field = ''] = page.html.match(/<input[^>]*name="full_name"[^>]*>/) ?? [];
    const noteId = /aria-describedby="([^"]+)"/.exec(field)?.[1];
    expect(page.html).toMatch(new RegExp(`<p id="${noteId}"[^>]*>${message}`));
    expect((await thePerson()).full_name).toBe(before);
  });

  // Proves R04: fields allowed per call
  test('R04: accepts nothing but the name from the profile form', async () => {
    await visitor.send('/profile', {
      intent: 'name',
      full_name: 'Ada',
      role: 'super_admin',
      email: 'other@mail.example',
      email_verified: 'true',
    });
    const before = { role: 'user', email: `p-${count}@mail.example` };
    expect(await thePerson()).toMatchObject({ ...before, full_name: 'Ada' });
  });

  test('refuses an unknown intent', async () => {
    for (const intent of ['', 'promote']) {
      const page = await visitor.send('/profile', { intent });
      expect(page.status).toBe(400);
      expect(words(page)).toContain('An error occurred');
    }
  });

  test.each([
    [{ current_password: password, password: 'abc' }, 'Use at least 6 characters.'],
    [{ current_password: password, password: 'password' }, 'attackers try'],
    [{ current_password: password, password: 'x'.repeat(129) }, 'Use at most 128 characters.'],
    [{ current_password: '', password: 'rowing over lakes' }, 'Please enter your password'],
  ])('P9a: refuses the password change %j', async (fields, message) => {
    const before = await theHash();
    const page = await visitor.send('/profile', { intent: 'password', ...fields });
    expect(page.status).toBe(422);
    expect(words(page)).toContain(message);
    const [typed] = page.html.match(/<input[^>]*name="password"[^>]*>/) ?? [];
    expect(typed).not.toContain('value=');
    expect(await theHash()).toEqual(before);
  });

  test('R10: keeps only this session when signing out elsewhere, and none when signing out everywhere', async () => {
    const site2 = testVisitor(site, `198.51.100.${count}`);
    const other = await signedInAgain(site2);
    expect((await other.open('/profile')).status).toBe(200);
    const kept = await visitor.send('/profile', { intent: 'end-others' });
    expect(kept.headers.get('location')).toBe('/profile#sessions');
    expect((await other.open('/profile')).status).toBe(302);
    expect((await visitor.open('/profile')).status).toBe(200);

    const left = await visitor.send('/profile', { intent: 'end-all' });
    expect([left.status, left.headers.get('location')]).toEqual([303, '/']);
    expect(visitor.cookies.has('session')).toBe(false);
  });

  test('R45: erases an account only with the password, and ends the session', async () => {
    for (const [typed, message] of [
      ['', 'Please enter your password'],
      ['wrong', 'That password is incorrect'],
    ] as const) {
      const page = await visitor.send('/profile', { intent: 'erase', password: typed });
      expect(page.status).toBe(422);
      expect(words(page)).toContain(message);
    }
    const done = await visitor.send('/profile', { intent: 'erase', password });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
    const left = await database.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', visitor.userId)
      .execute();
    expect(left).toEqual([]);
    expect((await visitor.open('/profile')).status).toBe(302);
  });

  test('P12: does not let the last super_admin erase their account', async () => {
    await database.db
      .updateTable('users')
      .set({ role: 'super_admin' })
      .where('id', '=', visitor.userId)
      .execute();
    const page = await visitor.send('/profile', { intent: 'erase', password });
    expect(page.status).toBe(409);
    expect(words(page)).toContain(
      'You are the last super_admin. Make someone else a super_admin first.',
    );
    expect((await thePerson()).role).toBe('super_admin');
  });

  async function signedInAgain(who: TestVisitor): Promise<TestVisitor> {
    const page = await who.sendAsHuman('/sign-in', { email: `p-${count}@mail.example`, password });
    expect(page.status).toBe(303);
    return who;
  }
});

test.each([
  ['/profile/two-factor', 'value="begin"'],
  ['/profile/passkeys', 'Add this device'],
  ['/profile/providers', 'Accounts on other sites that can sign you in'],
])(
  'shows all sign-in methods at %s, with the forms of one and links to the others',
  async (path, own) => {
    const page = await visitor.open(path);
    expect(page.html).toContain('<h1>Ways to sign in</h1>');
    for (const title of [
      'Two-factor authentication',
      'Passkeys',
      ...(path === '/profile/providers' ? ['Sign-in providers'] : []),
      'Where you are signed in',
    ]) {
      expect(page.html).toContain(`>${title}</h2>`);
    }
    expect(page.html).toContain(own);
    for (const other of ['/profile/two-factor', '/profile/passkeys']) {
      expect(page.html.includes(`href="${other}"`)).toBe(other !== path);
    }
    expect(page.html).toContain('href="/profile#sessions"');
  },
);

describe('R50: two-factor', () => {
  const path = '/profile/two-factor';
  /** The password is required, so that an unlocked screen is not enough. */
  test('starts two-factor only after the password', async () => {
    const closed = await visitor.send(path, { intent: 'begin', password: 'wrong' });
    expect(closed.status).toBe(422);
    expect(words(closed)).toContain('That password is incorrect');
    expect(closed.html).not.toContain('otpauth://');
    const open = await visitor.send(path, { intent: 'begin', password });
    expect(open.status).toBe(200);
    expect(open.html).toContain('otpauth://totp/');
  });

  test('turns two-factor on with the right code, shows backup codes once, and counts them', async () => {
    const begun = await visitor.send(path, { intent: 'begin', password });
    const key = keyIn(begun.html);
    const done = await visitor.send(path, { intent: 'confirm', code: codeNow(key) });
    expect(done.status).toBe(200);
    expect(words(done)).toContain('Two-factor authentication is on.');
    const codes = [...done.html.matchAll(/<li>([\w-]{8,})<\/li>/g)].map(([, code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.length).toBeGreaterThanOrEqual(8);
    const page = await visitor.open(path);
    expect(words(page)).toContain(
      `Two-factor authentication is on. You have ${codes.length} backup codes left.`,
    );
    for (const code of codes) expect(page.html).not.toContain(code);
  });

  test('shows the key as a QR code and in groups of four, with the step and a link back', async () => {
    const step = (html: string) => /aria-current="step">([^<]+)/.exec(html)?.[1];
    expect(step((await visitor.open(path)).html)).toBe('Confirm it’s you');
    const { html } = await visitor.send(path, { intent: 'begin', password });
    expect(step(html)).toBe('Scan the code');
    expect(html).toContain('aria-label="QR code for your authenticator app"');
    const key = /name="key" value="([A-Z2-7]+)"/.exec(html)?.[1] ?? '';
    expect(html).toContain(`>${key.match(/.{4}/g)?.join(' ')}<`);
    expect(html).toMatch(new RegExp(`data-act="copy"[^>]*data-text="${key}"`));
    expect(html).toContain('href="/profile/two-factor">Back<');
    const done = await visitor.send(path, { intent: 'confirm', code: codeNow(keyIn(html)) });
    expect(step(done.html)).toBe('Save your backup codes');
  });

  test('goes back to the first step without forgetting the page that required two-factor', async () => {
    const { html } = await visitor.send(`${path}?returnTo=%2Fadmin`, { intent: 'begin', password });
    expect(html).toContain('href="/profile/two-factor?returnTo=%2Fadmin">Back<');
  });

  test('keeps two-factor off after a wrong code, and keeps the key for another try', async () => {
    const begun = await visitor.send(path, { intent: 'begin', password });
    const shown = /name="key" value="([A-Z2-7]+)"/.exec(begun.html)?.[1] ?? '';
    const wrong = await visitor.send(path, { intent: 'confirm', code: '000000', key: shown });
    expect(wrong.status).toBe(422);
    expect(words(wrong)).toContain('That code is incorrect. Please try again.');
    expect((await visitor.open(path)).html).toContain('value="begin"');
    expect(keyIn(wrong.html)).toEqual(keyIn(begun.html));
    const right = await visitor.send(path, {
      intent: 'confirm',
      code: codeNow(keyIn(wrong.html)),
    });
    expect(right.status).toBe(200);
  });

  test('keeps the confirmation step and its key when the confirmation fails with an error', async () => {
    const begun = await visitor.send(path, { intent: 'begin', password });
    const shown = /name="key" value="([A-Z2-7]+)"/.exec(begun.html)?.[1] ?? '';
    const code = codeNow(keyIn(begun.html));
    await database.pool.query('alter table two_factors rename to two_factors_away');
    const failed = await visitor.send(path, { intent: 'confirm', code, key: shown });
    await database.pool.query('alter table two_factors_away rename to two_factors');
    expect(failed.status).toBe(500);
    expect(words(failed)).toContain('Unknown error occurred');
    expect(failed.html).toContain(`name="key" value="${shown}"`);
    expect(failed.html).toContain('value="confirm"');
    expect(failed.html).not.toContain(code);
    const again = await visitor.send(path, { intent: 'confirm', code, key: shown });
    expect(words(again)).toContain('Two-factor authentication is on.');
  });

  test('shows no two-factor key, new or pending, on an unlocked screen', async () => {
    const attempts: Record<string, string>[] = [
      { intent: 'confirm', code: '000000' },
      { intent: 'confirm', code: '000000', key: '' },
      { intent: 'confirm', code: '000000', key: 'A'.repeat(32) },
      { intent: 'confirm' },
      { intent: 'begin' },
      {},
    ];
    const kept = () => database.db.selectFrom('two_factors').selectAll().execute();
    for (const fields of attempts) {
      const page = await visitor.send(path, fields);
      expect([fields, page.status < 500, page.html.includes('otpauth://')]).toEqual([
        fields,
        true,
        false,
      ]);
    }
    expect(await kept()).toEqual([]);
    await visitor.send(path, { intent: 'begin', password });
    const begun = await kept();
    for (const fields of attempts) {
      const page = await visitor.send(path, fields);
      expect(page.html).not.toContain('otpauth://');
      expect(page.html).not.toContain('name="key"');
    }
    expect(await kept()).toEqual(begun);
    expect((await thePerson()).two_factor_enabled).toBe(false);
  });

  test('turns two-factor off with the password, and does not start it again while on', async () => {
    const key = keyIn((await visitor.send(path, { intent: 'begin', password })).html);
    await visitor.send(path, { intent: 'confirm', code: codeNow(key) });
    const again = await visitor.send(path, { intent: 'begin', password });
    expect(again.status).toBe(409);
    const closed = await visitor.send(path, { intent: 'end', password: 'wrong' });
    expect(closed.status).toBe(422);
    expect(words(await visitor.open(path))).toContain('Two-factor authentication is on.');
    const ended = await visitor.send(path, { intent: 'end', password });
    expect(words(ended)).toContain('Two-factor authentication is off.');
    expect((await visitor.open(path)).html).toContain('value="begin"');
  });

  test('refuses two-factor to signed-out visitors', async () => {
    const stranger = testVisitor(site, `203.0.113.${count}`);
    for (const page of [
      await stranger.open(path),
      await stranger.send(path, { intent: 'begin' }),
    ]) {
      expect(page.status).toBe(302);
      expect(page.headers.get('location')).toContain('/sign-in?returnTo=');
    }
  });
});

describe('creating an alert', () => {
  test('reports that the deal no longer exists, and offers the search', async () => {
    const page = await visitor.open('/price-alerts/new?deal=999999');
    expect(page.status).toBe(200);
    expect(page.html).toContain('type="search"');
  });

  test.each(['abc', '-1', '0', '1e3', '', '99999999999999999999'])(
    'shows the search for "%s", which is not a deal',
    async (deal) => {
      const page = await visitor.open(`/price-alerts/new?deal=${deal}`);
      expect(page.status).toBe(200);
      expect(page.html).toContain('Find the deal you want to watch.');
      const sent = await visitor.send('/price-alerts/new', { deal_id: deal, target: '5' });
      expect(sent.status).toBe(422);
      expect(words(sent)).toContain('Failed to create price alert');
    },
  );

  test('redirects signed-out visitors to sign in and back to the same deal', async () => {
    const stranger = testVisitor(site, `203.0.113.${count}`);
    const { id } = await insertDeal(database.db);
    const way = `/sign-in?returnTo=${encodeURIComponent(`/price-alerts/new?deal=${id}`)}`;
    const page = await stranger.open(`/price-alerts/new?deal=${id}`);
    expect(page.status).toBe(200);
    expect(page.html).toContain(`href="${way}"`);
    // The form's session expires in the meantime.
    const sent = await stranger.send(`/price-alerts/new?deal=${id}`, {
      deal_id: String(id),
      target: '5',
    });
    expect(sent.status).toBe(302);
    expect(sent.headers.get('location')).toBe(way);
  });

  test('fires a new alert at once when the price already meets the target (P25)', async () => {
    const deal = await insertDeal(database.db, { sale_price: 2_000 });
    const page = await visitor.send('/price-alerts/new', {
      deal_id: String(deal.id),
      target: '20',
    });
    expect(page.status).toBe(303);
    const alert = await database.db
      .selectFrom('price_alerts')
      .select('is_active')
      .executeTakeFirstOrThrow();
    expect(alert.is_active).toBe(false);
  });
});

describe('favorites pages', () => {
  test.each(['0', '-3', '1.5', 'abc', '', '1e9'])(
    'shows favorites with page=%s without an error',
    async (page) => {
      await keep(1);
      const answer = await visitor.open(`/favorites?page=${page}`);
      expect(answer.status).toBe(200);
      expect(words(answer)).toContain('1 Favorite');
    },
  );

  test('shows favorites newest first, 24 per page, and counts them in singular and plural', async () => {
    await keep(30);
    const first = await visitor.open('/favorites');
    expect(words(first)).toContain('30 Favorites');
    expect(first.html.match(/<article/g)).toHaveLength(24);
    const second = await visitor.open('/favorites?page=2');
    expect(second.html.match(/<article/g)).toHaveLength(6);
    expect(second.html).toContain('rel="prev"');
    expect(second.html).not.toContain('rel="next"');
  });

  test('P3: hides an inactive favorite from everyone', async () => {
    const [deal] = await keep(2);
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', deal?.id ?? 0)
      .execute();
    const page = await visitor.open('/favorites');
    expect(words(page)).toContain('1 Favorite');
    expect(page.html).not.toContain(`/deals/${deal?.slug}`);
  });

  test('R03: does not show other users’ favorites', async () => {
    await keep(1);
    const other = await insertUser(database.db);
    await database.db.updateTable('user_favorites').set({ user_id: other.id }).execute();
    expect(words(await visitor.open('/favorites'))).toContain('No Favorites Yet');
  });

  async function keep(howMany: number) {
    const deals = [];
    for (let n = 0; n < howMany; n++) deals.push(await insertDeal(database.db, {}));
    await database.db
      .insertInto('user_favorites')
      .values(deals.map(({ id }) => ({ user_id: visitor.userId, deal_id: id })))
      .execute();
    return deals;
  }
});

test('R15: keeps the user signed in when the logout page is opened', async () => {
  const page = await visitor.open('/logout');
  expect(page.status).toBe(200);
  expect((await visitor.open('/profile')).status).toBe(200);
});
