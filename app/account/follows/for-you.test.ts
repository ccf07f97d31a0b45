import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { mostFollows } from '#app/features/follows/follow-messages.ts';
import { createLog } from '#app/platform/log.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const enter = () => signedInVisitor(database, site, 'user');
const follows = () => database.db.selectFrom('follows').selectAll().orderBy('id').execute();

/** Inserts a deal with a named store, category and brand. */
async function insertLamp() {
  const { db } = database;
  const store = await insertMerchant(db, { name: 'Pixel Harbor', slug: 'pixel-harbor' });
  const category = await insertCategory(db, { name: 'Lighting', slug: 'lighting' });
  const deal = await insertDeal(db, {
    title: 'A brass lamp',
    slug: 'brass-lamp',
    merchant_id: store.id,
    category_id: category.id,
    brand: 'Lumo',
  });
  return { store, category, deal };
}

test('follows a store after sign-in if its button was pressed while signed out', async () => {
  const { store } = await insertLamp();
  const ada = await insertUser(database.db, { email: 'ada@mail.example' });
  await givePassword(database, ada.id);
  const visitor = testVisitor(site);
  const { html } = await visitor.open('/merchants/pixel-harbor');
  expect(html).toContain(`name="follow" value="merchant:${store.id}"`);
  const pressed = {
    intent: 'follow',
    follow: `merchant:${store.id}`,
    return_to: '/merchants/pixel-harbor',
  };
  const sent = await visitor.send('/for-you', pressed);
  expect(sent.headers.get('location')).toBe('/sign-in?returnTo=%2Fmerchants%2Fpixel-harbor');
  const typed = { email: ada.email, password: staffPassword };
  await visitor.sendAsHuman('/sign-in?returnTo=/merchants/pixel-harbor', typed);
  expect(await follows()).toMatchObject([{ user_id: ada.id, merchant_id: store.id }]);
  expect(visitor.cookies.has('follow-wished')).toBe(false);
  expect(textOf((await visitor.open('/merchants/pixel-harbor')).html)).toContain('Following');
});

test.each(['x', 'merchant:0', 'merchant:999999', 'brand:None', '%'])(
  'signs a visitor in and follows nothing if the cookie names %s',
  async (wished) => {
    const ada = await insertUser(database.db, { email: 'ada@mail.example' });
    await givePassword(database, ada.id);
    const visitor = testVisitor(site);
    visitor.cookies.set('follow-wished', wished);
    const typed = { email: ada.email, password: staffPassword };
    expect((await visitor.sendAsHuman('/sign-in?returnTo=/deals', typed)).status).toBe(303);
    expect(await follows()).toEqual([]);
  },
);

test('offers to follow the store, the category and the brand on their pages', async () => {
  const { store, category } = await insertLamp();
  const visitor = await enter();
  const pages = {
    '/merchants/pixel-harbor': `merchant:${store.id}`,
    '/categories/lighting': `category:${category.id}`,
    '/deals/brass-lamp': 'brand:Lumo',
    '/deals?brand=lumo': 'brand:lumo',
  };
  for (const [path, target] of Object.entries(pages)) {
    const { html } = await visitor.open(path);
    expect(html, path).toContain(`name="follow" value="${target}"`);
    expect(html, path).toContain('aria-pressed="false"');
  }
  const form = { intent: 'follow', follow: 'brand:LÚMO', return_to: '/deals/brass-lamp#facts' };
  const { headers, status } = await visitor.send('/for-you', form);
  expect([status, headers.get('location')]).toEqual([303, '/deals/brass-lamp#facts']);
  expect(await follows()).toMatchObject([{ brand: 'lumo', brand_name: 'Lumo' }]);
  expect((await visitor.open('/deals?brand=lumo')).html).toContain('value="unfollow"');
});

test('shows each deal once with all reasons, and follows again on Undo', async () => {
  const { store, category } = await insertLamp();
  const visitor = await enter();
  const { html: empty } = await visitor.open('/for-you');
  expect(textOf(empty)).toContain('Follow something to get started');
  expect(empty).toContain('aria-label="Follow Pixel Harbor"');
  const press = (intent: string, follow: string) => visitor.send('/for-you', { intent, follow });
  await press('follow', `merchant:${store.id}`);
  await press('follow', `category:${category.id}`);
  await press('follow', 'brand:lumo');
  const full = textOf((await visitor.open('/for-you')).html);
  expect(full).toContain('1 deal, furthest below the usual price first');
  expect(full).toContain('Because you follow Pixel Harbor, Lumo, and Lighting');
  expect(full).toContain('This list is all we know about your interests.');
  const { html: answer } = await press('unfollow', 'brand:Lumo');
  expect(textOf(answer)).toContain('You no longer follow Lumo.');
  expect(answer).toContain('name="follow" value="brand:Lumo"');
  expect(textOf(answer)).toContain('Because you follow Pixel Harbor and Lighting');
  await press('follow', 'brand:Lumo');
  const { html: stopped } = await visitor.send('/for-you', { intent: 'stop-all' });
  expect(await follows()).toEqual([]);
  expect(stopped.match(/type="hidden" name="follow" value="/g)?.length).toBeGreaterThanOrEqual(3);
  expect(textOf(stopped)).toContain('You no longer follow anything.');
});

test('ranks the deals furthest below their usual price first, and hidden prices as unknown', async () => {
  const { db } = database;
  const open = await insertMerchant(db);
  const hiding = await insertMerchant(db, { hide_price_after_hours: 1 });
  const cheap = { sale_price: 5_000 };
  const best = await insertDeal(db, { merchant_id: open.id, title: 'Best lamp', ...cheap });
  const plain = await insertDeal(db, { merchant_id: open.id, title: 'Plain lamp' });
  const hidden = await insertDeal(db, {
    merchant_id: hiding.id,
    title: 'Hidden lamp',
    price_checked_at: new Date(Date.now() - 7_200_000),
    ...cheap,
  });
  await sql`update price_proofs set below_usual = 40 where deal_id in (${best.id}, ${hidden.id})`.execute(
    db,
  );
  const visitor = await enter();
  for (const { id } of [open, hiding]) {
    await visitor.send('/for-you', { intent: 'follow', follow: `merchant:${id}` });
  }
  const { html } = await visitor.open('/for-you');
  const places = [best, hidden, plain].map(({ slug }) => html.indexOf(`/deals/${slug}"`));
  expect(places.every((at) => at > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(textOf(html)).toContain('See price at store Because you follow');
});

test('refuses an unknown target and more than 200 follows, and stores nothing', async () => {
  const { db } = database;
  const visitor = await enter();
  const press = (follow: string) => visitor.send('/for-you', { intent: 'follow', follow });
  expect((await press('merchant:999999')).status).toBe(404);
  expect((await press('brand:None')).status).toBe(404);
  expect((await press('deal:1')).status).toBe(422);
  for (let n = 0; n < mostFollows + 1; n += 1) await insertMerchant(db);
  await sql`insert into follows (user_id, merchant_id)
    select ${visitor.userId}, id from merchants order by id limit ${mostFollows}`.execute(db);
  const [last] = await db.selectFrom('merchants').select('id').orderBy('id', 'desc').execute();
  const refused = await press(`merchant:${last?.id}`);
  expect(refused.status).toBe(409);
  expect(textOf(refused.html)).toContain('which is the limit');
  expect(await follows()).toHaveLength(mostFollows);
});

test('turns the weekly email on and off, also by the link in the email', async () => {
  const { db } = database;
  const visitor = await enter();
  const time = async () =>
    (await db.selectFrom('users').select('follows_mailed_at').executeTakeFirstOrThrow())
      .follows_mailed_at;
  expect(await time()).toBeNull();
  await visitor.send('/for-you', { intent: 'weekly', weekly: 'on' });
  const first = await time();
  expect(first).toBeInstanceOf(Date);
  await visitor.send('/for-you', { intent: 'weekly', weekly: 'on' });
  expect(await time()).toEqual(first);
  expect((await visitor.open('/for-you')).html).toMatch(/name="weekly"[^>]*checked/);
  const { unsubscribePath } = await stopMailPaths(db, { what: 'follows', id: visitor.userId });
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await site.request(unsubscribePath, { method: 'POST', body })).status).toBe(200);
  expect(await time()).toBeNull();
});

test('exports what a user follows, and erases it with the account', async () => {
  const { store } = await insertLamp();
  const { db } = database;
  const visitor = await enter();
  await visitor.send('/for-you', { intent: 'follow', follow: `merchant:${store.id}` });
  expect(await exportAccount(db, visitor.userId)).toMatchObject({
    follows: [{ store: 'Pixel Harbor', category: null, brand: null }],
  });
  await eraseAccount({ db, log: createLog('silent') }, { id: visitor.userId });
  expect(await follows()).toEqual([]);
});

test('shows signed-out visitors a sign-in link, and asks search engines not to index the page', async () => {
  const { status, html } = await site.page('/for-you');
  expect(status).toBe(401);
  expect(html).toContain('Sign In Required');
  const { html: own } = await (await enter()).open('/for-you');
  expect(own).toContain('content="noindex, follow"');
});

test('follows only targets that still exist when Undo is pressed', async () => {
  const { store } = await insertLamp();
  const visitor = await enter();
  const { status } = await visitor.send('/for-you', [
    ['intent', 'follow'],
    ['follow', 'brand:None'],
    ['follow', `merchant:${store.id}`],
  ]);
  expect(status).toBe(200);
  expect(await follows()).toMatchObject([{ merchant_id: store.id }]);
});

test.each([
  'A:B',
  'Say "hi" & <b>',
  'O’Neil',
  '😀'.repeat(25),
  'ISTANBUL İ ı',
  'ﬁt™',
  'Ǆ',
  '1\u00a02',
  '%',
])('follows the brand %s from its deal and unfollows it', async (brand) => {
  const { slug } = await insertDeal(database.db, { brand });
  const visitor = await enter();
  const press = { intent: 'follow', follow: `brand:${brand}`, return_to: `/deals/${slug}` };
  expect((await visitor.send('/for-you', press)).status).toBe(303);
  expect((await visitor.open(`/deals/${slug}`)).html).toContain('value="unfollow"');
  await visitor.send('/for-you', { ...press, intent: 'unfollow' });
  expect(await follows()).toEqual([]);
});

test('refuses a brand with a null character', async () => {
  const visitor = await enter();
  const press = { intent: 'follow', follow: 'brand:a\0b' };
  expect((await visitor.send('/for-you', press)).status).toBe(422);
});

test('posts the forms of a later page to the first page, which always exists', async () => {
  const { store } = await insertLamp();
  for (let n = 0; n < 24; n += 1) await insertDeal(database.db, { merchant_id: store.id });
  const visitor = await enter();
  await visitor.send('/for-you', { intent: 'follow', follow: `merchant:${store.id}` });
  const { html } = await visitor.open('/for-you?page=2');
  const forms = html.match(/<form[^>]*data-in-place=""[^>]*>/g) ?? [];
  expect(forms.length).toBeGreaterThan(1);
  for (const form of forms) expect(form).toContain('action="/for-you"');
});
