import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { findOutboxMail } from '#app/platform/mail/outbox-queries.server.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import type { WebhookEvent } from '#database/schema/program-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  mostEndpoints,
  rotateWebhookSecret,
} from './change-webhook-endpoint.server.ts';
import { queuePing, requeueDelivery } from './queue-delivery.server.ts';
import { sendDueWebhooks, type WebhookWorker } from './send-due-webhooks.server.ts';
import { signWebhook } from './sign-webhook.ts';
import { webhookInput } from './webhook-input.ts';
import { webhookMails } from './webhook-mails.server.ts';
import {
  countWebhookDeliveries,
  findWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
} from './webhook-queries.server.ts';

const database = useTestDatabase();
const allEvents: WebhookEvent[] = ['deal.published', 'deal.price_changed', 'alert.fired'];
const day = 86_400_000;

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
let receiver: Server;
let origin: string;
let received: Received[] = [];
interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Runs while the delivery is being sent. */
  meanwhile?(): Promise<unknown>;
}
/** The receiver's responses by path. */
let answers: Record<string, Answer> = {};

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body });
    const answer = answers[path] ?? { status: 204 };
    await answer.meanwhile?.();
    response.writeHead(answer.status, answer.headers).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  received = [];
  answers = {};
});

const services = () => testServices(database);
const send = (worker: WebhookWorker = {}) =>
  sendDueWebhooks(services(), {
    fetch: { allowPrivate: true, timeoutMs: 60_000 },
    random: () => 0.5,
    ...worker,
  });

async function anEndpoint(events = allEvents, path = '/hooks') {
  const { id: actor } = await insertUser(database.db, { role: 'admin', email_verified: true });
  const made = await addWebhookEndpoint(database.db, { actor, url: origin + path, events });
  if (!made.ok) throw new Error(made.reason);
  return { ...made, actor };
}

const deliveries = () =>
  database.db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute();
const endpoint = (id: number) =>
  database.db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
/** Makes every delivery this many hours older. */
const letPass = (hours: number) =>
  sql`
  update webhook_deliveries set due_at = now(), trying_since = trying_since - make_interval(hours => ${hours})`.execute(
    database.db,
  );

describe('signatures', () => {
  test('signs webhooks as Standard Webhooks specifies', () => {
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_999),
      body: '{"test": 2432232314}',
    };
    expect(signWebhook([secret], message)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('signs with the secret that was shown once and is encrypted in the table', async () => {
    const { id, secret } = await anEndpoint();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const key = Buffer.from(secret.slice(6), 'base64');
    expect((await endpoint(id)).secret.includes(key)).toBe(false);
    await queuePing(database.db, id);
    await send();
    const [got] = received;
    const signed = ['webhook-id', 'webhook-timestamp'].map((name) => String(got?.headers[name]));
    signed.push(got?.body ?? '');
    const expected = createHmac('sha256', key).update(signed.join('.')).digest('base64');
    expect(got?.headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('signs with both secrets for a day when the secret is changed', async () => {
    const { id, actor, secret } = await anEndpoint();
    const next = await rotateWebhookSecret(database.db, { actor, id });
    expect(next).not.toBe(secret);
    const signatures = async () => {
      await queuePing(database.db, id);
      await send();
      return String(received.at(-1)?.headers['webhook-signature']).split(' ');
    };
    expect(await signatures()).toHaveLength(2);
    await sql`update webhook_endpoints set old_secret_until = now()`.execute(database.db);
    expect(await signatures()).toHaveLength(1);
    expect(await rotateWebhookSecret(database.db, { actor, id: 999 })).toBeNull();
  });
});

describe('events', () => {
  test('notifies subscribers of a published deal, a new price and a fired alert', async () => {
    await anEndpoint();
    await anEndpoint(['alert.fired'], '/alerts');
    const { id: user_id } = await insertUser(database.db, { email: 'private@mail.example' });
    const deal = await insertDeal(database.db, { sale_price: 5000, title: 'Kettle' });
    const alert = await database.db
      .insertInto('price_alerts')
      .values({ user_id, deal_id: deal.id, target_price: 4000 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setPrice(deal.id, 3999);
    expect(await send()).toBe(4);

    const told = (path: string) =>
      received
        .filter((one) => one.path === path)
        .map(({ body }) => JSON.parse(body))
        .toSorted((a, b) => a.type.localeCompare(b.type));
    const named = {
      id: deal.id,
      slug: deal.slug,
      title: 'Kettle',
      url: `http://deals.test/deals/${deal.slug}`,
      api_url: `http://deals.test/api/v1/deals/${deal.id}`,
      product: null,
    };
    const price = { amount: 3999, currency: 'USD' };
    const previous_price = { amount: 5000, currency: 'USD' };
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(told('/hooks')).toEqual([
      {
        type: 'alert.fired',
        timestamp,
        data: { deal: named, price, previous_price, alert_id: alert.id },
      },
      { type: 'deal.price_changed', timestamp, data: { deal: named, price, previous_price } },
      {
        type: 'deal.published',
        timestamp,
        data: { deal: named, price: previous_price, previous_price: null },
      },
    ]);
    expect(told('/alerts')).toHaveLength(1);
    expect(JSON.stringify(received)).not.toContain('private');
    expect(JSON.stringify(received)).not.toContain(user_id);
  });

  test('does not write events without subscribers', async () => {
    const { id, actor } = await anEndpoint(['deal.published']);
    const deal = await insertDeal(database.db, { is_active: false });
    await setPrice(deal.id, 10);
    expect(await deliveries()).toEqual([]);
    const facts = { actor, id, url: `${origin}/hooks`, events: allEvents, isActive: false };
    expect(await changeWebhookEndpoint(database.db, facts)).toBe(true);
    await database.db.updateTable('deals').set({ is_active: true }).execute();
    expect(await deliveries()).toEqual([]);
  });

  test('treats a deal shown again as published, but not a change of its text', async () => {
    await anEndpoint();
    const deal = await insertDeal(database.db, { is_active: false });
    await database.db.updateTable('deals').set({ is_active: true }).execute();
    await database.db.updateTable('deals').set({ title: 'Other words' }).execute();
    expect((await deliveries()).map(({ event, deal_id }) => [event, deal_id])).toEqual([
      ['deal.published', deal.id],
    ]);
  });

  test('does not send events that are rolled back', async () => {
    await anEndpoint();
    const deal = await insertDeal(database.db);
    await send();
    await database.db
      .transaction()
      .execute(async (tx) => {
        await tx.updateTable('deals').set({ sale_price: 1 }).where('id', '=', deal.id).execute();
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await send()).toBe(0);
  });

  test('writes events for a thousand new prices in one statement, with a row per subscriber', async () => {
    const deal = await insertDeal(database.db);
    await sql`
      insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
        select 'bulk-' || n, 'Bulk ' || n, 1000 + n, 'https://shop.example/' || n, ${deal.category_id}, ${deal.merchant_id}
          from generate_series(1, 1000) n`.execute(database.db);
    await anEndpoint(['deal.price_changed']);
    await anEndpoint(['deal.price_changed'], '/second');
    await anEndpoint(['alert.fired'], '/third');
    await sql`update deals set sale_price = sale_price + 1 where slug like 'bulk-%'`.execute(
      database.db,
    );
    expect(await deliveries()).toHaveLength(2000);
  });

  test('P35d: omits prices that a store hides, and price changes that it does not allow us to track', async () => {
    await anEndpoint();
    const hides = await insertMerchant(database.db, { hide_price_after_hours: 1 });
    const unlogged = await insertMerchant(database.db, { keep_history: false });
    const old = await insertDeal(database.db, { merchant_id: hides.id, sale_price: 77_777 });
    const other = await insertDeal(database.db, { merchant_id: unlogged.id });
    await setPrice(old.id, 66_666);
    await setPrice(other.id, 55_555);
    await database.db
      .updateTable('deals')
      .set({ price_checked_at: new Date(Date.now() - day) })
      .execute();
    await send();
    expect(received).toHaveLength(3);
    expect(JSON.stringify(received)).not.toMatch(/77777|66666|55555/);
    // An import that sees the price again records the time for the deal, which makes the price
    // fresh.
    await database.db
      .insertInto('deal_price_checks')
      .values({ deal_id: old.id, checked_at: new Date() })
      .execute();
    await setPrice(old.id, 44_444);
    await database.db
      .updateTable('deals')
      .set({ price_checked_at: new Date(Date.now() - day) })
      .execute();
    await send();
    expect(received.at(-1)?.body).toContain('44444');
  });

  test('P3: does not include data of a deal that is no longer public', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    await database.db.updateTable('deals').set({ is_active: false }).execute();
    await send();
    expect(received).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('delivery', () => {
  test('retries a webhook after a 500 with growing delays and the same id', async () => {
    const { id } = await anEndpoint();
    await insertDeal(database.db);
    answers['/hooks'] = { status: 500 };
    await send();
    const [first] = await deliveries();
    expect(first).toMatchObject({ state: 'queued', attempts: 1, answer_status: 500 });
    expect(first?.last_error).toBe('responded with status 500');
    expect(await send()).toBe(0); // The delivery is not due yet.
    await letPass(0);
    await send();
    const [second] = await deliveries();
    const waits = (row: typeof first) => Number(row?.due_at) - Date.now();
    expect(waits(second)).toBeGreaterThan(45_000);
    answers = {};
    await letPass(0);
    await send();
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([first?.message_id]),
    );
    expect(received).toHaveLength(3);
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 3, answer_status: 204 }]);
    expect(await endpoint(id)).toMatchObject({ failures: 0, failing_since: null });
  });

  test('stops retrying a webhook after 48 hours', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    answers['/hooks'] = { status: 503 };
    await letPass(49);
    await send();
    expect(await deliveries()).toMatchObject([{ state: 'failed', answer_status: 503 }]);
  });

  test('does not follow a redirect from a webhook’s receiver', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    answers['/hooks'] = { status: 307, headers: { location: `${origin}/elsewhere` } };
    await send();
    expect(received.map(({ path }) => path)).toEqual(['/hooks']);
    expect(await deliveries()).toMatchObject([{ state: 'queued', answer_status: 307 }]);
  });

  // Proves R29: webhooks reach public addresses only (safe-fetch.server.ts)
  test.each([
    ['a private address', (): WebhookWorker['fetch'] => ({})],
    [
      'a name that resolves to one',
      (): WebhookWorker['fetch'] => ({ resolve: async () => [{ address: '10.0.0.7', family: 4 }] }),
    ],
  ])('R29: never sends a webhook to %s', async (_, fetch) => {
    const { id } = await anEndpoint();
    const url = fetch()?.resolve ? 'https://hooks.example/' : 'https://127.0.0.1/';
    await database.db.updateTable('webhook_endpoints').set({ url }).execute();
    await queuePing(database.db, id);
    await send({ fetch: fetch() });
    expect(received).toEqual([]);
    expect((await deliveries())[0]?.last_error).toMatch(
      /is not an address of the public internet$/,
    );
  });

  test('continues a delivery in the next worker after a crash, with the same id', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    const lease = (seconds: number) =>
      sql`
      update webhook_deliveries
         set lease_owner = 'dead', lease_until = now() + make_interval(secs => ${seconds}), attempts = 1`.execute(
        database.db,
      );
    await lease(30);
    expect(await send()).toBe(0);
    await lease(-1);
    const [before] = await deliveries();
    expect(await send()).toBe(1);
    expect(received[0]?.headers['webhook-id']).toBe(before?.message_id);
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 2, lease_owner: null }]);
  });

  test('delivers a webhook once with two parallel workers', async () => {
    await anEndpoint();
    for (let n = 0; n < 30; n++) await insertDeal(database.db);
    const claimed = await Promise.all([send(), send()]);
    expect(claimed[0] + claimed[1]).toBe(30);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
    expect(received).toHaveLength(30);
  });

  test('leaves a delivery to other processes when its process stops, without counting an attempt', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    const stopping = new AbortController();
    const running = send({ signal: stopping.signal });
    stopping.abort();
    await running;
    expect(await deliveries()).toMatchObject([{ state: 'queued', attempts: 0, lease_owner: null }]);
  });

  test.each([
    ['keeps one that arrives as sent', 204, 'sent', null],
    ['does not retry one that fails', 500, 'cancelled', 'responded with status 500'],
  ])(
    'ends a delivery when its endpoint is turned off meanwhile: %s',
    async (_, status, state, last_error) => {
      const { id, actor } = await anEndpoint();
      await insertDeal(database.db);
      const facts = { id, actor, url: `${origin}/hooks`, events: allEvents };
      const switchTo = (isActive: boolean) =>
        changeWebhookEndpoint(database.db, { ...facts, isActive });
      answers['/hooks'] = { status, meanwhile: () => switchTo(false) };
      await send();
      const outcome = { state, attempts: 1, answer_status: status, last_error, lease_owner: null };
      expect(await deliveries()).toMatchObject([outcome]);
      answers = {};
      await switchTo(true);
      await letPass(1);
      expect(await send()).toBe(0);
      expect(received).toHaveLength(1);
    },
  );

  test('repeats a delivery in progress when its process died and its lease has expired', async () => {
    const { id } = await anEndpoint();
    await insertDeal(database.db);
    const [delivery] = await deliveries();
    const again = () => requeueDelivery(database.db, { id: delivery?.id ?? 0, endpointId: id });
    const lease = (seconds: number) =>
      sql`update webhook_deliveries
        set lease_owner = 'dead', lease_until = now() + make_interval(secs => ${seconds})`.execute(
        database.db,
      );
    await lease(30);
    expect(await again()).toBe(false);
    await lease(-1);
    expect(await again()).toBe(true);
    expect(await deliveries()).toMatchObject([{ state: 'queued', lease_owner: null }]);
  });

  test('does not delay other deliveries because of a failing endpoint', async () => {
    await anEndpoint(allEvents, '/dead');
    await anEndpoint(allEvents, '/alive');
    answers['/dead'] = { status: 500 };
    for (let n = 0; n < 40; n++) await insertDeal(database.db);
    await send();
    expect(received.filter(({ path }) => path === '/alive')).toHaveLength(40);
    // After three failures in a row, deliveries to the endpoint pause.
    expect(received.filter(({ path }) => path === '/dead').length).toBeLessThanOrEqual(10);
  });

  test('lets staff repeat a delivery with the same id', async () => {
    const { id } = await anEndpoint();
    await insertDeal(database.db);
    await send();
    const [sent] = await deliveries();
    const again = { id: sent?.id ?? 0, endpointId: id };
    expect(await requeueDelivery(database.db, { ...again, endpointId: id + 1 })).toBe(false);
    expect(await requeueDelivery(database.db, again)).toBe(true);
    await send({ deliveryId: again.id });
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([
      sent?.message_id,
      sent?.message_id,
    ]);
    const [entry] = await listWebhookDeliveries(database.db, id, { limit: 10, offset: 0 });
    expect(entry).toMatchObject({ state: 'sent', attempts: 2, answer_status: 204 });
  });

  test('sends a ping once to an endpoint that is off', async () => {
    const { id } = await anEndpoint();
    await database.db.updateTable('webhook_endpoints').set({ is_active: false }).execute();
    const deliveryId = await queuePing(database.db, id);
    answers['/hooks'] = { status: 404 };
    await send({ deliveryId: deliveryId ?? 0 });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'ping', data: {} });
    expect(await deliveries()).toMatchObject([{ state: 'failed', answer_status: 404 }]);
    expect(await queuePing(database.db, 999)).toBeNull();
  });

  test('lists deliveries in the log of their endpoint, newest first', async () => {
    const { id } = await anEndpoint();
    const other = await anEndpoint(allEvents, '/other');
    await insertDeal(database.db);
    await queuePing(database.db, id);
    expect(await countWebhookDeliveries(database.db, id, 100)).toBe(2);
    expect(await countWebhookDeliveries(database.db, id, 1)).toBe(1);
    const log = await listWebhookDeliveries(database.db, id, { limit: 1, offset: 0 });
    expect(log.map(({ event }) => event)).toEqual(['ping']);
    const endpoints = await listWebhookEndpoints(database.db);
    expect(endpoints.map((one) => one.id)).toEqual([id, other.id]);
    expect(Object.keys(endpoints[0] ?? {})).not.toContain('secret');
    expect(await findWebhookEndpoint(database.db, id)).toEqual(endpoints[0]);
    expect(await findWebhookEndpoint(database.db, 999)).toBeNull();
  });

  test('deletes old deliveries from the log, but never waiting ones', async () => {
    await anEndpoint();
    await insertDeal(database.db);
    await send();
    await insertDeal(database.db);
    await sql`update webhook_deliveries set occurred_at = now() - interval '31 days'`.execute(
      database.db,
    );
    await forgetOldRows(database.db, 'forget-old-deliveries');
    expect(await deliveries()).toMatchObject([{ state: 'queued' }]);
  });
});

describe('an endpoint', () => {
  test.each([
    ['five days of failure', 500, 121],
    ['a 410 response', 410, 0],
  ])('turns an endpoint off after %s, and notifies staff once', async (_, status, hours) => {
    const { id } = await anEndpoint();
    await insertUser(database.db, { email_verified: true });
    await insertDeal(database.db);
    await insertDeal(database.db);
    answers['/hooks'] = { status };
    await sql`update webhook_endpoints set failures = 1, failing_since = now() - make_interval(hours => ${hours})`.execute(
      database.db,
    );
    await send();
    expect(await endpoint(id)).toMatchObject({
      is_active: false,
      switched_off_at: expect.any(Date),
    });
    expect((await deliveries()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    const mails = await database.db.selectFrom('mail_outbox').select('id').execute();
    expect(mails).toHaveLength(1);
    const mail = await findOutboxMail(database.db, mails[0]?.id ?? 0);
    const mailSite = await readMailSite(database.db, services().env);
    const written =
      mail &&
      (await webhookMails['webhook-switched-off'].write(database.db, mail, mailSite, 'send'));
    expect(written?.subject).toContain('stopped sending webhooks to 127.0.0.1');
    expect(written?.text).toContain(`/admin/developers/webhooks/${id}`);
    const log = await database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
    expect(log.map(({ action }) => action)).toEqual(['webhook.create', 'webhook.switch-off']);
  });

  // Proves R42: keys and webhooks are audited (change-webhook-endpoint.server.ts)
  test('R42: logs every change of an endpoint, without its secret', async () => {
    const { id, actor, secret } = await anEndpoint();
    const facts = { actor, id, url: `${origin}/other`, events: allEvents, isActive: true };
    await changeWebhookEndpoint(database.db, facts);
    await rotateWebhookSecret(database.db, { actor, id });
    expect(await deleteWebhookEndpoint(database.db, { actor, id })).toBe(true);
    expect(await deleteWebhookEndpoint(database.db, { actor, id })).toBe(false);
    expect(await changeWebhookEndpoint(database.db, facts)).toBe(false);
    const log = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(log.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.change',
      'webhook.rotate-secret',
      'webhook.delete',
    ]);
    expect(JSON.stringify(log)).not.toContain(secret.slice(6));
  });

  test('allows at most twenty endpoints', async () => {
    const { actor } = await anEndpoint();
    for (let n = 1; n < mostEndpoints; n++) await anEndpoint();
    const more = { actor, url: origin, events: allEvents };
    expect(await addWebhookEndpoint(database.db, more)).toEqual({ ok: false, reason: 'too-many' });
  });

  test.each([
    'http://hooks.example/',
    'https://hooks.example:8443/',
    'https://me:pw@hooks.example/',
    'ftp://hooks.example/',
    'nonsense',
    '',
  ])('requires an https address on its usual port: rejects %s', (url) => {
    expect(webhookInput.safeParse({ url, events: ['alert.fired'] }).success).toBe(false);
  });

  test('stores an endpoint as a normalized URL, with at least one event', () => {
    const read = (events: string[]) =>
      webhookInput.safeParse({ url: ' HTTPS://Hooks.Example/a b ', events });
    expect(read(['alert.fired', 'deal.published', 'alert.fired']).data).toEqual({
      url: 'https://hooks.example/a%20b',
      events: ['deal.published', 'alert.fired'],
    });
    expect(read([]).success).toBe(false);
    expect(read(['deal.deleted']).success).toBe(false);
  });
});
