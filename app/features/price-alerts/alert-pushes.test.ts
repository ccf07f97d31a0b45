import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { postPush, type PostPush } from '#app/platform/push/post-push.server.ts';
import { vapidKeys } from '#app/platform/push/vapid.server.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { openPush, pushReceiver, startPushStandIn } from '#test/push-stand-in.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { pushes as pushKinds } from '#app/pushes.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { listBrowsers, saveSubscription } from './push-subscription-queries.server.ts';
import { sendDuePushes } from './send-due-pushes.server.ts';

const database = useTestDatabase();
let service: Awaited<ReturnType<typeof startPushStandIn>>;
beforeAll(async () => void (service = await startPushStandIn()));
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
  service.answers.length = 0;
});

/** Sends push requests to a service on loopback. */
const post: PostPush = async (endpoint, { headers, body }) => {
  const { pathname } = new URL(endpoint);
  const answer = await request(service.origin + pathname, { method: 'POST', headers, body });
  await answer.body.dump();
  const wait = Number(answer.headers['retry-after']);
  return { status: answer.statusCode, retryAfterSeconds: wait > 0 ? wait : null };
};
const site = { currency: 'USD', contactEmail: 'hello@deals.test', origin: testOrigin };
const send = (by: PostPush = post) =>
  sendDuePushes(testServices(database), { kinds: pushKinds, post: by, site, random: () => 0.5 });

let browsers = 0;
async function addBrowser(userId: string, path = `browser-${(browsers += 1)}`) {
  const receiver = pushReceiver();
  const endpoint = `https://push.example/${path}`;
  await saveSubscription(database.db, userId, { endpoint, ...receiver.keys }, 'Firefox/128 Linux');
  return { receiver, endpoint };
}

async function waitFor(userId: string, title = 'A brass lamp') {
  const deal = await insertDeal(database.db, { title, sale_price: 10_000 });
  await database.db
    .insertInto('price_alerts')
    .values({ user_id: userId, deal_id: deal.id, target_price: 9_000, target_percent: null })
    .execute();
  return deal;
}
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
const pushes = () => database.db.selectFrom('push_outbox').selectAll().orderBy('id').execute();

describe('a fired alert', () => {
  // Proves P25: by push too, beside the mail (send-due-pushes.server.ts)
  test('pushes a fired alert encrypted to each browser of its user, in addition to the email', async () => {
    const { db } = database;
    const user = await insertUser(db);
    const stranger = await insertUser(db);
    const [one, two] = [await addBrowser(user.id), await addBrowser(user.id)];
    await addBrowser(stranger.id);
    const deal = await waitFor(user.id);
    await setPrice(deal.id, 8_000);
    expect(await send()).toBe(2);
    expect(service.received.map((push) => `https://push.example${push.path}`).toSorted()).toEqual(
      [one.endpoint, two.endpoint].toSorted(),
    );
    const first = service.received.find((push) => one.endpoint.endsWith(push.path));
    expect(JSON.parse(openPush(first?.body ?? Buffer.alloc(0), one.receiver))).toEqual({
      title: 'A brass lamp',
      body: expect.stringMatching(/^Now \$80\.00, was \$100\.00 at /),
      path: `/deals/${deal.slug}`,
      tag: `deal-${deal.id}`,
    });
    expect(first?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      topic: `deal-${deal.id}`,
      authorization: expect.stringContaining(`k=${(await vapidKeys(db)).publicKey}`),
    });
    expect((await pushes()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 1],
      ['sent', 1],
    ]);
    expect(await send()).toBe(0);
    const mails = await db.selectFrom('mail_outbox').select('kind').execute();
    expect(mails).toEqual([{ kind: 'price-alert' }]);
  });

  test('R08: queues a push in the transaction that changes the price, and rolls both back together', async () => {
    const user = await insertUser(database.db);
    await addBrowser(user.id);
    const deal = await waitFor(user.id);
    const undone = database.db.transaction().execute(async (tx) => {
      await tx.updateTable('deals').set({ sale_price: 8_000 }).where('id', '=', deal.id).execute();
      expect(await tx.selectFrom('push_outbox').select('id').execute()).toHaveLength(1);
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    expect(await pushes()).toEqual([]);
  });

  test('R08: sends a push once with two workers, and lets another one take over after a crash', async () => {
    const user = await insertUser(database.db);
    const { endpoint } = await addBrowser(user.id);
    const deal = await waitFor(user.id);
    await setPrice(deal.id, 8_000);
    await Promise.all([send(), send()]);
    expect(service.received).toHaveLength(1);
    await sql`update push_outbox set state = 'queued', lease_owner = 'dead', lease_until = now() - interval '1 second'`.execute(
      database.db,
    );
    await send();
    expect(service.received.map((push) => push.headers.topic)).toEqual([
      service.received[0]?.headers.topic,
      service.received[0]?.headers.topic, // The topic replaces a waiting message.
    ]);
    expect(service.received.every((push) => endpoint.endsWith(push.path))).toBe(true);
  });

  test('R09: sends no push when the price rose again, the alert was stopped or the deal is gone', async () => {
    const user = await insertUser(database.db);
    await addBrowser(user.id);
    const risen = await waitFor(user.id);
    const stopped = await waitFor(user.id);
    const hidden = await waitFor(user.id);
    for (const { id } of [risen, stopped, hidden]) await setPrice(id, 8_000);
    await setPrice(risen.id, 9_500);
    const { db } = database;
    await db
      .updateTable('price_alerts')
      .set({ fired_at: null })
      .where('deal_id', '=', stopped.id)
      .execute();
    await db.updateTable('deals').set({ is_active: false }).where('id', '=', hidden.id).execute();
    await send();
    expect(service.received).toEqual([]);
    expect((await pushes()).map(({ state }) => state)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
  });

  test('sends no push if the alert is not emailed: unverified, emailed before, or beyond ten a day', async () => {
    const { db } = database;
    const unverified = await insertUser(db);
    await addBrowser(unverified.id);
    await db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', unverified.id)
      .execute();
    await setPrice((await waitFor(unverified.id)).id, 8_000);
    expect(await pushes()).toEqual([]);
    const busy = await insertUser(db);
    await addBrowser(busy.id);
    for (let n = 0; n < 11; n++) await setPrice((await waitFor(busy.id)).id, 8_000);
    expect(await pushes()).toHaveLength(10);
  });

  test('waits a day between two pushes of one alert, as between emails', async () => {
    const { db } = database;
    const user = await insertUser(db);
    await addBrowser(user.id);
    const deal = await waitFor(user.id);
    await setPrice(deal.id, 8_000);
    await send();
    await db.updateTable('price_alerts').set({ is_active: true, target_price: 7_500 }).execute();
    await setPrice(deal.id, 7_000);
    expect(await send()).toBe(0);
    const [, second] = await pushes();
    expect((second?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });
});

describe('the push service', () => {
  async function fireOnce() {
    const user = await insertUser(database.db);
    const browser = await addBrowser(user.id);
    await setPrice((await waitFor(user.id)).id, 8_000);
    return { user, ...browser };
  }
  const makeDue = () => sql`update push_outbox set due_at = now()`.execute(database.db);

  test.each([404, 410])(
    'removes the browser when its push service responds with %i',
    async (status) => {
      const { user } = await fireOnce();
      service.answers.push({ status });
      await send();
      expect(await listBrowsers(database.db, user.id)).toEqual([]);
      expect(await pushes()).toEqual([]);
    },
  );

  test.each([429, 500, 503])(
    'retries a push with growing delays when its service responds with %i',
    async (status) => {
      await fireOnce();
      service.answers.push({ status }, { status });
      await send();
      const [first] = await pushes();
      expect(first).toMatchObject({ state: 'queued', attempts: 1, lease_owner: null });
      expect(first?.last_error).toBe(`the push service responded with status ${status}`);
      expect(await send()).toBe(0); // The push is not due yet.
      await makeDue();
      await send();
      const pauseOf = (push?: { due_at: Date }) => (push?.due_at.getTime() ?? 0) - Date.now();
      const [second] = await pushes();
      // The second pause is two minutes, plus or minus a quarter.
      expect(pauseOf(second)).toBeGreaterThan(90_000);
      await makeDue();
      await send();
      expect((await pushes())[0]).toMatchObject({ state: 'sent', attempts: 3 });
    },
  );

  test('waits as long as the push service requests', async () => {
    await fireOnce();
    service.answers.push({ status: 429, headers: { 'retry-after': '3600' } });
    await send();
    const [push] = await pushes();
    expect((push?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  });

  test.each([400, 403, 413])(
    'does not retry a push that its service rejects with %i',
    async (status) => {
      await fireOnce();
      service.answers.push({ status });
      await send();
      expect((await pushes())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    },
  );

  test('retries a push for no more than a day when its service is unreachable', async () => {
    await fireOnce();
    const away: PostPush = () => Promise.reject(new Error('the address cannot be reached'));
    await send(away);
    expect((await pushes())[0]?.state).toBe('queued');
    await sql`update push_outbox set due_at = now(), created_at = now() - interval '25 hours'`.execute(
      database.db,
    );
    await send(away);
    expect((await pushes())[0]).toMatchObject({
      state: 'failed',
      last_error: 'the address cannot be reached',
    });
  });

  test.each([
    'http://push.example/x',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://10.0.0.8/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://push.example:8443/x',
  ])('R29: never contacts a push service at %s', async (endpoint) => {
    await expect(postPush(endpoint, { headers: {}, body: Buffer.from('x') })).rejects.toThrow(
      /not an address of the public internet|port 8443|was not found|with https/,
    );
    expect(service.received).toEqual([]);
  });
});

describe('notified browsers', () => {
  test('limits notified browsers to ten per user, and replaces the oldest', async () => {
    const user = await insertUser(database.db);
    const added = [];
    for (let n = 0; n < 11; n++) added.push((await addBrowser(user.id)).endpoint);
    const kept = database.db.selectFrom('push_subscriptions').select('endpoint').orderBy('id');
    expect((await kept.execute()).map((row) => row.endpoint)).toEqual(added.slice(1));
  });

  test('moves a notified browser to another user who signs in, but not the earlier user’s messages', async () => {
    const [first, second] = [await insertUser(database.db), await insertUser(database.db)];
    await addBrowser(first.id, 'shared');
    await setPrice((await waitFor(first.id)).id, 8_000);
    await addBrowser(second.id, 'shared');
    expect(await listBrowsers(database.db, first.id)).toEqual([]);
    expect(await listBrowsers(database.db, second.id)).toHaveLength(1);
    expect(await send()).toBe(0);
  });

  test('R45: exports notified browsers without secrets, and deletes them with the account', async () => {
    const { db } = database;
    const user = await insertUser(db);
    const { endpoint, receiver } = await addBrowser(user.id, 'secret-path');
    await setPrice((await waitFor(user.id)).id, 8_000);
    const text = JSON.stringify(await exportAccount(db, user.id));
    expect(text).toContain('"push_service":"push.example"');
    for (const secret of [endpoint, receiver.keys.auth]) expect(text).not.toContain(secret);
    await eraseAccount(testServices(database), user);
    expect(await db.selectFrom('push_subscriptions').select('id').execute()).toEqual([]);
    expect(await pushes()).toEqual([]);
  });

  test('deletes finished push messages after a week', async () => {
    const user = await insertUser(database.db);
    await addBrowser(user.id);
    await setPrice((await waitFor(user.id)).id, 8_000);
    await sql`update push_outbox set created_at = now() - interval '8 days'`.execute(database.db);
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await pushes()).toHaveLength(1); // This push is still waiting.
    await send();
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await pushes()).toEqual([]);
  });
});
