import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { listSaved, pressedHeart } from '#test/pressed-heart.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';
import { makeSetupLink } from '#app/features/accounts/people/setup-link.server.ts';
import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
} from '#app/features/accounts/two-factor/two-factor.server.ts';

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database);
const password = staffPassword;
let count = 0;
let email = '';
let visitor: TestVisitor;

beforeEach(() => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  email = `way-in-${count}@mail.example`;
  visitor = newVisitor();
});

function newVisitor(): TestVisitor {
  count += 1;
  return testVisitor(site, `203.0.113.${count}`);
}

const words = (page: Page) =>
  textOf(page.html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''));

// Proves R50: second factor (app/features/accounts/confirm-identity.server.ts)
describe('R50: the two-factor page', () => {
  const path = '/sign-in/second-factor';
  let key: Buffer;
  let backupCodes: string[];
  const codeAt = (offset: number) => totpCode(key, Math.floor(Date.now() / 30_000) + offset);

  beforeEach(async () => {
    const { id } = await insertUser(database.db, { email });
    await givePassword(database, id);
    const services = testServices(database);
    key = await beginTwoFactor(services, id);
    backupCodes = (await confirmTwoFactor(services, id, codeAt(-1))) ?? [];
  });

  async function givePasswordOf(who = visitor, returnTo = '/favorites'): Promise<void> {
    const query = `?returnTo=${encodeURIComponent(returnTo)}`;
    const page = await who.sendAsHuman(`/sign-in${query}`, { email, password });
    expect(page.headers.get('location')).toBe(
      `${path}?returnTo=${encodeURIComponent(returnTo.startsWith('//') ? '/' : returnTo)}`,
    );
    expect(who.cookies.has('session')).toBe(false);
  }

  test('signs the user in after two-factor, and redirects to the previous page', async () => {
    await givePasswordOf();
    const page = await visitor.send(`${path}?returnTo=%2Ffavorites`, { code: codeAt(0) });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/favorites']);
    expect(visitor.cookies.has('second-factor')).toBe(false);
    expect((await visitor.open('/profile')).html).toContain(email);
  });

  test('saves a deal favorited before signing in once two-factor is passed', async () => {
    const deal = await insertDeal(database.db);
    await visitor.send('/favorites', pressedHeart(deal.id));
    await givePasswordOf();
    expect(await listSaved(database.db)).toEqual([]);
    await visitor.send(path, { code: codeAt(0) });
    expect(await listSaved(database.db)).toEqual([deal.id]);
    expect(visitor.cookies.has('favorite-wished')).toBe(false);
  });

  test('R28: redirects only to this site after two-factor', async () => {
    await givePasswordOf(visitor, '//evil.example');
    const page = await visitor.send(`${path}?returnTo=%2F%2Fevil.example`, { code: codeAt(0) });
    expect(page.headers.get('location')).toBe('/');
  });

  test('accepts a two-factor code with a space, as apps show it', async () => {
    await givePasswordOf();
    const code = codeAt(0);
    const page = await visitor.send(path, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
    expect(page.status).toBe(303);
  });

  test.each(['', '000000', '12', 'abcde-fghij', 'x'.repeat(500), '１２３４５６'])(
    'rejects the two-factor code %j at its field and keeps waiting',
    async (code) => {
      await givePasswordOf();
      const page = await visitor.send(path, { code });
      expect(page.status).toBe(422);
      const [field = ''] = page.html.match(/<input[^>]*name="code"[^>]*>/) ?? [];
      const noteId = /aria-describedby="([^"]+)"/.exec(field)?.[1];
      expect(page.html).toMatch(
        new RegExp(`<p id="${noteId}"[^>]*>That code is incorrect. Please try again.`),
      );
      expect(visitor.cookies.has('session')).toBe(false);
      expect((await visitor.send(path, { code: codeAt(0) })).status).toBe(303);
    },
  );

  test('accepts a two-factor code once, even from another browser', async () => {
    await givePasswordOf();
    const code = codeAt(0);
    expect((await visitor.send(path, { code })).status).toBe(303);
    const other = newVisitor();
    await givePasswordOf(other);
    expect((await other.send(path, { code })).status).toBe(422);
  });

  test('accepts each backup code once, in any letter case and with a space for the hyphen', async () => {
    expect(backupCodes).toHaveLength(10);
    const [first = '', second = ''] = backupCodes;
    await givePasswordOf();
    expect((await visitor.send(path, { code: first.toUpperCase() })).status).toBe(303);
    const other = newVisitor();
    await givePasswordOf(other);
    expect((await other.send(path, { code: first })).status).toBe(422);
    expect((await other.send(path, { code: second.replace('-', ' ') })).status).toBe(303);
  });

  test('rejects a two-factor step in another browser, after ten minutes, and once passed', async () => {
    await givePasswordOf();
    for (const stranger of [newVisitor(), newVisitor()]) {
      const page = await stranger.send(path, { code: codeAt(0) });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in']);
    }
    const cookie = visitor.cookies.get('second-factor') ?? '';
    expect((await visitor.send(path, { code: codeAt(0) })).status).toBe(303);
    const again = newVisitor();
    again.cookies.set('second-factor', cookie);
    expect((await again.send(path, { code: codeAt(1) })).headers.get('location')).toBe('/sign-in');

    const late = newVisitor();
    await givePasswordOf(late);
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    expect((await late.open(path)).headers.get('location')).toBe('/sign-in');
    expect((await late.send(path, { code: codeAt(1) })).headers.get('location')).toBe('/sign-in');
    expect(late.cookies.has('session')).toBe(false);
  });

  test('R12: delays further two-factor guesses and shows how long to wait', async () => {
    await givePasswordOf();
    let last = await visitor.send(path, { code: '000000' });
    for (let n = 0; n < 12 && last.status === 422; n += 1) {
      last = await visitor.send(path, { code: '000000' });
    }
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visitor.send(path, { code: codeAt(0) })).status).toBe(429);
    expect(visitor.cookies.has('session')).toBe(false);
  });
});

describe('R33: the page for the first administrator', () => {
  const people = () => database.db.selectFrom('users').select(['email', 'role']).execute();
  const owner = () => ({ full_name: 'Olga Owner', email, password });
  let token: string;

  beforeEach(async () => {
    const link = new URL((await makeSetupLink(database.db, 'http://deals.test')) ?? '');
    token = link.searchParams.get('token') ?? '';
  });

  test('opens the first administrator’s page any number of times through its link, and in no other way', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await visitor.open(`/setup?token=${token}`)).status).toBe(200);
    }
    for (const wrong of ['', '?token=', '?token=guessed', `?token=${token}x`, '?token[]=a']) {
      const page = await visitor.open(`/setup${wrong}`);
      expect([wrong, page.status]).toEqual([wrong, 404]);
      expect(words(page)).toContain('This link is no longer valid.');
      expect(page.html).not.toContain('name="full_name"');
    }
  });

  test.each<[Record<string, string>, string]>([
    [{ full_name: ' ' }, 'Please enter your full name'],
    [{ email: 'no address' }, 'Please enter a valid email address'],
    [{ email: '' }, 'Please enter your email address'],
    [{ password: '123456' }, 'attackers try'],
    [{ password: '' }, 'Please enter your password'],
  ])('refuses %j at its field and keeps the other fields and the link', async (wrong, message) => {
    const page = await visitor.send(`/setup?token=${token}`, { ...owner(), token, ...wrong });
    expect(page.status).toBe(422);
    expect(words(page)).toContain(message);
    expect(page.html).not.toContain(password);
    expect(page.html).toContain(`value="${wrong['email'] ?? email}"`);
    expect(await people()).toEqual([]);
    expect((await visitor.send(`/setup?token=${token}`, { ...owner(), token })).status).toBe(303);
  });

  test('explains what to do if the email has an account already, and does not promote that account', async () => {
    await insertUser(database.db, { email });
    const page = await visitor.send(`/setup?token=${token}`, { ...owner(), token });
    expect(page.status).toBe(422);
    expect(words(page)).toContain('This address already has an account.');
    expect(await people()).toEqual([{ email, role: 'user' }]);
  });

  test('expires the first administrator’s link after a day, and as soon as there is an administrator', async () => {
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    const late = await visitor.send(`/setup?token=${token}`, { ...owner(), token });
    expect([late.status, words(late).includes('no longer valid')]).toEqual([410, true]);
    await database.db
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() + 60_000) })
      .execute();
    await insertUser(database.db, { role: 'admin', email: 'first@staff.example' });
    expect((await visitor.open(`/setup?token=${token}`)).status).toBe(404);
    expect((await visitor.send(`/setup?token=${token}`, { ...owner(), token })).status).toBe(410);
    expect(await people()).toEqual([{ email: 'first@staff.example', role: 'admin' }]);
  });

  test('R04: ignores a role and an id in the first administrator’s form, and writes an audit entry', async () => {
    const fields = { ...owner(), token, id: 'chosen', role: 'user', email_verified: 'false' };
    expect((await visitor.send(`/setup?token=${token}`, fields)).status).toBe(303);
    const made = await database.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(made).toMatchObject({ role: 'super_admin', email_verified: true });
    expect(made.id).not.toBe('chosen');
    const log = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(log).toMatchObject([{ actor: 'setup', action: 'user.role', entity_id: made.id }]);
  });
});
