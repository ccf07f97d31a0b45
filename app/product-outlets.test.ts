import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { planChannelPosts } from '#app/features/channels/plan-channel-posts-job.server.ts';
import { sendChannelPosts } from '#app/features/channels/send-channel-posts.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { dealExportHeadings, exportDeals } from '#app/features/deals/export-deals.server.ts';
import { newsletterMails } from '#app/features/newsletter/newsletter-mails.server.ts';
import { writeDigest } from '#app/features/newsletter/write-digest.server.ts';
import { writeNewsletter } from '#app/features/newsletter/write-newsletter.server.ts';
import { alertMails } from '#app/features/price-alerts/alert-mails.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { writeWebhook } from '#app/features/webhooks/write-webhook.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertDeal, insertMerchant, insertProduct, insertUser } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';

// A deal at one store, whose product two other stores sell. One of them wants old prices hidden.

const database = useTestDatabase();
const standIn = useChannelStandIn();
const site = testSite(database);
const services = () => testServices(database);
const mailSite = () => readMailSite(database.db, services().env);
const gtin = '4006381333931';
const kept = 'Also at 1 other store, from $75.00 incl. shipping';

let product: number;
let lamp: number;

async function addOffer(sale_price: number, store: object = {}, deal: object = {}) {
  const { id: merchant_id } = await insertMerchant(database.db, store);
  const place = { merchant_id, product_id: product, gtin };
  return (await insertDeal(database.db, { sale_price, ...place, ...deal })).id;
}

const addDeals = async () => {
  await addOffer(6_000, { standard_shipping: 500, hide_price_after_hours: 24 });
  await addOffer(7_000, { standard_shipping: 500 });
  // Lists show only the newest deal of a product.
  lamp = await addOffer(8_000, {}, { slug: 'lamp', title: 'Arched lamp' });
};

beforeEach(async () => {
  ({ id: product } = await insertProduct(database.db, { slug: 'lamp-of-all', gtin }));
});

describe('a deal whose product other stores sell', () => {
  test.each(['/feeds/deals.json', '/feeds/deals.xml'])(
    'names the other stores in %s',
    async (path) => {
      await addDeals();
      const feed = await (await site.request(path)).text();
      expect(feed).toContain(kept);
      expect(feed).not.toContain('$65');
    },
  );

  test('names the other stores in the weekly email', async () => {
    await addDeals();
    await writeSiteSetting(database.db, 'postalAddress', '1 Main St, Springfield', 'test');
    await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email: 'a@b.example' })
      .execute();
    await writeDigest(database.db, 'weekly', new Date('2026-11-30T09:30:00Z'));
    const [mail] = await database.db.selectFrom('mail_outbox').selectAll().execute();
    const { write } = newsletterMails['newsletter-digest'];
    const written = mail && (await write(database.db, mail, await mailSite(), 'send'));
    expect(written?.text).toContain(kept);
  });

  test('names the other stores in a newsletter', async () => {
    await addDeals();
    const newsletter = { id: 1, subject: '', preview: '', content: `<hr data-deal="${lamp}">` };
    const { letter } = await writeNewsletter(services(), newsletter, { isCounted: false });
    expect(letter.body).toContain(kept);
  });

  test.each(['price-alert', 'price-alert-digest'] as const)(
    'names the other stores in the email %s',
    async (kind) => {
      await addDeals();
      const { db } = database;
      const { id: user_id } = await insertUser(db);
      const alert = { user_id, deal_id: lamp, target_price: 7_900, target_percent: null };
      await db.insertInto('price_alerts').values(alert).execute();
      await db.updateTable('deals').set({ sale_price: 7_800 }).where('id', '=', lamp).execute();
      if (kind === 'price-alert-digest') {
        await sql`update price_alert_events set mail_state = 'digest', digest_day = '2026-11-30'`.execute(
          db,
        );
      }
      const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
      const payload =
        kind === 'price-alert' ? mail.payload : { userId: user_id, day: '2026-11-30' };
      const { write } = alertMails[kind];
      const written = await write(db, { ...mail, payload }, await mailSite(), 'send');
      expect(written?.text).toContain(kept);
    },
  );

  test('names the other stores in a webhook, with the price that may be shown now', async () => {
    await sql`
      insert into webhook_endpoints (url, events, secret)
        values ('https://hooks.example/', '{deal.price_changed}', '\\x00')`.execute(database.db);
    await addDeals();
    await database.db
      .updateTable('deals')
      .set({ sale_price: 7_800 })
      .where('id', '=', lamp)
      .execute();
    const delivery = await database.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .executeTakeFirstOrThrow();
    const facts = { origin: 'https://deals.example', currency: 'USD' };
    const body = await writeWebhook(database.db, delivery, facts, new Date());
    expect(JSON.parse(body ?? '{}').data.deal.product).toMatchObject({
      slug: 'lamp-of-all',
      other_stores: 2,
      from: { amount: 6_500, currency: 'USD' },
    });
  });
});

test('includes each deal’s product in an export', async () => {
  await addDeals();
  await insertDeal(database.db);
  const query = parseTableQuery(dealsTable, new URLSearchParams());
  const rows = await Array.fromAsync(exportDeals(database.db, query));
  const at = dealExportHeadings().indexOf('Product Slug');
  expect(rows.map((row) => row[at])).toEqual([...Array(3).fill('lamp-of-all'), null]);
});

describe('a channel', () => {
  const posts = () => database.db.selectFrom('channel_posts').selectAll().orderBy('id').execute();
  const pass = () => sql`update channel_posts set created_at = now() - interval '2 days'`;

  test('posts one deal of a product, with its other stores', async () => {
    await insertChannel(database.db, { settings: standIn().settings.webhook });
    await addDeals();
    await planChannelPosts(services());
    expect(await posts()).toHaveLength(1);
    await sendChannelPosts(services(), { fetch: { allowPrivate: true } });
    expect(standIn().shown.map(({ text }) => text)).toEqual([expect.stringContaining('Also at ')]);
  });

  test('posts another store of an already posted product only after a day', async () => {
    await insertChannel(database.db, { settings: standIn().settings.webhook });
    await addDeals();
    await planChannelPosts(services());
    await addOffer(5_000);
    const alone = await insertDeal(database.db);
    await planChannelPosts(services());
    expect((await posts()).slice(1)).toMatchObject([{ deal_id: alone.id }]);
    await pass().execute(database.db);
    const later = await addOffer(4_000);
    await planChannelPosts(services());
    expect((await posts()).slice(2)).toMatchObject([{ deal_id: later }]);
  });
});
