import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { givePassword, signIn, staffPassword } from '#test/staff.ts';
import { pressedHeart } from '#test/pressed-heart.ts';
import { testVisitor } from '#test/visitor.ts';
import { remindOfFavorites } from '#app/features/favorites/remind-of-favorites-job.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { pushReceiver } from '#test/push-stand-in.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();

/** Simulates a signed-in browser without JavaScript, which reads pages and posts their forms. */
async function enter(overrides: { email_verified?: boolean } = {}) {
  const { user, cookie } = await signIn(database, overrides);
  const site = testSite(database);
  return {
    user,
    read: (path: string) => site.page(path, { headers: { cookie } }),
    post: (path: string, fields: Record<string, string>) =>
      site.request(path, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams(fields),
      }),
  };
}

const favorites = () => database.db.selectFrom('user_favorites').selectAll().execute();
const alerts = () => database.db.selectFrom('price_alerts').selectAll().orderBy('id').execute();

// Proves Storefront 2: Routes: /favorites, /price-alerts (routes.ts)
// Proves Storefront 8: Price alert: not signed in (alert-messages.ts)
test('asks signed-out visitors to sign in, and links the forms to the sign-in page', async () => {
  const site = testSite(database);
  for (const path of ['/favorites', '/price-alerts']) {
    const { status, html } = await site.page(path);
    expect(status).toBe(401);
    expect(html).toContain('Sign In Required');
  }
  const deal = await insertDeal(database.db);
  const sent = await site.request('/favorites', {
    method: 'POST',
    body: new URLSearchParams({
      deal_id: String(deal.id),
      want: 'set',
      return_to: '/deals?page=2',
    }),
  });
  expect(sent.headers.get('location')).toBe('/sign-in?returnTo=%2Fdeals%3Fpage%3D2');
  expect(await favorites()).toEqual([]);
  const refused = await site.request('/price-alerts/new', {
    method: 'POST',
    body: new URLSearchParams({ deal_id: String(deal.id), target: '1' }),
  });
  expect(refused.headers.get('location')).toMatch(/^\/sign-in\?/);
  const heard = await site.request('/price-alerts/new', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ deal_id: String(deal.id), target: '1' }),
  });
  expect([heard.status, await heard.json()]).toMatchObject([
    401,
    { ok: false, message: 'You must be logged in to create price alerts' },
  ]);
  expect(await alerts()).toEqual([]);
  const anonymous = await site.page(`/deals/${deal.slug}`);
  // The heart's form redirects to the sign-in page, which redirects back here.
  expect(anonymous.html).toContain(`name="deal_id" value="${deal.id}"`);
  expect(anonymous.html).toContain(`name="return_to" value="/deals/${deal.slug}"`);
  expect(anonymous.html).toContain(`href="/price-alerts/new?deal=${deal.id}"`);
  expect(anonymous.html).not.toContain('data-favorite');
});

test('saves a deal favorited while signed out when the visitor signs in', async () => {
  const site = testSite(database);
  const deal = await insertDeal(database.db);
  const ada = await insertUser(database.db, { email: 'ada@mail.example' });
  await givePassword(database, ada.id);
  const visitor = testVisitor(site);
  await visitor.send('/favorites', pressedHeart(deal.id));
  expect(await favorites()).toEqual([]);
  const wrong = { email: ada.email, password: 'wrong' };
  await visitor.sendAsHuman('/sign-in?returnTo=/deals', wrong);
  expect(await favorites()).toEqual([]);
  await visitor.sendAsHuman('/sign-in?returnTo=/deals', {
    email: ada.email,
    password: staffPassword,
  });
  expect(await favorites()).toMatchObject([{ user_id: ada.id, deal_id: deal.id }]);
  expect(visitor.cookies.has('favorite-wished')).toBe(false);
});

test('does not remember the removal of a favorite while signed out', async () => {
  const { id } = await insertDeal(database.db);
  const visitor = testVisitor(testSite(database));
  await visitor.send('/favorites', { ...pressedHeart(id), want: 'unset' });
  expect(visitor.cookies.has('favorite-wished')).toBe(false);
});

test.each(['x', '0', '999999'])(
  'signs a visitor in and saves nothing if the id of the favorited deal is %s',
  async (id) => {
    const ada = await insertUser(database.db, { email: 'ada@mail.example' });
    await givePassword(database, ada.id);
    const visitor = testVisitor(testSite(database));
    visitor.cookies.set('favorite-wished', id);
    const typed = { email: ada.email, password: staffPassword };
    expect((await visitor.sendAsHuman('/sign-in?returnTo=/deals', typed)).status).toBe(303);
    expect(await favorites()).toEqual([]);
    expect(visitor.cookies.has('favorite-wished')).toBe(false);
  },
);

// Proves Storefront 2: Deal detail: Favorite (favorite-toggle.tsx)
// Proves R54: favorites are set or unset (set-favorite.server.ts)
test('R54: sets a favorite once when the same form is posted twice', async () => {
  const { read, post } = await enter();
  const deal = await insertDeal(database.db, { title: 'A copper kettle' });
  expect((await read('/favorites')).html).toContain('No Favorites Yet');
  const set = { deal_id: String(deal.id), want: 'set', return_to: `/deals/${deal.slug}` };
  const answers = await Promise.all([post('/favorites', set), post('/favorites', set)]);
  expect(answers.map((answer) => answer.status)).toEqual([303, 303]);
  expect(answers[0]?.headers.get('location')).toBe(`/deals/${deal.slug}`);
  expect(await favorites()).toHaveLength(1);
  const page = await read('/favorites');
  expect(page.html).toContain('A copper kettle');
  expect(page.html).toMatch(/1 Favorite(?!s)/);
  expect((await read(`/deals/${deal.slug}`)).html).toContain('Favorited');
  await post('/favorites', { ...set, want: 'unset' });
  await post('/favorites', { ...set, want: 'unset' });
  expect(await favorites()).toEqual([]);
});

// Proves Storefront 7: Favorites (favorites-route.ts)
test('saves only visible deals, and redirects back only to this site', async () => {
  const { post } = await enter();
  const hidden = await insertDeal(database.db, { is_active: false });
  for (const id of [String(hidden.id), '999999']) {
    const answer = await post('/api/favorites', { deal_id: id, want: 'set' });
    expect(answer.status).toBe(404);
  }
  for (const id of ['0', '-1', 'x', '1e99']) {
    expect((await post('/api/favorites', { deal_id: id, want: 'set' })).status).toBe(422);
  }
  const deal = await insertDeal(database.db);
  const away = { deal_id: String(deal.id), want: 'set', return_to: '//elsewhere.example/' };
  expect((await post('/favorites', away)).headers.get('location')).toBe('/');
});

test('refuses more than 1,000 favorites', async () => {
  const { user, post } = await enter();
  const { db } = database;
  const first = await insertDeal(db);
  const { category_id, merchant_id } = first;
  await sql`insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
    select 'many-' || n, 'Deal ' || n, 100, 'https://shop.example/', ${category_id}, ${merchant_id}
      from generate_series(1, 999) n`.execute(db);
  await sql`insert into user_favorites (user_id, deal_id) select ${user.id}, id from deals`.execute(
    db,
  );
  const deal = await insertDeal(db, { category_id, merchant_id });
  const wish = { deal_id: String(deal.id), want: 'set' };
  expect((await post('/api/favorites', wish)).status).toBe(409);
  const plain = await post('/favorites', { ...wish, return_to: `/deals/${deal.slug}` });
  expect(plain.status).toBe(409);
  expect(plain.headers.get('content-type')).toContain('text/html');
  const html = await plain.text();
  expect(html).toContain('You have 1,000 favorites, which is the limit.');
  expect(html).toContain(`href="/deals/${deal.slug}"`);
});

test('shows a page without JavaScript for every reason to refuse a favorite', async () => {
  const { user, post } = await enter();
  const missing = await post('/favorites', { deal_id: '987', want: 'set', return_to: '/deals' });
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringMatching(
      /<!DOCTYPE html>.*This deal no longer exists\..*Back to where you were/is,
    ),
  ]);
  const broken = await post('/favorites', { deal_id: 'x', want: 'set', return_to: '/deals' });
  expect(broken.status).toBe(422);
  const services = testServices(database);
  await limit(services, 'member-write', user.id, 1_000);
  const tooOften = await post('/favorites', { deal_id: '1', want: 'set', return_to: '/deals' });
  expect(tooOften.status).toBe(429);
  expect(tooOften.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await tooOften.text()).toContain('Too many attempts.');
});

test('sends one reminder of an expiring favorite per end date when reminders are enabled', async () => {
  const { user, post } = await enter();
  const { db } = database;
  const soon = new Date(Date.now() + 5 * 3_600_000);
  const deal = await insertDeal(db, { expires_at: soon });
  await post('/api/favorites', { deal_id: String(deal.id), want: 'set' });
  const mails = () => db.selectFrom('mail_outbox').selectAll().execute();
  await remindOfFavorites(db);
  expect(await mails()).toEqual([]);
  await post('/favorites', { remind: 'on' });
  await Promise.all([remindOfFavorites(db), remindOfFavorites(db)]);
  await remindOfFavorites(db);
  expect(await mails()).toMatchObject([
    { kind: 'favorites-expiring', recipient: user.email, payload: { dealIds: [deal.id] } },
  ]);
  const later = new Date(soon.getTime() + 3_600_000);
  await db.updateTable('deals').set({ expires_at: later }).where('id', '=', deal.id).execute();
  await remindOfFavorites(db);
  expect(await mails()).toHaveLength(2);
});

// Proves Storefront 5: Alert target above 0, at most the sale price (alert-input.ts)
test('accepts an alert’s target above 0 and up to the current price', async () => {
  const { post, read } = await enter();
  const deal = await insertDeal(database.db, { sale_price: 2_000, title: 'A brass lamp' });
  const make = (fields: Record<string, string>) =>
    post(`/price-alerts/new?deal=${deal.id}`, { deal_id: String(deal.id), ...fields });
  for (const target of ['0', '-5', '20.01', 'abc', '']) {
    expect((await make({ target })).status).toBe(422);
  }
  expect((await make({ kind: 'percent_drop', percent: '100' })).status).toBe(422);
  expect((await make({ kind: 'nonsense' })).status).toBe(422);
  expect(await alerts()).toEqual([]);
  const words = await (await make({ target: '0' })).text();
  expect(words).toContain('Target price must be greater than 0');
  const made = await make({ target: '18.50' });
  expect(made.headers.get('location')).toBe('/price-alerts?created');
  expect(await alerts()).toMatchObject([{ target_price: 1_850, is_active: true, kind: 'target' }]);
  const { html } = await read('/price-alerts');
  for (const text of ['A brass lamp', '$18.50', '$20.00', 'Active', '1 Active Alert']) {
    expect(html).toContain(text);
  }
  const changed = await make({ target: '17.00' });
  expect(changed.headers.get('location')).toBe('/price-alerts?saved');
  await make({ kind: 'percent_drop', percent: '15' });
  expect(await alerts()).toMatchObject([
    { kind: 'target', target_price: 1_700 },
    { kind: 'percent_drop', target_percent: 15 },
  ]);
});

// Proves P35d: nor by an alert (create-alert.server.ts)
test('P35d: does not reveal a hidden price through alerts', async () => {
  const { db } = database;
  const { user, post, read } = await enter();
  const merchant = await insertMerchant(db, { hide_price_after_hours: 24 });
  const own = { merchant_id: merchant.id, sale_price: 7_531, title: 'A brass lamp' };
  const deal = await insertDeal(db, own);
  const fields = { deal_id: String(deal.id), kind: 'target', is_active: 'on' };
  await post('/price-alerts/new', { ...fields, target: '60' });
  const [alert] = await alerts();
  const id = String(alert?.id);
  await db
    .insertInto('price_alert_events')
    .values({ alert_id: Number(id), user_id: user.id, new_price: 7_531 })
    .execute();
  expect((await read('/price-alerts')).html).toContain('75.31');
  await db
    .updateTable('deals')
    .set({ price_checked_at: new Date(Date.now() - 25 * 3_600_000) })
    .execute();

  const secret = /75\.31|7531|71\.54|67\.78/; // The pattern includes values derived from the price.
  for (const path of [
    '/price-alerts',
    `/price-alerts?edit=${id}`,
    `/price-alerts/new?deal=${deal.id}`,
    '/price-alerts/new?q=lamp',
    '/price-alerts.data',
  ]) {
    const { status, html } = await read(path);
    expect([path, status, secret.test(html)]).toEqual([path, 200, false]);
  }
  expect((await read('/price-alerts')).html).toContain('See price at store');
  expect((await read('/price-alerts/new?q=lamp')).html).toContain('No deals found');

  // Neither a refusal nor an alert that fires at once reveals whether the price is above or below a
  // target.
  for (const target of ['0.01', '75.30', '75.32', '9999']) {
    const made = await post('/price-alerts/new', { ...fields, target });
    expect([made.status, secret.test(await made.text())]).toEqual([422, false]);
    const changed = await post('/price-alerts', { ...fields, intent: 'update', id, target });
    expect([changed.status, secret.test(await changed.text())]).toEqual([422, false]);
  }
  expect(await alerts()).toMatchObject([{ id: Number(id), target_price: 6_000, is_active: true }]);
  await post('/price-alerts', { intent: 'test', id });
  expect(await db.selectFrom('mail_outbox').select('id').execute()).toEqual([]);
  // Deactivating an alert is still allowed.
  await post('/price-alerts', { intent: 'update', id, kind: 'target', target: '60' });
  expect(await alerts()).toMatchObject([{ is_active: false }]);
});

test('P35d: shows no price on the form when the store allows no alerts', async () => {
  const { read } = await enter();
  const merchant = await insertMerchant(database.db, { allow_alerts: false });
  const deal = await insertDeal(database.db, { merchant_id: merchant.id, sale_price: 7_531 });
  const { html } = await read(`/price-alerts/new?deal=${deal.id}`);
  expect(html).toContain('This store does not allow price alerts.');
  expect(html).not.toContain('75.31');
});

test('returns a message instead of a page to the alert dialog', async () => {
  const { post } = await enter();
  const deal = await insertDeal(database.db, { sale_price: 2_000 });
  const fields = { deal_id: String(deal.id), target: '10', via: 'dialog' };
  const answer = await post(`/price-alerts/new.data?deal=${deal.id}`, fields);
  expect(await answer.text()).toContain(
    "Price Alert Created! We'll notify you when the price drops to your target amount.",
  );
});

test('explains in the alert dialog that the email is not verified', async () => {
  const { user, post } = await enter({ email_verified: false });
  const deal = await insertDeal(database.db, { sale_price: 2_000 });
  const ask = async (target: string) => {
    const fields = { deal_id: String(deal.id), target, via: 'dialog' };
    return (await post(`/price-alerts/new.data?deal=${deal.id}`, fields)).text();
  };
  const created = await ask('10');
  expect(created).toContain('To receive it, verify your email address first.');
  expect(created).toContain(`"unproved","${user.email}"`);
  expect(created).not.toContain('notify you when');
  expect(await ask('20')).toContain('no email was sent: your email address is not verified');
});

// Proves Storefront 7: Price alerts (create-alert.server.ts)
// Proves R03: the owner’s rows only (alert-queries.server.ts)
test('R03: treats another user’s alert as missing, for every action', async () => {
  const owner = await enter();
  const other = await enter();
  const deal = await insertDeal(database.db, { sale_price: 2_000 });
  await owner.post('/price-alerts/new', { deal_id: String(deal.id), target: '10' });
  const [before] = await alerts();
  const foreign = String(before?.id);
  for (const intent of ['update', 'delete', 'test']) {
    const fields = { intent, target: '5', kind: 'target', is_active: 'on' };
    const theirs = await other.post('/price-alerts', { ...fields, id: foreign });
    const missing = await other.post('/price-alerts', { ...fields, id: '987654' });
    expect([theirs.status, missing.status]).toEqual([404, 404]);
  }
  expect(await alerts()).toEqual([before]);
  expect((await other.read('/price-alerts')).html).toContain('No Price Alerts');
  expect((await other.read(`/price-alerts?edit=${foreign}`)).html).not.toContain(
    'Edit Price Alert',
  );
});

// Proves Storefront 2: Price Alerts page (price-alerts-page.tsx)
// Proves Storefront 4: Alert edit: prefilled; Cancel leaves nothing (alert-dialogs.tsx)
// Proves P23: dialogs and toasts (alert-dialogs.tsx)
// Proves P24: active and inactive alerts (price-alerts-page.tsx)
test('edits, re-arms, tests and deletes alerts without JavaScript', async () => {
  const { post, read } = await enter();
  const { db } = database;
  const deal = await insertDeal(db, { sale_price: 2_000 });
  await post('/price-alerts/new', { deal_id: String(deal.id), target: '10' });
  const id = String((await alerts())[0]?.id);
  expect((await read(`/price-alerts?edit=${id}`)).html).toContain('Edit Price Alert');
  await post('/price-alerts', { intent: 'update', id, kind: 'target', target: '12' });
  expect(await alerts()).toMatchObject([{ target_price: 1_200, is_active: false }]);
  expect((await read('/price-alerts')).html).toContain('0 Active Alerts');
  await post('/price-alerts', {
    intent: 'update',
    id,
    kind: 'target',
    target: '12',
    is_active: 'on',
  });
  await db.updateTable('deals').set({ sale_price: 1_200 }).execute();
  const fired = await read('/price-alerts');
  expect(fired.html).toContain('History');
  expect(fired.html).toContain('The email is on its way.');
  const bad = await post('/price-alerts', { intent: 'update', id, kind: 'target', target: '99' });
  expect(await bad.text()).toContain('Error updating alert: ');
  await post('/price-alerts', { intent: 'test', id });
  const kinds = await db.selectFrom('mail_outbox').select('kind').orderBy('id').execute();
  expect(kinds.map((mail) => mail.kind)).toEqual(['price-alert', 'price-alert-test']);
  expect((await read(`/price-alerts?delete=${id}`)).html).toContain(
    'Are you sure you want to delete this price alert?',
  );
  await post('/price-alerts', { intent: 'delete', id });
  expect(await alerts()).toEqual([]);
});

test('refuses more than 100 alerts with a message', async () => {
  const { user, post } = await enter();
  const { db } = database;
  const { category_id, merchant_id } = await insertDeal(db);
  for (let n = 0; n < 100; n++) {
    const deal = await insertDeal(db, { category_id, merchant_id });
    const row = { user_id: user.id, deal_id: deal.id, target_price: 1, target_percent: null };
    await db.insertInto('price_alerts').values(row).execute();
  }
  const deal = await insertDeal(db, { category_id, merchant_id });
  const answer = await post('/price-alerts/new', { deal_id: String(deal.id), target: '1' });
  expect(answer.status).toBe(409);
});

// Proves Storefront 9: Alerts: target of 90 % preset (alert-kind.ts)
// Proves P21: New Alert (new-alert-page.tsx)
test('finds deals by words in the picker and links to the form', async () => {
  const { read } = await enter();
  const deal = await insertDeal(database.db, { title: 'Quiet desk fan' });
  await insertDeal(database.db, { title: 'Loud desk fan', is_active: false });
  const { html } = await read('/price-alerts/new?q=fan+desk');
  expect(html).toContain('Quiet desk fan');
  expect(html).not.toContain('Loud desk fan');
  const form = await read(`/price-alerts/new?deal=${deal.id}`);
  expect(form.html).toContain('Create Alert');
  expect(form.html).toContain('value="17.99"'); // 90% of $19.99 is $17.99.
  expect((await read('/price-alerts/new?q=zzzz')).html).toContain('No deals found');
  expect((await read('/price-alerts/new?q=a')).html).not.toContain('No deals found');
  const mistyped = (await read('/price-alerts/new?q=qiuet')).html;
  expect(mistyped).toContain('1 deal for “quiet”');
});

test('omits deals that allow no alerts from the picker, and shows the best eight', async () => {
  const { read } = await enter();
  const { db } = database;
  const { category_id, merchant_id } = await insertDeal(db, {
    title: 'Garden fan, expired',
    is_expired: true,
  });
  const silent = await insertMerchant(db, { allow_alerts: false });
  await insertDeal(db, { title: 'Garden fan of the silent', merchant_id: silent.id });
  for (let n = 1; n <= 9; n++) {
    await insertDeal(db, { title: `Garden fan ${n}`, category_id, merchant_id });
  }
  const { html } = await read('/price-alerts/new?q=garden');
  expect(html).toContain('The best 8 deals');
  expect(html.match(/aria-label="Choose Garden fan \d, \$19\.99"/g)).toHaveLength(8);
  expect(html).not.toContain('expired');
  expect(html).not.toContain('of the silent');
});

test('repeats each button’s label in its accessible name (WCAG 2.5.3)', async () => {
  const { post, read } = await enter();
  const deal = await insertDeal(database.db, { title: 'A tin cup' });
  await post('/price-alerts/new', { deal_id: String(deal.id), target: '10' });
  expect((await read('/price-alerts')).html).toContain('aria-label="Edit: A tin cup"');
  await database.db.updateTable('deals').set({ sale_price: 900 }).execute();
  expect((await read('/price-alerts')).html).toContain('aria-label="Edit or re-arm: A tin cup"');
});

// Proves R25: unsubscribe (app/features/newsletter/newsletter-link.server.ts)
// Proves R15: no change by GET
test('R25: changes nothing on GET, acts on POST, and refuses a forged link', async () => {
  const { user, post } = await enter();
  const { db } = database;
  const deal = await insertDeal(db, { sale_price: 2_000 });
  await post('/price-alerts/new', { deal_id: String(deal.id), target: '10' });
  const id = String((await alerts())[0]?.id);
  const paths = await stopMailPaths(db, { what: 'alert', id });
  const site = testSite(database);
  expect((await site.page(paths.stopPath)).html).toContain('Stop this alert');
  await site.request(paths.unsubscribePath);
  expect((await alerts())[0]?.is_active).toBe(true);
  const forged = paths.stopPath.replace(`.${id}.`, `.${Number(id) + 1}.`);
  expect((await site.page(forged)).status).toBe(404);
  const oneClick = (path: string) =>
    site.request(path, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
  expect((await oneClick(paths.unsubscribePath.replace(`.${id}.`, '.9999.'))).status).toBe(400);
  expect((await oneClick(paths.unsubscribePath)).status).toBe(200);
  // A repeated request changes nothing.
  expect((await oneClick(paths.unsubscribePath)).status).toBe(200);
  expect((await alerts())[0]?.is_active).toBe(false);

  await db.updateTable('users').set({ remind_before_expiry: true }).execute();
  const reminders = await stopMailPaths(db, { what: 'reminders', id: user.id });
  await site.request(reminders.stopPath, { method: 'POST', body: new URLSearchParams() });
  const { remind_before_expiry } = await db
    .selectFrom('users')
    .select('remind_before_expiry')
    .executeTakeFirstOrThrow();
  expect(remind_before_expiry).toBe(false);
});

test('registers a browser for notifications once, and removes it without JavaScript', async () => {
  const { post, read } = await enter();
  const other = await enter();
  const empty = (await read('/price-alerts')).html;
  expect(empty).toContain('Notifications');
  expect(empty).not.toContain('stop-browser');
  const { keys } = pushReceiver();
  const fields = { intent: 'notify-browser', endpoint: 'https://push.example/abc', ...keys };
  for (const wrong of [
    { endpoint: 'http://push.example/abc' },
    { endpoint: 'javascript:alert(1)' },
    { endpoint: `https://push.example/${'a'.repeat(2_048)}` },
    { p256dh: 'AAAA' },
    { auth: '' },
  ]) {
    expect((await post('/price-alerts', { ...fields, ...wrong })).status).toBe(422);
  }
  expect((await post('/price-alerts', fields)).status).toBe(200);
  // A repeated request changes nothing.
  expect((await post('/price-alerts', fields)).status).toBe(200);
  const rows = await database.db.selectFrom('push_subscriptions').selectAll().execute();
  expect(rows).toMatchObject([{ endpoint: 'https://push.example/abc', ...keys }]);
  const { html } = await read('/price-alerts');
  expect(html).toContain('value="stop-browser"');
  expect(html).not.toContain('push.example/abc'); // Anyone who knows the endpoint can send to it.
  const id = String(rows[0]?.id);
  expect((await other.post('/price-alerts', { intent: 'stop-browser', id })).status).toBe(404);
  await other.post('/price-alerts', { intent: 'forget-browser', endpoint: fields.endpoint });
  expect((await read('/price-alerts')).html).toContain('stop-browser');
  const stopped = await post('/price-alerts', { intent: 'stop-browser', id });
  expect(stopped.headers.get('location')).toBe('/price-alerts');
  expect((await read('/price-alerts')).html).not.toContain('stop-browser');
});

test('stops notifying a browser at its own request', async () => {
  const { post } = await enter();
  const fields = { endpoint: 'https://push.example/xyz', ...pushReceiver().keys };
  await post('/price-alerts', { intent: 'notify-browser', ...fields });
  await post('/price-alerts', { intent: 'forget-browser', endpoint: fields.endpoint });
  const left = await database.db.selectFrom('push_subscriptions').select('id').execute();
  expect(left).toEqual([]);
});
