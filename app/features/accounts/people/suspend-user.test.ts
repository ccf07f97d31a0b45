import { describe, expect, test } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { findApiKey } from '#app/features/public-api/api-key-queries.server.ts';
import { findPushAddress } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { signIn } from '#test/staff.ts';
import { hashToken } from '../hash-token.server.ts';
import { findOpenSession, listOwnSessions } from '../sessions/session-queries.server.ts';
import { openSession } from '../sessions/open-session.server.ts';
import { changeRole } from './change-role.server.ts';
import { deleteUser } from './erase-account.server.ts';
import { reinstateUser, suspendUser } from './suspend-user.server.ts';

const database = useTestDatabase();
const services = () => testServices(database);
const suspend = (actor: string, userId: string) =>
  suspendUser(services(), { actor, userId, reason: 'Wrote nonsense' });
const reinstate = (actor: string, userId: string) => reinstateUser(services(), { actor, userId });
const owner = () => insertUser(database.db, { id: 'owner', role: 'super_admin' });
const stateOf = (id: string) =>
  database.db
    .selectFrom('users')
    .select(['suspended_at', 'suspended_for'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('R02: lets only a super_admin suspend others, and never themselves, and logs the reason', async () => {
  await owner();
  await insertUser(database.db, { id: 'clerk', role: 'admin' });
  await insertUser(database.db, { id: 'buyer' });
  expect(await suspend('clerk', 'buyer')).toEqual({ ok: false, reason: 'not-allowed' });
  expect(await suspend('owner', 'owner')).toEqual({ ok: false, reason: 'self' });
  expect(await suspend('owner', 'missing')).toEqual({ ok: false, reason: 'missing' });
  expect(await reinstate('owner', 'buyer')).toEqual({ ok: false, reason: 'not-suspended' });
  expect(await suspend('owner', 'buyer')).toEqual({ ok: true });
  expect(await suspend('owner', 'buyer')).toEqual({ ok: false, reason: 'suspended' });
  expect(await stateOf('buyer')).toEqual({
    suspended_at: expect.any(Date),
    suspended_for: 'Wrote nonsense',
  });
  expect(await reinstate('clerk', 'buyer')).toEqual({ ok: false, reason: 'not-allowed' });
  expect(await reinstate('owner', 'buyer')).toEqual({ ok: true });
  expect(await stateOf('buyer')).toEqual({ suspended_at: null, suspended_for: null });
  const log = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  expect(log).toMatchObject([
    {
      actor: 'owner',
      action: 'user.suspend',
      entity_id: 'buyer',
      after: { reason: 'Wrote nonsense' },
    },
    { actor: 'owner', action: 'user.reinstate', entity_id: 'buyer' },
  ]);
});

// Proves R02: suspending, under a lock (suspend-user.server.ts)
test('R02: keeps one of two super_admins who suspend each other at once, and does not let the remaining one be deleted', async () => {
  await insertUser(database.db, { id: 'one', role: 'super_admin' });
  await insertUser(database.db, { id: 'two', role: 'super_admin' });
  const results = await Promise.all([suspend('one', 'two'), suspend('two', 'one')]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const [last, out] = results[0]?.ok ? ['one', 'two'] : ['two', 'one'];
  // A suspended super_admin neither counts as the last one nor may act.
  const demoted = await changeRole(database.db, { actor: 'cli', userId: last, role: 'user' });
  expect(demoted).toEqual({ ok: false, reason: 'last-super-admin' });
  const deleted = await deleteUser(services(), { actor: out, userId: last });
  expect(deleted).toEqual({ ok: false, reason: 'not-allowed' });
  expect(await deleteUser(services(), { actor: last, userId: out })).toEqual({ ok: true });
});

// Proves R10: sessions of the suspended (suspend-user.server.ts)
test('R10: ends every session of a suspended user at once, and any created later, and restores none', async () => {
  await owner();
  const { cookie } = await signIn(database, { id: 'buyer' });
  const tokenOf = (line: string) => line.split(';', 1)[0]?.split('=')[1] ?? '';
  expect(await findOpenSession(database.db, tokenOf(cookie))).not.toBeNull();
  await suspend('owner', 'buyer');
  expect(await findOpenSession(database.db, tokenOf(cookie))).toBeNull();
  const place = { origin: 'https://deals.test', address: '192.0.2.1', userAgent: 'late' };
  const late = await database.db.transaction().execute((tx) => openSession(tx, 'buyer', place));
  expect(await findOpenSession(database.db, tokenOf(late))).toBeNull();
  await reinstate('owner', 'buyer');
  expect(await findOpenSession(database.db, tokenOf(late))).toBeNull();
  expect(await listOwnSessions(database.db, 'buyer')).toEqual([]);
});

test('rejects a suspended user’s API keys until the user is reinstated', async () => {
  await owner();
  await insertUser(database.db, { id: 'clerk', role: 'admin' });
  const made = await createApiKey(database.db, { actor: 'clerk', name: 'Mine', perMinute: null });
  if (!made.ok) throw new Error('no key');
  const find = () => findApiKey(database.db, hashToken(made.key));
  expect(await find()).not.toBeNull();
  await suspend('owner', 'clerk');
  expect(await find()).toBeNull();
  await reinstate('owner', 'clerk');
  expect(await find()).not.toBeNull();
});

describe('emails to a suspended user', () => {
  const alert = async () =>
    database.db.selectFrom('price_alerts').select(['is_active', 'fired_price']).executeTakeFirst();
  const mails = () =>
    database.db.selectFrom('mail_outbox').select(['kind', 'state']).orderBy('id').execute();
  const priceIs = (sale_price: number) =>
    database.db.updateTable('deals').set({ sale_price }).execute();
  const send = () =>
    jobs.find(({ name }) => name === 'send-mails')?.run(services(), new AbortController().signal);

  async function waitForPrice() {
    await owner();
    await insertUser(database.db, { id: 'buyer', email: 'buyer@mail.example' });
    const { id: deal_id } = await insertDeal(database.db, { sale_price: 10_000 });
    await database.db
      .insertInto('price_alerts')
      .values({ user_id: 'buyer', deal_id, target_price: 9_000, target_percent: null })
      .execute();
  }

  test('pauses the alerts of a suspended user, and fires those that were met when the user is reinstated', async () => {
    await waitForPrice();
    await suspend('owner', 'buyer');
    await priceIs(8_000);
    expect(await alert()).toEqual({ is_active: true, fired_price: null });
    expect(await mails()).toEqual([]);
    await reinstate('owner', 'buyer');
    expect(await alert()).toEqual({ is_active: false, fired_price: 8_000 });
    expect(await mails()).toEqual([{ kind: 'price-alert', state: 'queued' }]);
  });

  test('holds back the email of an alert that fired just before a suspension, and sends it afterwards', async () => {
    await waitForPrice();
    await priceIs(8_000);
    await suspend('owner', 'buyer');
    await send();
    expect(await mails()).toEqual([{ kind: 'price-alert', state: 'cancelled' }]);
    await reinstate('owner', 'buyer');
    await send();
    expect(await mails()).toEqual([{ kind: 'price-alert', state: 'kept' }]);
  });

  test('re-arms an alert that fired just before a suspension if its price has risen', async () => {
    await waitForPrice();
    await priceIs(8_000);
    await suspend('owner', 'buyer');
    await send();
    await priceIs(9_500);
    await reinstate('owner', 'buyer');
    await send();
    expect(await mails()).toEqual([{ kind: 'price-alert', state: 'cancelled' }]);
    expect(await alert()).toEqual({ is_active: true, fired_price: null });
    await priceIs(8_500);
    expect(await mails()).toHaveLength(2);
  });

  test('sends no push message to a suspended user', async () => {
    await waitForPrice();
    const { id } = await database.db
      .insertInto('push_subscriptions')
      .values({ user_id: 'buyer', endpoint: 'https://push.example/x', p256dh: 'x', auth: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await findPushAddress(database.db, id)).not.toBeNull();
    await suspend('owner', 'buyer');
    expect(await findPushAddress(database.db, id)).toBeNull();
  });

  test.each([
    ['cancels them for a verified email', true, 'cancelled'],
    ['still sends them to an unverified email', false, 'kept'],
  ] as const)('handles newsletters to a suspended user: %s', async (_, email_verified, state) => {
    await owner();
    const email = 'reader@mail.example';
    await insertUser(database.db, { id: 'reader', email, email_verified });
    const { id } = await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email })
      .returning('id')
      .executeTakeFirstOrThrow();
    await suspend('owner', 'reader');
    const props = { subscriptionId: id };
    await queueMail(database.db, { key: 'w', kind: 'newsletter-welcome', to: email, props });
    await queueMail(database.db, { key: 'r', kind: 'already-registered', to: email, props: {} });
    await send();
    // Emails that the suspended user requests are still sent.
    expect(await mails()).toEqual([
      { kind: 'newsletter-welcome', state },
      { kind: 'already-registered', state: 'kept' },
    ]);
  });
});
