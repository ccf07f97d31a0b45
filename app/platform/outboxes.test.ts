import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveSubscription } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { sendDuePushes } from '#app/features/price-alerts/send-due-pushes.server.ts';
import { addWebhookEndpoint } from '#app/features/webhooks/change-webhook-endpoint.server.ts';
import { pushes } from '#app/pushes.server.ts';
import { sendAlertMessages } from '#app/features/alert-channels/send-alert-messages.server.ts';
import { sendChannelPosts } from '#app/features/channels/send-channel-posts.server.ts';
import { sendDueWebhooks } from '#app/features/webhooks/send-due-webhooks.server.ts';
import type { OutboxWorker } from '#app/platform/deliver-outbox.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import type { Db } from '#database/connect.ts';
import { insertAlertChannel } from '#test/factories/insert-alert-channel.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { plainMailKinds, plainMailSite } from '#test/fixtures/plain-mail-kinds.ts';
import { pushReceiver } from '#test/push-stand-in.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';

// Tests the outbox worker for everything it sends: emails, webhooks, pushes, posts and messages.
// Each kind has separate tests of its content and recipients.

const database = useTestDatabase();

/** The receiver's response to each delivery. If true, the delivery is accepted. */
let receive: () => Promise<boolean> = async () => true;
const receiver = createServer((request, response) => {
  request.resume().on('end', async () => {
    response.writeHead((await receive()) ? 204 : 503).end();
  });
});
let origin = '';
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  receive = async () => true;
});

type Worker = OutboxWorker & { db?: Db; readSite?(): Promise<never> };

interface Way {
  table: 'mail_outbox' | 'webhook_deliveries' | 'push_outbox' | 'channel_posts' | 'alert_messages';
  /** The column with the time from which the hours of retries are counted. */
  since: 'trying_since' | 'created_at';
  hours: number;
  firstPause: number;
  atOnce: number;
  /** Queues this many due rows. */
  queue(count: number): Promise<void>;
  deliver(worker?: Worker): Promise<number>;
}

const withDb = (db: Db = database.db) => ({ ...testServices(database), db });

const ways: Record<string, Way> = {
  mails: {
    table: 'mail_outbox',
    since: 'trying_since',
    hours: 48,
    firstPause: 60,
    atOnce: 5,
    async queue(count) {
      for (let n = 0; n < count; n++) {
        const props = { subject: 'Hello', text: 'Hello' };
        const to = `reader${n}@reader.example`;
        await queueMail(database.db, { key: `mail-${n}`, kind: 'plain', to, props });
      }
    },
    deliver: ({ db, ...worker } = {}) =>
      sendDueMails(withDb(db), {
        kinds: plainMailKinds,
        readSite: async () => plainMailSite(origin),
        transport: {
          description: 'a test',
          close() {},
          deliver: async () =>
            (await receive())
              ? { outcome: 'sent', words: '250 ok' }
              : { outcome: 'later', words: '451 later', isUncertain: false },
        },
        random: () => 0.5,
        ...worker,
      }),
  },
  webhooks: {
    table: 'webhook_deliveries',
    since: 'trying_since',
    hours: 48,
    firstPause: 30,
    atOnce: 40,
    async queue(count) {
      const { id: actor } = await insertUser(database.db, { role: 'admin', email_verified: true });
      const events = ['deal.published' as const];
      // A batch contains at most ten deliveries per endpoint.
      for (let n = 0; n < count; n += 10) {
        await addWebhookEndpoint(database.db, { actor, url: `${origin}/${n}`, events });
      }
      await sql`
        insert into webhook_deliveries (endpoint_id, event)
          select id, 'deal.published' from webhook_endpoints, generate_series(1, 10) limit ${count}`.execute(
        database.db,
      );
    },
    deliver: ({ db, ...worker } = {}) =>
      sendDueWebhooks(withDb(db), {
        fetch: { allowPrivate: true, timeoutMs: 60_000 },
        random: () => 0.5,
        ...worker,
      }),
  },
  pushes: {
    table: 'push_outbox',
    since: 'created_at',
    hours: 24,
    firstPause: 60,
    atOnce: 5,
    async queue(count) {
      const { db } = database;
      const user = await insertUser(db);
      const keys = pushReceiver().keys;
      await saveSubscription(db, user.id, { endpoint: 'https://push.example/', ...keys }, '');
      const deal = await insertDeal(db, { sale_price: 10_000 });
      await db
        .insertInto('price_alerts')
        .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
        .execute();
      await db.updateTable('deals').set({ sale_price: 8_000 }).execute();
      await sql`
        insert into push_outbox (key, subscription_id, event_id)
          select n::text, subscription_id, event_id from push_outbox, generate_series(2, ${count}::int) n`.execute(
        db,
      );
    },
    deliver: ({ db, ...worker } = {}) =>
      sendDuePushes(withDb(db), {
        kinds: pushes,
        post: async () => ({ status: (await receive()) ? 201 : 503, retryAfterSeconds: null }),
        site: { currency: 'USD', contactEmail: 'hello@deals.test', origin: testOrigin },
        random: () => 0.5,
        ...worker,
      }),
  },
  channels: {
    table: 'channel_posts',
    since: 'trying_since',
    hours: 24,
    firstPause: 30,
    atOnce: 10,
    async queue(count) {
      const { id } = await insertDeal(database.db);
      // A channel sends one post at a time.
      for (let n = 0; n < count; n++) {
        await insertChannel(database.db, { settings: { url: `${origin}/${n}` } });
      }
      await sql`
        insert into channel_posts (channel_id, key, event, deal_id) select id, 'new', 'new', ${id} from channels`.execute(
        database.db,
      );
    },
    async deliver({ db, ...worker } = {}) {
      // Lets every channel send now, so that only the outbox worker limits deliveries.
      await sql`update channels set next_at = now()`.execute(database.db);
      // A post that is queued again would be an edit, which requires a different text.
      await sql`update channel_posts set posted_at = null where lease_owner is null`.execute(
        database.db,
      );
      return sendChannelPosts(withDb(db), {
        fetch: { allowPrivate: true, timeoutMs: 60_000 },
        random: () => 0.5,
        ...worker,
      });
    },
  },
  'alert messages': {
    table: 'alert_messages',
    since: 'trying_since',
    hours: 24,
    firstPause: 30,
    atOnce: 10,
    async queue(count) {
      const user = await insertUser(database.db, { email_verified: true });
      // A channel gets one message at a time.
      for (let n = 0; n < count; n++) {
        const settings = { server: `${origin}/${n}`, topic: 'deals' };
        await insertAlertChannel(database.db, user.id, 'ntfy', settings);
      }
      const deal = await insertDeal(database.db, { sale_price: 8_000 });
      await database.db
        .insertInto('price_alerts')
        .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
        .execute();
      await sql`
      insert into alert_messages (channel_id, mail_id, is_instead)
        select c.id, m.id, true from alert_channels c, mail_outbox m`.execute(database.db);
    },
    async deliver({ db, ...worker } = {}) {
      // Lets every channel send now, so that only the outbox worker limits deliveries.
      await sql`update alert_channels set next_at = now()`.execute(database.db);
      return sendAlertMessages(withDb(db), {
        fetch: { allowPrivate: true, timeoutMs: 60_000 },
        random: () => 0.5,
        ...worker,
      });
    },
  },
};

interface Row {
  state: string;
  attempts: number;
  lease_owner: string | null;
  lease_until: Date | null;
  due_in: number;
}

// Proves R52: time (deliver-outbox.server.ts)
describe.each(Object.entries(ways))('%s', (_, way) => {
  // R52: the clock of this process is a day ahead, which must not matter.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 }));
  afterEach(() => void vi.useRealTimers());

  const { queue, deliver } = way;
  const table = sql.table(way.table);
  const rows = async () => {
    const { rows: found } = await sql<Row>`
      select state, attempts, lease_owner, lease_until, extract(epoch from due_at - now())::float8 as due_in
        from ${table} order by id`.execute(database.db);
    return found;
  };
  const set = (change: ReturnType<typeof sql>) =>
    sql`update ${table} set ${change}`.execute(database.db);

  /** Returns a database on which the first `times` statements with this text fail. */
  function failingAt(words: string, times = Infinity): Db {
    let tries = 0;
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes(words) && ++tries <= times) {
          throw new Error('the connection dropped');
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    return database.db.withPlugin(plugin);
  }

  test('sends each row once from any process, and not more rows at once than allowed', async () => {
    await queue(60);
    let [arrived, now, most] = [0, 0, 0];
    receive = async () => {
      arrived += 1;
      most = Math.max(most, ++now);
      await sleep(5);
      now -= 1;
      return true;
    };
    expect(await deliver({ limits: { atOnce: 3 } })).toBe(60);
    expect([arrived, most]).toEqual([60, 3]);
    await set(sql`state = 'queued'`);
    const claimed = await Promise.all([deliver(), deliver(), deliver()]);
    expect(claimed[0] + claimed[1] + claimed[2]).toBe(60);
    expect(arrived).toBe(120);
    expect(most).toBeLessThanOrEqual(3 * way.atOnce);
    expect((await rows()).every((row) => row.state === 'sent' && row.lease_owner === null)).toBe(
      true,
    );
  });

  test('R08: leases rows for a minute, and renews the lease while one is sent', async () => {
    await queue(1);
    const until = async () => (await rows())[0]?.lease_until?.getTime() ?? 0;
    const held: number[] = [];
    receive = async () => {
      const { rows: lasts } = await sql<{ seconds: number }>`
        select extract(epoch from lease_until - now())::float8 as seconds from ${table}`.execute(
        database.db,
      );
      held.push(lasts[0]?.seconds ?? 0);
      return true;
    };
    await deliver();
    expect(held[0]).toBeGreaterThan(50);
    expect(held[0]).toBeLessThanOrEqual(60);

    await set(sql`state = 'queued'`);
    let renewed = 0;
    receive = async () => {
      const first = await until();
      await expect.poll(until).toBeGreaterThan(first);
      renewed = (await until()) - first;
      return true;
    };
    await deliver({ limits: { leaseSeconds: 6 } });
    expect(renewed).toBeGreaterThan(0);
    expect((await rows())[0]).toMatchObject({ state: 'sent', lease_until: null });
  });

  // Proves R08: one engine for what leaves (deliver-outbox.server.ts)
  test('R08: takes rows over from a dead process only once its lease expires', async () => {
    await queue(1);
    await set(sql`lease_owner = 'dead', lease_until = now() + interval '30 seconds', attempts = 1`);
    expect(await deliver()).toBe(0);
    await set(sql`lease_until = now() - interval '1 second'`);
    expect(await deliver()).toBe(1);
    expect((await rows())[0]).toMatchObject({ state: 'sent', attempts: 2, lease_owner: null });
  });

  test('abandons rows before their lease expires if it cannot be renewed, and returns the rest untried', async () => {
    await queue(3);
    let begun = 0;
    receive = async () => {
      begun += 1;
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      // The update leaves nothing due after this batch. Until it commits, every renewal waits for
      // its locks.
      await holder.query(`begin; update ${way.table} set due_at = now() + interval '1 hour'`);
      await sleep(2_500);
      await holder.query('commit');
      await holder.end();
      return false;
    };
    await deliver({ limits: { leaseSeconds: 1, atOnce: 1, batch: 3 } });
    expect(begun).toBe(1);
    expect((await rows()).slice(1)).toMatchObject([
      { state: 'queued', attempts: 0, lease_owner: null },
      { state: 'queued', attempts: 0, lease_owner: null },
    ]);
  });

  test('does not store an outcome under a lease that another process took over', async () => {
    await queue(1);
    receive = async () => {
      await set(sql`lease_owner = 'other'`);
      return true;
    };
    await deliver();
    expect((await rows())[0]).toMatchObject({ state: 'queued', lease_owner: 'other' });
  });

  test('stores an outcome despite a short failure of the database', async () => {
    await queue(1);
    let arrived = 0;
    receive = async () => {
      arrived += 1;
      return true;
    };
    expect(await deliver({ db: failingAt('last_error = ', 2) })).toBe(1);
    expect(await deliver()).toBe(0);
    expect(arrived).toBe(1);
    expect((await rows())[0]).toMatchObject({ state: 'sent', lease_owner: null });
  });

  // Proves R38: graceful stop
  test('R38: finishes rows in progress when the process stops, and returns the rest untried', async () => {
    await queue(10);
    const stopping = new AbortController();
    receive = async () => {
      stopping.abort();
      return true;
    };
    await deliver({ signal: stopping.signal, limits: { atOnce: 1 } });
    const [first, ...others] = await rows();
    expect(first).toMatchObject({ attempts: 1, lease_owner: null });
    expect(
      others.map(({ state, attempts, lease_owner }) => [state, attempts, lease_owner]),
    ).toEqual(others.map(() => ['queued', 0, null]));
  });

  test('waits twice as long after each failure', async () => {
    await queue(1);
    receive = async () => false;
    for (const [attempts, pause] of [1, 2, 4, 8].entries()) {
      expect(await deliver()).toBe(1);
      const [row] = await rows();
      expect(row).toMatchObject({ state: 'queued', attempts: attempts + 1, lease_owner: null });
      expect(row?.due_in).toBeGreaterThan(way.firstPause * pause - 5);
      expect(row?.due_in).toBeLessThanOrEqual(way.firstPause * pause);
      expect(await deliver()).toBe(0);
      await set(sql`due_at = now()`);
      await database.db.updateTable('webhook_endpoints').set({ paused_until: null }).execute();
    }
  });

  test('retries rows for their number of hours, and no longer', async () => {
    await queue(1);
    receive = async () => false;
    const since = sql.ref(way.since);
    await set(sql`${since} = now() - make_interval(hours => ${way.hours}, mins => -1)`);
    await deliver();
    expect((await rows())[0]?.state).toBe('queued');
    await set(
      sql`due_at = now(), ${since} = now() - make_interval(hours => ${way.hours}, mins => 1)`,
    );
    await deliver();
    expect((await rows())[0]?.state).toBe('failed');
  });

  test("returns rows unchanged if the site's own settings or keys cannot be read", async () => {
    await queue(2);
    const db = failingAt(way.table === 'push_outbox' ? '"vapid"' : 'site_settings');
    const readSite = () => Promise.reject(new Error('the connection dropped'));
    await expect(deliver({ db, readSite })).rejects.toThrow('the connection dropped');
    expect((await rows()).map(({ attempts, lease_owner }) => [attempts, lease_owner])).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});

test('keeps the lease until all rows are finished if one of them throws', async () => {
  const { queue, deliver } = ways.webhooks ?? {};
  await queue?.(2);
  let count = 0;
  const faulted = Promise.withResolvers<void>();
  receive = async () => {
    if (++count === 1) return false;
    await faulted.promise;
    return true;
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('failures = failures + 1')) {
        faulted.resolve();
        throw new Error('a fault');
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = database.db.withPlugin(plugin);
  await expect(deliver?.({ db })).rejects.toThrow('a fault');
  const states = await database.db
    .selectFrom('webhook_deliveries')
    .select(['state', 'attempts', 'lease_owner'])
    .orderBy('state')
    .execute();
  expect(states).toEqual([
    { state: 'queued', attempts: 1, lease_owner: null },
    { state: 'sent', attempts: 1, lease_owner: null },
  ]);
});
