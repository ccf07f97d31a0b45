import { addClicks } from '#app/features/clicks/click-queries.server.ts';
import { expect, test } from 'vitest';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { trySignIn } from '#app/features/accounts/sessions/try-sign-in.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { countHeldMailing } from './count-held-mailing.server.ts';
import { type AttentionCounts, describeAttention } from './describe-attention.ts';
import { countAttention, listActivity } from './desk-queries.server.ts';
import { examineHealth } from './examine-health.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-21T12:00:00Z');
const nothing: AttentionCounts = {
  heldPrices: 0,
  waitingDeals: 0,
  doubtfulProducts: 0,
  suggestedMatches: 0,
  askingImports: 0,
  failedImports: 0,
  staleFeeds: 0,
  failedMails: 0,
  lateMails: 0,
  unreadMessages: 0,
  webhooksOff: 0,
  channelsOff: 0,
  wrongForecasts: 0,
  silentStores: 0,
  expiredDeals: 0,
  brokenLinks: 0,
  reportedDeals: 0,
  misplacedDeals: 0,
  dealsWithoutPicture: 0,
  brokenSettings: 0,
  heldMailing: 0,
};

test('lists nothing that needs attention when every count is 0', () => {
  expect(describeAttention(nothing)).toEqual([]);
});

// Proves Design: Dashboard: needs attention, 30 days as bars (describe-attention.ts)
test('lists failures before cleanup, in the singular or plural', () => {
  const items = describeAttention({ ...nothing, dealsWithoutPicture: 1204, failedMails: 1 });
  expect(items).toEqual([
    {
      detail: '1 email could not be delivered',
      href: '/admin/outbox?state=failed',
      isUrgent: true,
    },
    {
      detail: '1,204 active deals have no picture',
      href: '/admin/deals?status=active&show=no-picture',
      isUrgent: false,
    },
  ]);
});

test('lists first the reason why visitors are locked out, with an action that ends it', () => {
  const [first] = describeAttention({ ...nothing, failedMails: 1 }, 'Maintenance mode is on.');
  expect(first).toMatchObject({ detail: 'Maintenance mode is on.', isUrgent: true });
  expect(first?.act?.fields).toEqual({ intent: 'open-site' });
});

test('counts a failed feed source only if its latest real run failed', async () => {
  const merchant = await insertMerchant(database.db);
  const source = async () =>
    (
      await database.db
        .insertInto('feed_sources')
        .values({ merchant_id: merchant.id, name: 'Feed', location: 'https://a.example/f.csv' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const run = (id: number, state: 'failed' | 'done' | 'asking', is_dry_run = false) =>
    database.db
      .insertInto('import_runs')
      .values({ feed_source_id: id, source_name: 'Feed', format: 'csv', state, is_dry_run })
      .execute();
  const mended = await source();
  await run(mended, 'failed');
  await run(mended, 'done');
  const broken = await source();
  await run(broken, 'done');
  await run(broken, 'failed');
  const tried = await source();
  await run(tried, 'failed', true);
  await run(await source(), 'asking');
  expect(await countAttention(database.db)).toMatchObject({ failedImports: 1, askingImports: 1 });
});

test('reports a scheduled feed as stale after twice its interval without a read', async () => {
  const merchant = await insertMerchant(database.db);
  const old = new Date(Date.now() - 3 * 3_600_000);
  const feed = { merchant_id: merchant.id, location: 'https://a.example/f.csv', created_at: old };
  await database.db
    .insertInto('feed_sources')
    .values([
      { ...feed, name: 'hourly', schedule_minutes: 60 },
      { ...feed, name: 'daily', schedule_minutes: 1440 },
      { ...feed, name: 'by hand', schedule_minutes: null },
      { ...feed, name: 'off', schedule_minutes: 60, is_active: false },
    ])
    .execute();
  expect((await countAttention(database.db)).staleFeeds).toBe(1);
});

test('counts deals that are expired yet active, held, without a picture, or waiting for a price', async () => {
  const ended = new Date(Date.now() - 60_000);
  await insertDeal(database.db, {
    expires_at: ended,
    is_expired: true,
    image_url: '/media/a.webp',
  });
  await insertDeal(database.db, { is_active: false, image_url: null });
  await insertDeal(database.db, { held_price: 100, held_at: ended, image_url: '/media/a.webp' });
  await insertDeal(database.db, {
    currency: 'EUR',
    is_active: false,
    waits_for_price: true,
  });
  expect(await countAttention(database.db)).toMatchObject({
    expiredDeals: 1,
    heldPrices: 1,
    waitingDeals: 1,
    dealsWithoutPicture: 0,
  });
});

test('P28: counts subscribers with a held digest only while the digest is held', async () => {
  await database.db
    .insertInto('newsletter_subscriptions')
    .values([{ email: 'a@mail.example' }, { email: 'b@mail.example', is_active: false }])
    .execute();
  const count = (digestEnabled: boolean, postalAddress: string) =>
    countHeldMailing(database.db, { digestEnabled, postalAddress });
  expect(await count(true, '')).toBe(1);
  expect(await count(false, '')).toBe(0);
  expect(await count(true, '1 Main Street')).toBe(0);
});

test('shows a row of activity for each of thirty days', async () => {
  const { id } = await insertDeal(database.db);
  await addClicks(database.db, [
    { dealId: id, day: '2026-11-21', count: 3 },
    { dealId: id, day: '2026-10-23', count: 2 },
    { dealId: id, day: '2026-10-22', count: 9 },
  ]);
  const mail = { recipient: 'a@mail.example', payload: '{}', state: 'sent' as const };
  await database.db
    .insertInto('mail_outbox')
    .values([
      { ...mail, key: 'a', kind: 'price-alert', sent_at: '2026-11-20T23:59:00Z' },
      { ...mail, key: 'b', kind: 'welcome', sent_at: '2026-11-20T23:59:00Z' },
    ])
    .execute();
  const days = await listActivity(database.db, now);
  expect(days).toHaveLength(30);
  expect(days[0]).toMatchObject({ day: '2026-10-23', clicks: 2 });
  expect(days.at(-2)).toEqual({ day: '2026-11-20', clicks: 0, alertMails: 1, imports: 0 });
  expect(days.at(-1)).toMatchObject({ day: '2026-11-21', clicks: 3, alertMails: 0 });
});

test('counts alert emails of days before yesterday once, and newer ones every time', async () => {
  const mail = { kind: 'price-alert', recipient: 'a@mail.example', payload: '{}', state: 'sent' };
  const sent = (key: string, sent_at: string) =>
    database.db
      .insertInto('mail_outbox')
      .values({ ...mail, key, sent_at } as never)
      .execute();
  const later = new Date('2027-02-10T12:00:00Z'); // No other test reads this month.
  const counts = async (at = later) =>
    (await listActivity(database.db, at))
      .filter(({ alertMails }) => alertMails > 0)
      .map(({ day, alertMails }) => `${day} ${alertMails}`);
  await sent('a', '2027-02-01T00:00:00Z');
  await sent('b', '2027-02-09T23:59:59Z');
  expect(await counts()).toEqual(['2027-02-01 1', '2027-02-09 1']);
  await sent('c', '2027-02-01T00:00:00Z'); // The count of an earlier day is cached.
  await sent('d', '2027-02-09T00:00:00Z');
  await sent('e', '2027-02-10T00:00:00Z');
  expect(await counts()).toEqual(['2027-02-01 1', '2027-02-09 2', '2027-02-10 1']);
  const days = ['2027-02-01 1', '2027-02-09 2', '2027-02-10 1'];
  expect(await counts(new Date('2027-02-12T00:00:00Z'))).toEqual(days);
  await database.db.deleteFrom('mail_outbox').execute();
  expect(await counts(new Date('2027-02-12T00:00:00Z'))).toEqual(days);
  expect(await counts(new Date('2027-03-20T00:00:00Z'))).toEqual([]);
});

test('deletes the session that the sign-in check created', async () => {
  const { id } = await insertUser(database.db, { role: 'admin' });
  expect(await trySignIn(database.db, id, testOrigin)).toBe(true);
  expect(await database.db.selectFrom('sessions').select('id').execute()).toEqual([]);
});

// Proves P38: System Status and System Info (examine-health.server.ts)
test('P38: turns a failed check into a check result, and continues with the others', async () => {
  const { id } = await insertUser(database.db, { role: 'admin' });
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, SMTP_HOST: 'mail.example' });
  const late = new Date(now.getTime() - 3_600_000);
  await database.db
    .insertInto('mail_outbox')
    .values({ key: 'a', kind: 'test', recipient: 'a@mail.example', payload: '{}', due_at: late })
    .execute();
  const services = { db: database.db, env, log: createLog('silent'), now: () => now };
  const stateOf = async (userId: string) =>
    Object.fromEntries(
      (await examineHealth(services, userId)).map(({ name, state }) => [name, state]),
    );
  const good = { 'Database Connection': 'ok', 'Application Status': 'ok', Mail: 'problem' };
  expect(await stateOf(id)).toMatchObject({ ...good, 'Auth Service': 'ok' });
  expect(await stateOf('nobody')).toMatchObject({ ...good, 'Auth Service': 'problem' });
});

test('counts channels that were turned off', async () => {
  await insertChannel(database.db);
  await insertChannel(database.db, { is_active: false, switched_off_at: now });
  expect(await countAttention(database.db)).toMatchObject({ channelsOff: 1 });
});
