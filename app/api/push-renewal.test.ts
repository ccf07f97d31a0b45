import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { pushReceiver } from '#test/push-stand-in.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type Page, type TestVisitor, testVisitor } from '#test/visitor.ts';
import { saveSubscription } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { vapidKeys } from '#app/platform/push/vapid.server.ts';

const database = useTestDatabase();
const site = testSite(database);
let count = 0;

/** A browser's push endpoint, as in its `PushSubscription`. */
function subscription() {
  count += 1;
  return { endpoint: `https://push.example/renewed-${count}`, ...pushReceiver().keys };
}
type Subscription = ReturnType<typeof subscription>;

async function told(userId: string, userAgent = '') {
  const kept = subscription();
  await saveSubscription(database.db, userId, kept, userAgent);
  return kept;
}

function rows() {
  return database.db
    .selectFrom('push_subscriptions')
    .select(['user_id', 'endpoint', 'p256dh', 'auth'])
    .orderBy('id')
    .execute();
}

const newVisitor = () => testVisitor(site, `203.0.113.${(count += 1)}`);
const renew = (who: TestVisitor, fresh: Subscription, old?: { endpoint: string; auth: string }) =>
  who.send('/api/push-renewal', {
    ...fresh,
    old_endpoint: old?.endpoint ?? '',
    old_auth: old?.auth ?? '',
  });

describe('a browser with a changed push address', () => {
  test('notifies a browser at its new push endpoint after it sent the old one’s secrets, signed in or not', async () => {
    const { userId } = await signedInVisitor(database, site, 'user');
    const [old, fresh] = [await told(userId), subscription()];
    const answer = await renew(newVisitor(), fresh, old);
    expect([answer.status, answer.html]).toEqual([200, '']);
    expect(await rows()).toEqual([{ user_id: userId, ...fresh }]);
    expect((await renew(newVisitor(), subscription(), old)).status).toBe(404);
  });

  test('keeps the queued messages of a browser with a new push endpoint', async () => {
    const { userId } = await signedInVisitor(database, site, 'user');
    const old = await told(userId);
    const [before] = await ids();
    await renew(newVisitor(), subscription(), old);
    expect(await ids()).toEqual([before]);
  });

  test('R03: does not let anyone take over a browser by knowing its push endpoint alone', async () => {
    const { userId } = await signedInVisitor(database, site, 'user');
    const old = await told(userId);
    for (const auth of ['', subscription().auth]) {
      const answer = await renew(newVisitor(), subscription(), { ...old, auth });
      expect(answer.status).toBe(404);
    }
    expect(await rows()).toEqual([{ user_id: userId, ...old }]);
  });

  test('lists a renewed browser once, even if its page reported the new endpoint first', async () => {
    const { userId } = await signedInVisitor(database, site, 'user');
    const old = await told(userId);
    const fresh = await told(userId);
    expect((await renew(newVisitor(), fresh, old)).status).toBe(200);
    expect(await rows()).toEqual([{ user_id: userId, ...fresh }]);
  });

  test('replaces the signed-in user’s browser of the same name if its old endpoint expired', async () => {
    const visitor = await signedInVisitor(database, site, 'user');
    const other = await told(visitor.userId, 'Another Browser');
    await told(visitor.userId, ''); // Test requests have no browser name.
    const fresh = subscription();
    expect((await renew(visitor, fresh)).status).toBe(200);
    expect(await rows()).toEqual([
      { user_id: visitor.userId, ...other },
      { user_id: visitor.userId, ...fresh },
    ]);
  });

  test('sends a stopped browser no more notifications after a renewal', async () => {
    const visitor = await signedInVisitor(database, site, 'user');
    const stranger = await signedInVisitor(database, site, 'user');
    const theirs = await told(stranger.userId);
    await told(visitor.userId, 'Another Browser');
    expect((await renew(visitor, subscription())).status).toBe(404);
    expect((await renew(newVisitor(), subscription())).status).toBe(401);
    expect(await rows()).toContainEqual({ user_id: stranger.userId, ...theirs });
    expect(await rows()).toHaveLength(2);
  });

  test.each<[string, Partial<Subscription>]>([
    ['an address without TLS', { endpoint: 'http://push.example/a' }],
    ['no address', { endpoint: 'javascript:alert(1)' }],
    ['an invalid key', { p256dh: 'abc' }],
    ['an invalid secret', { auth: 'abc' }],
  ])('rejects a renewal with %s', async (_what, wrong) => {
    const { userId } = await signedInVisitor(database, site, 'user');
    const old = await told(userId);
    expect((await renew(newVisitor(), { ...subscription(), ...wrong }, old)).status).toBe(422);
    expect(await rows()).toEqual([{ user_id: userId, ...old }]);
  });

  test('R12: limits renewals to twenty an hour per IP address', async () => {
    const visitor = newVisitor();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await renew(visitor, subscription())).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
  });

  test('R19: returns the subscription key uncached', async () => {
    const page: Page = await newVisitor().open('/api/push-renewal');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    const { publicKey } = await vapidKeys(database.db);
    expect(JSON.parse(page.html)).toEqual({ publicKey });
  });

  async function ids(): Promise<number[]> {
    const found = await database.db.selectFrom('push_subscriptions').select('id').execute();
    return found.map(({ id }) => id);
  }
});

describe('the service worker', () => {
  /** Runs `public/sw.js` in a fake browser whose server responds with `status`. */
  function startWorker(status = 200) {
    const listeners = new Map<string, (event: object) => void>();
    const asked: { url: string; fields: Record<string, string> | null }[] = [];
    const subscribed: { applicationServerKey: unknown }[] = [];
    const ended: string[] = [];
    const pushManager = {
      present: null as object | null,
      getSubscription: async () => pushManager.present,
      subscribe: async (options: { applicationServerKey: unknown }) => {
        subscribed.push(options);
        return browserSubscription(subscription());
      },
    };
    function browserSubscription({ endpoint, p256dh, auth }: Subscription, key?: string) {
      return {
        endpoint,
        options: { applicationServerKey: key },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => void ended.push(endpoint),
      };
    }
    vm.runInNewContext(readFileSync(new URL('../../public/sw.js', import.meta.url), 'utf8'), {
      self: {
        addEventListener: (kind: string, listener: (event: object) => void) =>
          listeners.set(kind, listener),
        registration: { pushManager },
      },
      URLSearchParams,
      fetch: async (url: string, init?: { body: URLSearchParams }) => {
        asked.push({ url, fields: init ? Object.fromEntries(init.body) : null });
        return {
          status: init ? status : 200,
          json: async () => ({ publicKey: 'key-of-the-site' }),
        };
      },
    });
    async function change(event: object) {
      let work: Promise<unknown> | undefined;
      const waitUntil = (promise: Promise<unknown>) => (work = promise);
      listeners.get('pushsubscriptionchange')?.({ ...event, waitUntil });
      await work;
    }
    return { change, asked, subscribed, ended, pushManager, browserSubscription };
  }

  // Proves P25: a push address that changed (sw.js, push-renewal-route.ts)
  test('sends a renewed push subscription to the site with the secrets of the old one', async () => {
    const worker = startWorker();
    const [old, fresh] = [subscription(), subscription()];
    await worker.change({
      oldSubscription: worker.browserSubscription(old),
      newSubscription: worker.browserSubscription(fresh),
    });
    expect(worker.asked).toEqual([
      {
        url: '/api/push-renewal',
        fields: { ...fresh, old_endpoint: old.endpoint, old_auth: old.auth },
      },
    ]);
    expect([worker.subscribed, worker.ended]).toEqual([[], []]);
  });

  test('resubscribes with the stored key when the push subscription has expired', async () => {
    const worker = startWorker();
    const old = worker.browserSubscription(subscription(), 'key-it-had');
    await worker.change({ oldSubscription: old, newSubscription: null });
    expect(worker.subscribed).toEqual([
      { userVisibleOnly: true, applicationServerKey: 'key-it-had' },
    ]);
    expect(worker.asked[0]?.fields).toMatchObject({ old_endpoint: old.endpoint });
  });

  test('fetches the key from the site when the browser reports nothing', async () => {
    const worker = startWorker();
    await worker.change({});
    expect(worker.subscribed).toMatchObject([{ applicationServerKey: 'key-of-the-site' }]);
    expect(worker.asked.map(({ fields }) => fields?.['old_endpoint'])).toEqual([undefined, '']);
  });

  test('uses the existing push subscription', async () => {
    const worker = startWorker();
    const there = subscription();
    worker.pushManager.present = worker.browserSubscription(there);
    await worker.change({});
    expect(worker.subscribed).toEqual([]);
    expect(worker.asked[0]?.fields).toMatchObject(there);
  });

  test.each([
    [401, 1],
    [404, 1],
    [200, 0],
    [422, 0],
    [429, 0],
    [503, 0],
  ])('handles the response %d to a renewal by ending %d subscriptions', async (status, howMany) => {
    const worker = startWorker(status);
    await worker.change({ newSubscription: worker.browserSubscription(subscription()) });
    expect(worker.ended).toHaveLength(howMany);
  });
});
