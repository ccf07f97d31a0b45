import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveSubscription } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { addWebhookEndpoint } from '#app/features/webhooks/change-webhook-endpoint.server.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { pushReceiver } from '#test/push-stand-in.ts';

// Tests the other outboxes like `kill-mail-worker.test.ts` tests emails.

const database = useTestDatabase();
const workers = useMailWorkers(database, 'send-outboxes-until-killed.ts');
const count = 5;

/** The receiver does not respond while `isSilent`, so that the waiting worker can be killed. */
let isSilent = true;
const arrivals: string[] = [];
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    arrivals.push(String(request.headers['webhook-id'] ?? request.url));
    receiver.emit('arrival');
    if (!isSilent) response.writeHead(204).end();
  });
});
let port = 0;
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  port = (receiver.address() as AddressInfo).port;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

async function queueWebhooks(): Promise<void> {
  const { id: actor } = await insertUser(database.db, { role: 'admin', email_verified: true });
  const url = `http://127.0.0.1:${port}/hooks`;
  await addWebhookEndpoint(database.db, { actor, url, events: ['deal.published'] });
  for (let n = 0; n < count; n++) await insertDeal(database.db);
}

async function queuePosts(): Promise<void> {
  const { id } = await insertDeal(database.db);
  for (let n = 0; n < count; n++) {
    const settings = { url: `http://127.0.0.1:${port}/channel-${n}` };
    await insertChannel(database.db, { settings });
  }
  await sql`
    insert into channel_posts (channel_id, key, event, deal_id) select id, 'new', 'new', ${id} from channels`.execute(
    database.db,
  );
}

async function queuePushes(): Promise<void> {
  const { db } = database;
  const { id: user_id } = await insertUser(db);
  for (let n = 0; n < count; n++) {
    const { keys } = pushReceiver();
    await saveSubscription(db, user_id, { endpoint: `https://push.example/${n}`, ...keys }, '');
  }
  const { id: deal_id } = await insertDeal(db, { sale_price: 10_000 });
  await db
    .insertInto('price_alerts')
    .values({ user_id, deal_id, target_price: 9_000, target_percent: null })
    .execute();
  await db.updateTable('deals').set({ sale_price: 8_000 }).execute();
}

// Proves R08: one engine for what leaves
test.each([
  ['webhooks', 'webhook_deliveries', queueWebhooks],
  ['pushes', 'push_outbox', queuePushes],
  ['posts', 'channel_posts', queuePosts],
])(
  'R08: loses nothing and duplicates only what is in progress when the worker of %s is killed',
  async (_, table, queue) => {
    isSilent = true;
    arrivals.length = 0;
    await queue();
    const killed: string[] = [];
    for (let round = 0; round < count; round++) {
      const arrival = once(receiver, 'arrival');
      const worker = await workers.start(port);
      await arrival; // The receiver has the delivery, and the worker waits for the response.
      await workers.kill(worker);
      killed.push(arrivals.at(-1) ?? '');
    }
    isSilent = false;
    await workers.start(port);
    const states = async () => {
      const { rows } = await sql<{ state: string }>`select state from ${sql.table(table)}`.execute(
        database.db,
      );
      return rows.map(({ state }) => state);
    };
    const allSent = Array.from({ length: count }, () => 'sent');
    await expect.poll(states, { timeout: 20_000, interval: 100 }).toEqual(allSent);
    await workers.killAll();

    const times = (list: string[]) => Map.groupBy(list, (id) => id);
    const [came, cut] = [times(arrivals), times(killed)];
    expect(came.size).toBe(count);
    for (const [id, all] of came) {
      expect([id, all.length]).toEqual([id, 1 + (cut.get(id)?.length ?? 0)]);
    }
  },
);
