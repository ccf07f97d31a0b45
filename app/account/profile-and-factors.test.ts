import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { codeNow, keyIn } from '#test/authenticator-app.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';

import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';
import { hashPassword } from '#app/features/accounts/passwords/password-hash.server.ts';

const database = useTestDatabase();
const site = testSite(database);
const password = 'walking the hills';
const keptPassword = hashPassword(password); // made once: it is slow on purpose
let count = 0;
let visitor: TestVisitor & { userId: string };

beforeEach(async () => {
  // Limits that were reached are remembered in the process: everybody here is somebody new.
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
  test('shows whose it is and offers every act, each in a form that works without script', async () => {
    const page = await visitor.open('/profile');
    expect(page.status).toBe(200);
    expect(words(page)).toContain(`p-${count}@mail.example`);
    for (const heading of ['Password', 'Second step', 'Passkeys', 'Where you are signed in']) {
      expect(page.html).toContain(`>${heading}</h2>`);
    }
    for (const intent of ['name', 'password', 'end-others', 'end-all', 'erase']) {
      expect(page.html).toContain(`value="${intent}"`);
    }
  });

  test('saves a name, trimmed, and shows it', async () => {
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
  ])('refuses the name %j at its field and keeps what was there', async (name, message) => {
    const before = (await thePerson()).full_name;
    const page = await visitor.send('/profile', { intent: 'name', full_name: name });
    expect(page.status).toBe(422);
    const [field = ''] = page.html.match(/<input[^>]*name="full_name"[^>]*>/) ?? [];
    const noteId = /aria-describedby="([^"]+)"/.exec(field)?.[1];
    expect(page.html).toMatch(new RegExp(`<p id="${noteId}"[^>]*>${message}`));
    expect((await thePerson()).full_name).toBe(before);
  });

  // Proves R04: fields allowed per call
  test('R04: takes nothing but the name from that form', async () => {
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

  test('an act that nobody knows is refused', async () => {
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
  ])('P9a: refuses a change of the password that is %j', async (fields, message) => {
    const before = await theHash();
    const page = await visitor.send('/profile', { intent: 'password', ...fields });
    expect(page.status).toBe(422);
    expect(words(page)).toContain(message);
    const [typed] = page.html.match(/<input[^>]*name="password"[^>]*>/) ?? [];
    expect(typed).not.toContain('value=');
    expect(await theHash()).toEqual(before);
  });

  test('R10: signing out elsewhere keeps this session only; everywhere keeps none', async () => {
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

  test('R45: is erased for the password only, and then the session is nobody’s', async () => {
    for (const [typed, message] of [
      ['', 'Please enter your password'],
      ['wrong', 'That is not your password'],
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

  test('P12: the last super_admin cannot erase themself', async () => {
    await database.db
      .updateTable('users')
      .set({ role: 'super_admin' })
      .where('id', '=', visitor.userId)
      .execute();
    const page = await visitor.send('/profile', { intent: 'erase', password });
    expect(page.status).toBe(409);
    expect(words(page)).toContain(
      'You are the last super_admin. Make somebody else a super_admin first.',
    );
    expect((await thePerson()).role).toBe('super_admin');
  });

  async function signedInAgain(who: TestVisitor): Promise<TestVisitor> {
    const page = await who.sendAsHuman('/sign-in', { email: `p-${count}@mail.example`, password });
    expect(page.status).toBe(303);
    return who;
  }
});

describe('R50: the second step', () => {
  const path = '/profile/two-factor';
  /** The key as the page shows it, read as an app reads it. */
  test('begins with the password only', async () => {
    const closed = await visitor.send(path, { intent: 'begin', password: 'wrong' });
    expect(closed.status).toBe(422);
    expect(words(closed)).toContain('That is not your password');
    expect(closed.html).not.toContain('otpauth://');
    const open = await visitor.send(path, { intent: 'begin', password });
    expect(open.status).toBe(200);
    expect(open.html).toContain('otpauth://totp/');
  });

  test('is on with the right code, gives backup codes once, and counts them', async () => {
    const begun = await visitor.send(path, { intent: 'begin', password });
    const key = keyIn(begun.html);
    const done = await visitor.send(path, { intent: 'confirm', code: codeNow(key) });
    expect(done.status).toBe(200);
    expect(words(done)).toContain('The second step is on.');
    const codes = [...done.html.matchAll(/<li>([\w-]{8,})<\/li>/g)].map(([, code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.length).toBeGreaterThanOrEqual(8);
    const page = await visitor.open(path);
    expect(words(page)).toContain(`It is on. ${codes.length} backup codes are left.`);
    for (const code of codes) expect(page.html).not.toContain(code);
  });

  test('stays off after a wrong code, and the key stays to try again', async () => {
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

  test('stays at the confirming step with the same key when the confirmation meets an error', async () => {
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
    expect(words(again)).toContain('The second step is on.');
  });

  test('shows no key to an open screen, neither a new one nor one that was begun', async () => {
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

  test('that is on can be ended with the password, and is not begun anew', async () => {
    const key = keyIn((await visitor.send(path, { intent: 'begin', password })).html);
    await visitor.send(path, { intent: 'confirm', code: codeNow(key) });
    const again = await visitor.send(path, { intent: 'begin', password });
    expect(again.status).toBe(409);
    const closed = await visitor.send(path, { intent: 'end', password: 'wrong' });
    expect(closed.status).toBe(422);
    expect(words(await visitor.open(path))).toContain('It is on.');
    const ended = await visitor.send(path, { intent: 'end', password });
    expect(words(ended)).toContain('The second step is off.');
    expect((await visitor.open(path)).html).toContain('value="begin"');
  });

  test('is nobody’s who is not signed in', async () => {
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

describe('a new alert', () => {
  test('of a deal that is gone says so and offers the search', async () => {
    const page = await visitor.open('/price-alerts/new?deal=999999');
    expect(page.status).toBe(200);
    expect(page.html).toContain('type="search"');
  });

  test.each(['abc', '-1', '0', '1e3', '', '99999999999999999999'])(
    'of "%s", which is no deal, is the search',
    async (deal) => {
      const page = await visitor.open(`/price-alerts/new?deal=${deal}`);
      expect(page.status).toBe(200);
      expect(page.html).toContain('Find the deal you are waiting for.');
      const sent = await visitor.send('/price-alerts/new', { deal_id: deal, target: '5' });
      expect(sent.status).toBe(422);
      expect(words(sent)).toContain('Failed to create price alert');
    },
  );

  test('leads whoever is not signed in to do so, and back to the same deal', async () => {
    const stranger = testVisitor(site, `203.0.113.${count}`);
    const { id } = await insertDeal(database.db);
    const way = `/sign-in?returnTo=${encodeURIComponent(`/price-alerts/new?deal=${id}`)}`;
    const page = await stranger.open(`/price-alerts/new?deal=${id}`);
    expect(page.status).toBe(200);
    expect(page.html).toContain(`href="${way}"`);
    // The form of a session that is over meanwhile.
    const sent = await stranger.send(`/price-alerts/new?deal=${id}`, {
      deal_id: String(id),
      target: '5',
    });
    expect(sent.status).toBe(302);
    expect(sent.headers.get('location')).toBe(way);
  });

  test('on a deal whose price already meets the target fires at once (P25)', async () => {
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

describe('pages of favorites', () => {
  test.each(['0', '-3', '1.5', 'abc', '', '1e9'])(
    'page=%s is a page, not an error',
    async (page) => {
      await keep(1);
      const answer = await visitor.open(`/favorites?page=${page}`);
      expect(answer.status).toBe(200);
      expect(words(answer)).toContain('1 Favorite');
    },
  );

  test('are counted as one favorite and as several, newest first, 24 a page', async () => {
    await keep(30);
    const first = await visitor.open('/favorites');
    expect(words(first)).toContain('30 Favorites');
    expect(first.html.match(/<article/g)).toHaveLength(24);
    const second = await visitor.open('/favorites?page=2');
    expect(second.html.match(/<article/g)).toHaveLength(6);
    expect(second.html).toContain('rel="prev"');
    expect(second.html).not.toContain('rel="next"');
  });

  test('P3: an inactive deal is among nobody’s favorites', async () => {
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

  test('R03: nobody sees another one’s', async () => {
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

test('R15: looking at the way out signs nobody out', async () => {
  const page = await visitor.open('/logout');
  expect(page.status).toBe(200);
  expect((await visitor.open('/profile')).status).toBe(200);
});
