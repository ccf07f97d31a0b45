import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examineDiscovery } from '#app/features/desk/examine-discovery.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { useTestDatabase } from '#test/database.ts';
import { startDiscoveryStandIn } from '#test/discovery-stand-in.ts';
import { insertBlogPost, insertDeal, insertDeals, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { readDiscovery, restartDiscovery } from './discovery-state.server.ts';
import { type DiscoveryWorker, sendDiscovery } from './send-discovery-job.server.ts';

const database = useTestDatabase();
const origin = 'https://shop.deals.dev';
let standIn: Awaited<ReturnType<typeof startDiscoveryStandIn>>;
beforeAll(async () => {
  standIn = await startDiscoveryStandIn();
});
afterAll(() => standIn.stop());
beforeEach(() => {
  standIn.received.length = 0;
  standIn.answers.length = 0;
});

const services = (env: Record<string, string> = {}) =>
  testServices(database, { ORIGIN: origin, ...env });
const send = (worker: DiscoveryWorker = {}, env: Record<string, string> = {}) =>
  sendDiscovery(services(env), { fetch: { allowPrivate: true }, random: () => 0.5, ...worker });
async function turnOn(...names: ('indexNow' | 'hub')[]) {
  if (names.includes('indexNow')) {
    await writeSiteSetting(database.db, 'indexNowEndpoint', standIn.indexNow, 'test');
    await writeSiteSetting(database.db, 'indexNow', true, 'test');
  }
  if (names.includes('hub')) await writeSiteSetting(database.db, 'webSubHub', standIn.hub, 'test');
}
/** Ages every queued change and pause by this many minutes. */
const letPass = async (minutes: number) => {
  const past = sql`make_interval(mins => ${minutes})`;
  await sql`update discovery_queue set queued_at = queued_at - ${past}`.execute(database.db);
  await sql`update discovery_services set due_at = due_at - ${past}`.execute(database.db);
};
const queued = async () =>
  (
    await database.db
      .selectFrom('discovery_queue')
      .select(['service', 'path'])
      .orderBy('id')
      .execute()
  ).map(({ service, path }) => `${service} ${path}`);
const forget = () => database.db.deleteFrom('discovery_queue').execute();
const urlsOf = (index: number) =>
  (JSON.parse(standIn.received[index]?.body ?? '{}') as { urlList: string[] }).urlList;
const stateOf = async (name: 'indexnow' | 'websub') => {
  const { services: all } = await readDiscovery(services());
  return all.find((service) => service.name === name);
};
const change = (id: number, values: Record<string, unknown>) =>
  database.db.updateTable('deals').set(values).where('id', '=', id).execute();
const close = (enabled: boolean) =>
  writeSiteSetting(database.db, 'maintenance', { ...defaultMaintenance, enabled }, 'test');

describe('the queue', () => {
  test('queues nothing while IndexNow and WebSub are off', async () => {
    const { id } = await insertDeal(database.db);
    await change(id, { is_active: false });
    await insertBlogPost(database.db);
    expect(await queued()).toEqual([]);
  });

  test('queues the URLs of a deal that is published, ended, moved, deleted or restored', async () => {
    await turnOn('indexNow');
    const { id } = await insertDeal(database.db, { slug: 'lamp' });
    const taken = async () => {
      const paths = await queued();
      await forget();
      return paths.map((entry) => entry.replace('indexnow ', ''));
    };
    expect(await taken()).toEqual(['/deals/lamp']);
    await change(id, { expires_at: new Date(Date.now() - 1000) });
    await sql`update deals set is_expired = true where id = ${id}`.execute(database.db);
    expect([...new Set(await taken())]).toEqual(['/deals/lamp']);
    await change(id, { slug: 'desk-lamp' });
    expect(await taken()).toEqual(['/deals/desk-lamp', '/deals/lamp']);
    await sql`select * from delete_deals(array[${id}::bigint], gen_random_uuid(), 'test')`.execute(
      database.db,
    );
    expect(await taken()).toEqual(['/deals/desk-lamp']);
    await sql`select restore_deal(snapshot, 'desk-lamp') from deleted_deals`.execute(database.db);
    expect(await taken()).toEqual(['/deals/desk-lamp']);
    await change(id, { is_active: false });
    expect(await taken()).toEqual(['/deals/desk-lamp']);
  });

  test('queues neither inactive deals nor mere price changes', async () => {
    await turnOn('indexNow', 'hub');
    const { id } = await insertDeal(database.db, { is_active: false });
    await change(id, { slug: 'other', title: 'Other' });
    const live = await insertDeal(database.db, { slug: 'live' });
    await forget();
    await change(live.id, { sale_price: 2_900 });
    expect(await queued()).toEqual([]);
  });

  test('queues the feed of price drops once for all drops in one write', async () => {
    await turnOn('indexNow', 'hub');
    const forbidding = await insertMerchant(database.db, { keep_history: false });
    const { id } = await insertDeal(database.db, { merchant_id: forbidding.id });
    const ids = await insertDeals(database.db, 3);
    await forget();
    await change(id, { sale_price: 900 });
    await database.db.updateTable('deals').set({ is_featured: true }).execute();
    expect(await queued()).toEqual([]);
    await database.db
      .updateTable('deals')
      .set({ sale_price: 800 })
      .where('id', 'in', ids)
      .execute();
    expect(await queued()).toEqual([
      'websub /feeds/price-drops.json',
      'websub /feeds/price-drops.xml',
    ]);
  });

  test('queues a post that is published, edited, moved or deleted, with the blog’s feeds', async () => {
    await turnOn('indexNow', 'hub');
    const post = await insertBlogPost(database.db, { slug: 'draft', is_published: false });
    expect(await queued()).toEqual([]);
    const edit = async (values: Record<string, unknown>) => {
      await database.db.updateTable('blog_posts').set(values).where('id', '=', post.id).execute();
      const paths = await queued();
      await forget();
      return paths;
    };
    const feeds = ['websub /feeds/blog.json', 'websub /feeds/blog.xml'];
    expect(await edit({ is_published: true })).toEqual(['indexnow /blog/draft', ...feeds]);
    expect(await edit({ content: '<p>Longer</p>' })).toEqual(['indexnow /blog/draft', ...feeds]);
    expect(await edit({ is_featured: true })).toEqual([]);
    expect(await edit({ slug: 'guide' })).toEqual([
      'indexnow /blog/draft',
      'indexnow /blog/guide',
      ...feeds,
    ]);
    expect(await edit({ noindex: true })).toEqual(['indexnow /blog/guide', ...feeds]);
    expect(await edit({ content: '<p>Hidden</p>' })).toEqual([]);
    await edit({ noindex: false });
    await database.db.deleteFrom('blog_posts').execute();
    expect(await queued()).toEqual(['indexnow /blog/guide', ...feeds]);
  });

  test('queues an owner’s page that is added, hidden, shown or deleted', async () => {
    await turnOn('indexNow', 'hub');
    const page = { slug: 'shipping', title: 'Shipping', content: 'Free.' };
    await database.db.insertInto('site_pages').values(page).execute();
    await database.db.updateTable('site_pages').set({ is_visible: false }).execute();
    await database.db.updateTable('site_pages').set({ content: 'Not free.' }).execute();
    await database.db.updateTable('site_pages').set({ is_visible: true }).execute();
    await database.db.deleteFrom('site_pages').execute();
    expect(await queued()).toEqual(Array.from({ length: 4 }, () => 'indexnow /shipping'));
  });

  test('drops addresses that no service accepted within a week', async () => {
    await turnOn('indexNow');
    await insertDeal(database.db, { slug: 'old' });
    await letPass(8 * 24 * 60);
    await insertDeal(database.db, { slug: 'new' });
    await forgetOldRows(database.db, 'forget-old-deliveries');
    expect(await queued()).toEqual(['indexnow /deals/new']);
  });
});

describe('IndexNow', () => {
  test('sends each address to IndexNow once, with the key and the key’s address', async () => {
    await turnOn('indexNow');
    const { id } = await insertDeal(database.db, { slug: 'café-lampe' });
    await change(id, { is_active: false });
    await change(id, { is_active: true });
    await send();
    expect(standIn.received).toEqual([]);
    await letPass(4);
    await send();
    await send();
    expect(standIn.received).toHaveLength(1);
    const [{ path, type, body } = { path: '', type: '', body: '{}' }] = standIn.received;
    expect([path, type]).toEqual(['/indexnow', 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toEqual({
      host: 'shop.deals.dev',
      key: expect.stringMatching(/^[\da-f]{32}$/),
      keyLocation: `${origin}/indexnow-key.txt`,
      urlList: [`${origin}/deals/caf%C3%A9-lampe`],
    });
    expect(await queued()).toEqual([]);
    expect(await stateOf('indexnow')).toMatchObject({ sentCount: 1, lastError: null, waiting: 0 });
  });

  test('sends an import of 25,000 deals to IndexNow in three requests, a minute apart', async () => {
    await turnOn('indexNow');
    await sql`
      select queue_discovery(discovery_on(), (select array_agg('/deals/' || n || '-' || twice) from generate_series(1, 12500) n, generate_series(1, 2) twice), null)`.execute(
      database.db,
    );
    await letPass(4);
    for (let turn = 0; turn < 5; turn++) {
      await send();
      await send();
      await letPass(1);
    }
    expect(standIn.received.map((_, index) => urlsOf(index).length)).toEqual([
      10_000, 10_000, 5_000,
    ]);
    const all = standIn.received.flatMap((_, index) => urlsOf(index));
    expect(new Set(all).size).toBe(25_000);
  });

  test('sends each batch once when several processes run', async () => {
    await turnOn('indexNow', 'hub');
    await insertDeals(database.db, 3);
    await letPass(4);
    await Promise.all(Array.from({ length: 6 }, () => send()));
    expect(standIn.received.filter(({ path }) => path === '/indexnow')).toHaveLength(1);
    expect(standIn.received.filter(({ path }) => path === '/hub')).toHaveLength(2);
  });

  test('reads the settings only once for all services', async () => {
    await turnOn('indexNow', 'hub');
    await insertDeal(database.db);
    await letPass(4);
    let reads = 0;
    const db = database.db.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"site_settings"')) reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await sendDiscovery({ ...services(), db }, { fetch: { allowPrivate: true } });
    expect(standIn.received.map(({ path }) => path)).toEqual(['/indexnow', '/hub', '/hub']);
    expect(reads).toBe(1);
  });

  test('keeps a change that happens while its address is being sent', async () => {
    await turnOn('indexNow');
    const { id } = await insertDeal(database.db, { slug: 'lamp' });
    await letPass(4);
    standIn.answers.push({ status: 200, before: () => change(id, { is_active: false }) });
    await send();
    expect(await queued()).toEqual(['indexnow /deals/lamp']);
  });

  test.each([
    [403, 'it could not confirm the key (403)'],
    [422, 'the addresses do not belong to the key or the host (422)'],
  ])(
    'stops after status %i, notifies the owner, and restarts when the settings are saved',
    async (status, words) => {
      await turnOn('indexNow');
      await insertDeal(database.db);
      await letPass(4);
      standIn.answers.push({ status });
      await send();
      await letPass(24 * 60);
      await send();
      expect(standIn.received).toHaveLength(1);
      expect(await stateOf('indexnow')).toMatchObject({
        stoppedAt: expect.any(Date),
        lastError: expect.stringContaining(words),
        waiting: 1,
      });
      const check = await examineDiscovery(services());
      expect(check).toMatchObject({ state: 'problem', detail: expect.stringContaining(words) });
      await restartDiscovery(database.db);
      await send();
      expect(standIn.received).toHaveLength(2);
      expect(await stateOf('indexnow')).toMatchObject({ stoppedAt: null, waiting: 0 });
      expect(await examineDiscovery(services())).toMatchObject({ state: 'ok' });
    },
  );

  test('waits as long as a service asks after reporting too many requests', async () => {
    await turnOn('indexNow');
    await insertDeal(database.db);
    await letPass(4);
    standIn.answers.push({ status: 429, headers: { 'retry-after': '1800' } });
    await send();
    expect(await examineDiscovery(services())).toMatchObject({ state: 'warning' });
    await letPass(29);
    await send();
    expect(standIn.received).toHaveLength(1);
    await letPass(2);
    await send();
    expect(standIn.received).toHaveLength(2);
    expect(await stateOf('indexnow')).toMatchObject({ lastError: null, waiting: 0 });
  });

  test('doubles the pause for a service after each failure', async () => {
    await turnOn('indexNow');
    await insertDeal(database.db);
    await letPass(4);
    const pauses: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      standIn.answers.push({ status: 503 });
      await send();
      const { rows } = await sql<{ pause: number }>`
        select round(extract(epoch from due_at - now()) / 60)::int as pause from discovery_services`.execute(
        database.db,
      );
      pauses.push(rows[0]?.pause ?? 0);
      await letPass(rows[0]?.pause ?? 0);
      await letPass(1);
    }
    expect(pauses).toEqual([1, 2, 4, 8]);
  });

  test('refuses to connect to a private address', async () => {
    await turnOn('indexNow');
    await insertDeal(database.db);
    await letPass(4);
    await send({ fetch: {} });
    expect(standIn.received).toEqual([]);
    expect((await stateOf('indexnow'))?.lastError).toMatch(/port \d+ is not allowed/);
  });

  test('empties the queue of a service that is turned off', async () => {
    await turnOn('indexNow');
    await insertDeal(database.db);
    await letPass(4);
    await writeSiteSetting(database.db, 'indexNow', false, 'test');
    await send();
    expect([standIn.received, await queued()]).toEqual([[], []]);
  });
});

describe('WebSub', () => {
  test('publishes the feeds of deals once for many changes', async () => {
    await turnOn('hub');
    await insertDeal(database.db);
    await insertDeal(database.db);
    await letPass(4);
    await send();
    expect(
      standIn.received.map(({ path, type, body }) => [
        path,
        type,
        Object.fromEntries(new URLSearchParams(body)),
      ]),
    ).toEqual(
      ['json', 'xml'].map((ending) => [
        '/hub',
        'application/x-www-form-urlencoded',
        { 'hub.mode': 'publish', 'hub.url': `${origin}/feeds/deals.${ending}` },
      ]),
    );
    expect(await stateOf('websub')).toMatchObject({ sentCount: 2, waiting: 0 });
    expect(await stateOf('indexnow')).toMatchObject({ isOn: false, sentAt: null });
  });
});

describe('a site that is not public', () => {
  test('notifies no service in maintenance mode, shows the reason, and notifies afterward', async () => {
    await turnOn('indexNow', 'hub');
    await insertDeal(database.db);
    await close(true);
    await letPass(4);
    await send();
    expect(standIn.received).toEqual([]);
    const { unlisted } = await readDiscovery(services());
    expect(unlisted).toBe('Maintenance mode keeps visitors out.');
    expect((await examineDiscovery(services())).detail).toBe(
      'IndexNow and WebSub wait. Maintenance mode keeps visitors out.',
    );
    await close(false);
    await letPass(2);
    await send();
    expect(standIn.received).toHaveLength(3);
  });

  test.each(['http://localhost:3000', 'http://192.168.1.7', 'http://deals.test', 'http://nas'])(
    'sends nothing from %s',
    async (ORIGIN) => {
      await turnOn('indexNow');
      await insertDeal(database.db);
      await letPass(4);
      await send({}, { ORIGIN });
      expect(standIn.received).toEqual([]);
      expect((await readDiscovery(services({ ORIGIN }))).unlisted).toContain('is not public');
    },
  );
});
