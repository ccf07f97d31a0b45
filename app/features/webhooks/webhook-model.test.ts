import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { addWebhookEndpoint, changeWebhookEndpoint } from './change-webhook-endpoint.server.ts';
import { requeueDelivery } from './queue-delivery.server.ts';
import { sendDueWebhooks } from './send-due-webhooks.server.ts';

// Compares deliveries to one endpoint, for any responses and on/off switches, with a naive
// implementation of the webhook rules. Time passes in steps longer than any retry delay.

const database = useTestDatabase();
let receiver: Server;
let origin = '';
let status = 204;
let received: string[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

interface Delivery {
  state: 'queued' | 'sent' | 'failed' | 'cancelled';
  attempts: number;
  hoursTried: number;
  isPublic: boolean;
  isDue: boolean;
}

interface Model {
  isActive: boolean;
  failures: number;
  hoursFailing: number | null;
  isPaused: boolean;
  deliveries: Delivery[];
}

type Step =
  | { do: 'publish' }
  | { do: 'hide'; which: number }
  | { do: 'send'; answer: number }
  | { do: 'wait'; hours: number }
  | { do: 'requeue'; which: number }
  | { do: 'switch'; isOn: boolean };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ do: 'publish' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const), which: fc.nat(9) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('send' as const),
        answer: fc.constantFrom(200, 204, 302, 404, 500, 500, 500, 503, 410),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(5, 20, 49) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('requeue' as const), which: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('switch' as const), isOn: fc.boolean() }),
    },
  ),
  { minLength: 4, maxLength: 18 },
);

/** Sends one round in the model, and returns the deliveries that the receiver would get. */
function sendInModel(model: Model, answer: number): number[] {
  if (!model.isActive || model.isPaused) return [];
  const heard: number[] = [];
  for (const [n, delivery] of model.deliveries.entries()) {
    if (delivery.state !== 'queued' || !delivery.isDue) continue;
    delivery.attempts += 1;
    if (!delivery.isPublic) {
      delivery.state = 'cancelled';
      continue;
    }
    heard.push(n);
    if (answer >= 200 && answer < 300) {
      delivery.state = 'sent';
      continue;
    }
    delivery.isDue = false;
    if (delivery.hoursTried > 48) delivery.state = 'failed';
  }
  if (heard.length === 0) return heard;
  if (answer >= 200 && answer < 300) {
    Object.assign(model, { failures: 0, hoursFailing: null, isPaused: false });
    return heard;
  }
  model.failures += heard.length;
  model.hoursFailing ??= 0;
  model.isPaused = model.failures >= 3;
  // The duration of the attempts themselves makes this more than five days.
  if (answer === 410 || model.hoursFailing >= 5 * 24) {
    model.isActive = false;
    cancelQueued(model);
  }
  return heard;
}

function cancelQueued(model: Model): void {
  for (const delivery of model.deliveries) {
    if (delivery.state === 'queued') delivery.state = 'cancelled';
  }
}

function waitInModel(model: Model, hours: number): void {
  if (model.hoursFailing !== null) model.hoursFailing += hours;
  model.isPaused = false;
  for (const delivery of model.deliveries) {
    delivery.hoursTried += hours;
    delivery.isDue = true;
  }
}

async function letPass(hours: number): Promise<void> {
  await sql`update webhook_deliveries set due_at = due_at - make_interval(hours => ${hours}),
    trying_since = trying_since - make_interval(hours => ${hours})`.execute(database.db);
  await sql`update webhook_endpoints set paused_until = paused_until - make_interval(hours => ${hours}),
    failing_since = failing_since - make_interval(hours => ${hours})`.execute(database.db);
}

test('delivers, pauses, switches and retries webhooks by the rules for any responses, with one id per event', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      await database.reset();
      received = [];
      const { id: actor } = await insertUser(db, { role: 'admin', email_verified: true });
      const place = {
        category_id: (await insertCategory(db)).id,
        merchant_id: (await insertMerchant(db)).id,
      };
      const facts = { actor, url: `${origin}/hooks`, events: ['deal.published' as const] };
      const made = await addWebhookEndpoint(db, facts);
      const id = made.ok ? made.id : 0;
      const model: Model = {
        isActive: true,
        failures: 0,
        hoursFailing: null,
        isPaused: false,
        deliveries: [],
      };
      const dealIds: number[] = [];
      const idsOf = async () =>
        await db
          .selectFrom('webhook_deliveries')
          .select(['id', 'message_id'])
          .orderBy('id')
          .execute();
      for (const step of list) {
        let told: string[] = [];
        let wanted: string[] = [];
        if (step.do === 'publish') {
          const deal = await insertDeal(db, place);
          if (model.isActive) {
            dealIds.push(deal.id);
            model.deliveries.push({
              state: 'queued',
              attempts: 0,
              hoursTried: 0,
              isPublic: true,
              isDue: true,
            });
          }
        }
        if (step.do === 'hide') {
          const delivery = model.deliveries[step.which];
          if (delivery) {
            delivery.isPublic = false;
            await db
              .updateTable('deals')
              .set({ is_active: false })
              .where('id', '=', dealIds[step.which] ?? 0)
              .execute();
          }
        }
        if (step.do === 'send') {
          status = step.answer;
          const heard = sendInModel(model, step.answer);
          const before = received.length;
          await sendDueWebhooks(testServices(database), {
            fetch: { allowPrivate: true, timeoutMs: 60_000 },
            random: () => 0.5,
          });
          const messages = (await idsOf()).map(({ message_id }) => message_id);
          told = received.slice(before).toSorted();
          wanted = heard.map((n) => messages[n] ?? '').toSorted();
        }
        if (step.do === 'wait') {
          waitInModel(model, step.hours);
          await letPass(step.hours);
        }
        if (step.do === 'requeue') {
          const delivery = model.deliveries[step.which];
          const row = (await idsOf())[step.which];
          if (delivery && row) {
            await requeueDelivery(db, { id: row.id, endpointId: id });
            Object.assign(delivery, { state: 'queued', hoursTried: 0, isDue: true });
          }
        }
        if (step.do === 'switch') {
          await changeWebhookEndpoint(db, { ...facts, id, isActive: step.isOn });
          Object.assign(model, {
            isActive: step.isOn,
            failures: 0,
            hoursFailing: null,
            isPaused: false,
          });
          if (!step.isOn) cancelQueued(model);
        }
        expect(told).toEqual(wanted);
        const { rows } = await sql<{ state: string; attempts: number }>`
          select state, attempts from webhook_deliveries order by id`.execute(db);
        expect(rows).toEqual(model.deliveries.map(({ state, attempts }) => ({ state, attempts })));
        const { rows: endpoints } = await sql<{
          isActive: boolean;
          failures: number;
          isPaused: boolean;
        }>`
          select is_active as "isActive", failures, coalesce(paused_until > now(), false) as "isPaused"
            from webhook_endpoints`.execute(db);
        const { isActive, failures, isPaused } = model;
        expect(endpoints[0]).toMatchObject(
          isActive ? { isActive, failures, isPaused } : { isActive },
        );
      }
      // No event has two ids, and no id has two events.
      const messages = (await idsOf()).map(({ message_id }) => message_id);
      expect(new Set(messages).size).toBe(messages.length);
      expect(received.every((message) => messages.includes(message))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
