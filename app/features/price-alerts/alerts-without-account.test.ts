import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { mails } from '#app/mails.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { askToWatch } from '#app/features/watched-searches/ask-to-watch.server.ts';
import { confirmRequest } from '#app/features/watched-searches/confirm-request.server.ts';
import { mostRequestsPerAddress } from '#app/features/watched-searches/watch-requests.server.ts';
import { mostAlertsPerOwner, readRule } from './create-alert.server.ts';
import { eraseWatcher, findWatcher } from './watcher-queries.server.ts';

const database = useTestDatabase();
let count = 0;
const newAddress = () => `guest${(count += 1)}@mail.example`;

async function ask(email: string, dealId: number, fields: Record<string, string> = {}) {
  const services = testServices(database);
  const form = new FormData();
  const asked = {
    email,
    kind: 'target',
    target: '80',
    captcha_token: await solveCaptcha(services),
  };
  for (const [name, value] of Object.entries({ ...asked, ...fields })) form.set(name, value);
  const address = `198.51.100.${(count += 1) % 250}`;
  const read = await readRule(database.db, dealId, form, 'USD');
  return read.ok ? askToWatch(services, { form, address }, { dealId, rule: read.rule }) : read;
}

const requests = () => database.db.selectFrom('watch_requests').selectAll().orderBy('id').execute();
const alerts = () => database.db.selectFrom('price_alerts').selectAll().orderBy('id').execute();
const outbox = (kind: string): Promise<OutboxMail[]> =>
  database.db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();
const newDeal = () => insertDeal(database.db, { sale_price: 10_000, original_price: null });
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();

/** Confirms through the last emailed link, as the owner of the address would. */
async function confirmLast() {
  const id = (await requests()).at(-1)?.id ?? 0;
  return confirmRequest(database.db, id);
}

/** Creates an alert for an address without an account. */
async function watch(fields: Record<string, string> = {}, email = newAddress()) {
  const deal = await newDeal();
  expect(await ask(email, deal.id, fields)).toEqual({ ok: true });
  const outcome = await confirmLast();
  if (!outcome.ok || !('watcherId' in outcome.owner)) throw new Error('no watcher was created');
  return { email, deal, watcherId: outcome.owner.watcherId };
}

const write = async (mail: OutboxMail | undefined) => {
  if (!mail) throw new Error('no such mail');
  return mails[mail.kind]?.write(database.db, mail, sampleSite, 'send') ?? null;
};

async function fill(owner: { watcher_id: number } | { user_id: string }, most: number) {
  const deals = await insertDeals(database.db, most);
  const rows = deals.map((deal_id) => ({ ...owner, deal_id, kind: 'any_drop' as const }));
  await database.db.insertInto('price_alerts').values(rows).execute();
}

describe('before the confirmation', () => {
  test('does not fire alerts before a guest confirms, and sends only the confirmation email', async () => {
    const email = newAddress();
    const deal = await newDeal();
    expect(await ask(email, deal.id)).toEqual({ ok: true });
    await setPrice(deal.id, 5_000);
    expect(await alerts()).toEqual([]);
    const all = await database.db.selectFrom('mail_outbox').select(['kind', 'recipient']).execute();
    expect(all).toEqual([{ kind: 'price-alert-confirm', recipient: email }]);
    const written = await write((await outbox('price-alert-confirm'))[0]);
    expect(written?.subject).toBe('Please confirm your price alert');
    expect(JSON.stringify(written)).not.toContain(deal.title);
    expect(written?.text).not.toContain('$80.00');
    expect(written?.text).toMatch(/\/price-alerts\/confirm\?token=v1\.confirm\./);
  });

  test('deletes an unconfirmed request and its link after three days', async () => {
    const deal = await newDeal();
    await ask(newAddress(), deal.id);
    const [waiting] = await requests();
    await forgetOldRows(database.db, 'forget-spent-attempts');
    expect(await requests()).toHaveLength(1);
    await database.db
      .updateTable('watch_requests')
      .set({ created_at: sql<Date>`now() - interval '73 hours'` })
      .execute();
    await forgetOldRows(database.db, 'forget-spent-attempts');
    expect(await requests()).toEqual([]);
    expect(await confirmRequest(database.db, waiting?.id ?? 0)).toMatchObject({ status: 404 });
    expect(await write((await outbox('price-alert-confirm'))[0])).toBeNull();
  });

  test('R26: emails one confirmation a day per address, but returns the same response and stores the request', async () => {
    const email = newAddress();
    for (let n = 0; n < mostRequestsPerAddress + 2; n++) {
      expect(await ask(email, (await newDeal()).id)).toEqual({ ok: true });
    }
    expect(await outbox('price-alert-confirm')).toHaveLength(1);
    expect(await requests()).toHaveLength(mostRequestsPerAddress);
  });

  test('R13: does not reveal whether the address has an account or alerts, or is blocked', async () => {
    const known = await insertUser(database.db, { email: newAddress(), email_verified: true });
    const { email } = await watch();
    for (const one of [known.email, email, newAddress()]) {
      expect(await ask(one, (await newDeal()).id)).toEqual({ ok: true });
    }
  });

  test.each([
    ['no address', { email: 'nonsense' }, 422, 'Please enter a valid email address'],
    ['two addresses', { email: 'a@mail.example, b@mail.example' }, 422, 'Please enter a valid'],
    ['a header', { email: 'a@mail.example\nBcc: b@mail.example' }, 422, 'Please enter a valid'],
    ['an empty target', { target: '0' }, 422, 'Target price must be greater than 0'],
    ['a target above the price', { target: '100.01' }, 422, 'must not be above'],
    ['a failed captcha', { captcha_token: '' }, 422, ''],
  ])('rejects %s in a guest’s alert request', async (_name, fields, status, message) => {
    const outcome = await ask(newAddress(), (await newDeal()).id, fields);
    expect(outcome).toMatchObject({ ok: false, status, message: expect.stringContaining(message) });
    expect(await requests()).toEqual([]);
  });

  test('rejects a request for a deleted deal or a store without alerts, even when it is confirmed', async () => {
    const merchant = await insertMerchant(database.db);
    const deal = await insertDeal(database.db, { merchant_id: merchant.id, sale_price: 10_000 });
    await ask(newAddress(), deal.id);
    await database.db.updateTable('merchants').set({ allow_alerts: false }).execute();
    const message = 'This store does not allow price alerts.';
    expect(await confirmLast()).toMatchObject({ ok: false, message });
    expect(await ask(newAddress(), deal.id)).toMatchObject({ ok: false, message });
    expect(await ask(newAddress(), 999_999)).toMatchObject({ ok: false, status: 404 });
    expect(await alerts()).toEqual([]);
  });
});

describe('after the confirmation', () => {
  test('fires and emails a guest’s alert like an account’s, and links to the guest’s page', async () => {
    const { deal, email, watcherId } = await watch();
    await setPrice(deal.id, 7_900);
    const [mail, ...more] = await outbox('price-alert');
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: email, user_id: null });
    const written = await write(mail);
    expect(written?.text).toContain('Your target was $80.00.');
    expect(written?.text).toContain(`/price-alerts/by-mail?token=v1.manage.${watcherId}.`);
    expect(written?.text).toMatch(/\/stop-mails\?token=v1\.alert\./);
    expect(await alerts()).toMatchObject([{ is_active: false, fired_price: 7_900 }]);
    await setPrice(deal.id, 7_800);
    expect(await outbox('price-alert')).toHaveLength(1);
  });

  test('supports recurring alerts of guests', async () => {
    const { deal } = await watch({ often: 'each' });
    for (const price of [8_000, 9_000, 7_900]) await setPrice(deal.id, price);
    expect(await alerts()).toMatchObject([{ repeats: true, is_active: true, fired_price: 7_900 }]);
  });

  test('creates one alert if the link is followed twice, and replaces one of the same kind only when confirmed', async () => {
    const { deal, email } = await watch();
    expect(await confirmLast()).toMatchObject({ ok: true });
    expect(await alerts()).toHaveLength(1);
    await ask(email, deal.id, { target: '70' });
    expect(await alerts()).toMatchObject([{ target_price: 8_000 }]);
    await confirmLast();
    expect(await alerts()).toMatchObject([{ target_price: 7_000 }]);
    await ask(email, deal.id, { kind: 'new_low_90' });
    await confirmLast();
    expect(await alerts()).toHaveLength(2);
  });

  test('sends a guest one email for a drop that meets two alerts', async () => {
    const { deal, email } = await watch();
    await ask(email, deal.id, { kind: 'any_drop' });
    await confirmLast();
    await setPrice(deal.id, 7_900);
    const written = await Promise.all((await outbox('price-alert')).map(write));
    expect(written.filter((mail) => mail !== null)).toHaveLength(1);
  });

  test('fires a guest’s alert immediately if the target was met before the confirmation', async () => {
    const deal = await newDeal();
    await ask(newAddress(), deal.id);
    await setPrice(deal.id, 7_000);
    expect(await confirmLast()).toMatchObject({ ok: true, hasFired: true });
    expect(await outbox('price-alert')).toHaveLength(1);
  });

  test('combines a guest’s alerts beyond ten emails a day into one, with a link to stop all', async () => {
    const email = newAddress();
    const deals: number[] = [];
    for (let n = 0; n < 12; n++) {
      const { deal } = await watch({}, email);
      deals.push(deal.id);
    }
    await database.db.updateTable('deals').set({ sale_price: 7_000 }).execute();
    expect(await outbox('price-alert')).toHaveLength(10);
    const digests = await outbox('price-alert-digest');
    expect(digests).toHaveLength(1);
    const written = await write(digests[0]);
    expect(written?.subject).toBe('2 more price alerts at Deal Hub');
    expect(written?.text).toMatch(/\/stop-mails\?token=v1\.watcher\./);
    expect(written?.text).toMatch(/\/price-alerts\/by-mail\?token=/);
  });

  test('allows a guest as many alerts as an account: a hundred', async () => {
    const { email, watcherId } = await watch();
    await fill({ watcher_id: watcherId }, mostAlertsPerOwner - 1);
    await ask(email, (await newDeal()).id);
    expect(await confirmLast()).toMatchObject({ ok: false, status: 409 });
  });
});

describe('the account of the address', () => {
  const prove = (id: string) =>
    database.db.updateTable('users').set({ email_verified: true }).where('id', '=', id).execute();

  test('moves a guest’s alerts to an account only once its address is verified', async () => {
    const { email, deal, watcherId } = await watch();
    await setPrice(deal.id, 7_900);
    await ask(email, (await newDeal()).id);
    await confirmLast();
    const user = await insertUser(database.db, { email, email_verified: false });
    expect(await alerts()).toMatchObject([{ user_id: null }, { user_id: null }]);
    expect(await exportAccount(database.db, user.id)).toMatchObject({ price_alerts: [] });
    await prove(user.id);
    const owned = { user_id: user.id, watcher_id: null };
    expect(await alerts()).toMatchObject([owned, owned]);
    expect(await findWatcher(database.db, watcherId)).toBeNull();
    // The queued email is still sent, now with a link to the account's page.
    const [mail] = await outbox('price-alert');
    expect(mail?.user_id).toBe(user.id);
    expect((await write(mail))?.text).toContain('https://deals.test/price-alerts>');
    const days = await database.db.selectFrom('alert_mail_days').selectAll().execute();
    expect(days).toMatchObject([{ user_id: user.id, watcher_id: null, mails: 1 }]);
  });

  test('moves a guest’s alerts to an account that is created with a verified address', async () => {
    const { email } = await watch({}, `Mixed.Case${(count += 1)}@mail.example`);
    const user = await insertUser(database.db, {
      email: email.toLowerCase(),
      email_verified: true,
    });
    expect(await alerts()).toMatchObject([{ user_id: user.id }]);
  });

  test('keeps the account’s own alert when a guest alert has the same condition', async () => {
    const { email, deal } = await watch();
    const user = await insertUser(database.db, { email, email_verified: false });
    const own = { user_id: user.id, deal_id: deal.id, kind: 'target' } as const;
    await database.db
      .insertInto('price_alerts')
      .values({ ...own, target_price: 6_000 })
      .execute();
    await prove(user.id);
    expect(await alerts()).toMatchObject([{ user_id: user.id, target_price: 6_000 }]);
  });

  test('moves at most a hundred guest alerts to an account, active ones first', async () => {
    const { email, watcherId } = await watch();
    const { deal } = await watch({}, email);
    await database.db
      .updateTable('price_alerts')
      .set({ is_active: false })
      .where('deal_id', '<>', deal.id)
      .execute();
    const user = await insertUser(database.db, { email, email_verified: false });
    await fill({ user_id: user.id }, mostAlertsPerOwner - 1);
    await prove(user.id);
    expect(await alerts()).toHaveLength(mostAlertsPerOwner);
    expect((await alerts()).find(({ deal_id }) => deal_id === deal.id)?.user_id).toBe(user.id);
    expect(await findWatcher(database.db, watcherId)).toBeNull();
  });

  test('confirms later alerts for a verified account’s address immediately', async () => {
    const user = await insertUser(database.db, { email: newAddress(), email_verified: true });
    await ask(user.email, (await newDeal()).id);
    expect(await confirmLast()).toMatchObject({ ok: true, owner: { userId: user.id } });
    expect(await alerts()).toMatchObject([{ user_id: user.id }]);
    expect(await database.db.selectFrom('watchers').select('id').execute()).toEqual([]);
  });

  test('R59: neither shows nor erases a guest’s data for an unverified account', async () => {
    const { email } = await watch();
    const stranger = await insertUser(database.db, { email, email_verified: false });
    await eraseAccount(testServices(database), { id: stranger.id });
    expect(await alerts()).toHaveLength(1);
  });
});

describe('erasing', () => {
  test('R45: erases only the data of the guest’s email address through the link', async () => {
    const other = await watch();
    const { email, deal, watcherId } = await watch();
    await setPrice(deal.id, 7_900);
    await ask(email, other.deal.id);
    await eraseWatcher(database.db, { id: watcherId, email });
    expect(await alerts()).toMatchObject([{ watcher_id: other.watcherId }]);
    expect((await requests()).map((request) => request.email)).toEqual([other.email]);
    const left = await database.db.selectFrom('mail_outbox').select('recipient').execute();
    expect(left.map(({ recipient }) => recipient)).toEqual([other.email]);
    expect(await database.db.selectFrom('price_alert_events').select('id').execute()).toEqual([]);
  });

  test('removes a deal’s guest alerts, restores them on undo, and deletes an address without alerts', async () => {
    const { deal, watcherId } = await watch();
    await sql`select * from delete_deals(array[${deal.id}::bigint], gen_random_uuid(), 'staff')`.execute(
      database.db,
    );
    expect(await alerts()).toEqual([]);
    await sql`select restore_deal(snapshot, 'back') from deleted_deals`.execute(database.db);
    expect(await alerts()).toMatchObject([{ watcher_id: watcherId }]);
    await database.db.deleteFrom('price_alerts').execute();
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await findWatcher(database.db, watcherId)).not.toBeNull();
    await database.db
      .updateTable('watchers')
      .set({ created_at: sql<Date>`now() - interval '4 days'` })
      .execute();
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await findWatcher(database.db, watcherId)).toBeNull();
  });
});
