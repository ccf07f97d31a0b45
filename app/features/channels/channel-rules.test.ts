import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import {
  insertBlogPost,
  insertDeal,
  insertDeals,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { addChannel, changeChannel, deleteChannel } from './change-channel.server.ts';
import { channelInput } from './channel-input.ts';
import { findChannel } from './channel-queries.server.ts';
import { openChannelSettings } from './channel-settings.server.ts';
import { findTemplateProblem, usualTemplate } from './channel-template.ts';
import { planChannelPosts } from './plan-channel-posts-job.server.ts';
import { secondsOfQuiet } from './quiet-hours.ts';
import { sendChannelPosts } from './send-channel-posts.server.ts';

const database = useTestDatabase();
const standIn = useChannelStandIn();

const day = 86_400_000;
const services = (now = new Date()) => ({ ...testServices(database), now: () => now });
const worker = { fetch: { allowPrivate: true }, random: () => 0.5 };
const plan = (now?: Date) => planChannelPosts(services(now));
const posts = () => database.db.selectFrom('channel_posts').selectAll().orderBy('id').execute();
const change = (id: number, set: Record<string, unknown>) =>
  database.db.updateTable('deals').set(set).where('id', '=', id).execute();
/** Sends everything that is queued, without pauses. */
async function sendAll() {
  for (let claimed = 1; claimed > 0;) {
    await sql`update channels set next_at = now()`.execute(database.db);
    claimed = await sendChannelPosts(services(), worker);
  }
}
const add = (more: object = {}) =>
  insertChannel(database.db, { settings: standIn().settings.webhook, ...more });
const texts = () => standIn().shown.map(({ text }) => text);

describe('rules', () => {
  test('posts a low that the log proves, once for each price', async () => {
    await add({ events: ['low'] });
    const since = new Date(Date.now() - 40 * day);
    const old = await insertDeal(database.db, { sale_price: 5_000, price_since: since });
    const young = await insertDeal(database.db, { sale_price: 5_000 });
    await change(old.id, { sale_price: 4_000 });
    await change(young.id, { sale_price: 4_000 });
    await plan();
    expect(await posts()).toMatchObject([{ event: 'low', deal_id: old.id }]);
    await sendAll();
    expect(texts()[0]).toContain('Usually $50');
    await change(old.id, { sale_price: 4_500 });
    await change(old.id, { sale_price: 4_000 });
    await sql`update channel_posts set created_at = now() - interval '2 days'`.execute(database.db);
    await plan();
    expect(await posts()).toHaveLength(1);
  });

  test('posts the best of an import of 10,000 deals, up to the daily limit', async () => {
    await add({ posts_a_day: 3, least_percent: 10 });
    await writeSiteSetting(database.db, 'priceClaims', 'claimed', 'x');
    const ids = [
      ...(await insertDeals(database.db, 5_000)),
      ...(await insertDeals(database.db, 5_000)),
    ];
    const best = ids.slice(-3);
    await sql`update deals set original_price = 50000 where id = any(${best})`.execute(database.db);
    await sql`update deals set original_price = null where id = ${ids[0]}`.execute(database.db);
    await plan();
    expect((await posts()).map(({ deal_id }) => deal_id)).toEqual(best);
    await insertDeal(database.db);
    await plan();
    expect(await posts()).toHaveLength(3);
    await sql`update channel_posts set created_at = now() - interval '2 days'`.execute(database.db);
    await insertDeal(database.db, { sale_price: 1_000, original_price: 9_000 });
    await plan();
    expect(await posts()).toHaveLength(4);
  });

  test('posts only deals of its category and merchant, and none of the demo shop', async () => {
    const mine = await insertDeal(database.db);
    await add({ category_id: mine.category_id, merchant_id: mine.merchant_id });
    await insertDeal(database.db, { category_id: mine.category_id });
    const { category_id, merchant_id } = mine;
    const one = await insertDeal(database.db, { category_id, merchant_id });
    await insertDeal(database.db, { category_id, merchant_id, is_demo: true });
    await plan();
    expect((await posts()).map(({ deal_id }) => deal_id)).toEqual([one.id]);
  });

  test('posts blog posts that appear while the channel is on', async () => {
    await insertBlogPost(database.db, { is_published: true, published_at: new Date('2026-01-01') });
    await add({ events: ['post'] });
    await sql`update channels set active_since = now() - interval '1 hour'`.execute(database.db);
    const { slug } = await insertBlogPost(database.db, {
      is_published: true,
      published_at: new Date(Date.now() - 1_000),
    });
    await plan();
    await plan();
    await sendAll();
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(`/blog/${slug}`);
  });

  test.each([
    ['ended', { expires_at: new Date('2026-01-01') }],
    ['was hidden', { is_active: false }],
    ['sold out', { availability: 'out_of_stock' }],
  ])('does not post a deal that %s before its post was sent', async (_, set) => {
    await add();
    const { id } = await insertDeal(database.db);
    await plan();
    await change(id, set);
    await sendAll();
    expect(texts()).toEqual([]);
    expect(await posts()).toMatchObject([{ state: 'cancelled' }]);
  });

  test.each([{ keep_history: false }, { hide_price_after_hours: 24 }])(
    'posts neither price nor verdict of a store with %j',
    async (rule) => {
      await add();
      const merchant = await insertMerchant(database.db, { name: 'Oakhaft', ...rule });
      await insertDeal(database.db, { merchant_id: merchant.id, sale_price: 1_999 });
      await plan();
      await sendAll();
      expect(texts()[0]).toContain('See price at Oakhaft.\n');
      expect(JSON.stringify(standIn().asked.map(({ json }) => json))).not.toMatch(/19\.99|\$/);
    },
  );

  test('posts prices in the currency of the site', async () => {
    await writeSiteSetting(database.db, 'currency', 'JPY', 'x');
    await add();
    await insertDeal(database.db, { sale_price: 3_900, original_price: null, currency: 'JPY' });
    await plan();
    await sendAll();
    expect(texts()[0]).toContain('¥3,900 at ');
  });

  test('waits while maintenance mode keeps visitors out', async () => {
    await add();
    await insertDeal(database.db);
    const closed = { ...defaultMaintenance, enabled: true };
    await writeSiteSetting(database.db, 'maintenance', closed, 'x');
    await plan();
    expect(await posts()).toEqual([]);
    await writeSiteSetting(database.db, 'maintenance', defaultMaintenance, 'x');
    await plan();
    await writeSiteSetting(database.db, 'maintenance', closed, 'x');
    await sendAll();
    expect(texts()).toEqual([]);
    await writeSiteSetting(database.db, 'maintenance', defaultMaintenance, 'x');
    await sendAll();
    expect(texts()).toHaveLength(1);
  });

  test('does not store news without a channel', async () => {
    await insertDeal(database.db);
    expect(await database.db.selectFrom('channel_news').selectAll().execute()).toEqual([]);
  });
});

describe('quiet hours', () => {
  test.each([
    [22, 7, '2026-11-29T21:59:00Z', 0],
    [22, 7, '2026-11-29T22:00:00Z', 9 * 3600],
    [22, 7, '2026-11-30T06:30:00Z', 1_800],
    [9, 12, '2026-11-29T10:15:00Z', 6_300],
    [9, 12, '2026-11-29T12:00:00Z', 0],
    [null, null, '2026-11-29T12:00:00Z', 0],
  ])(
    'counts quiet hours from %j to %j at %s as %j seconds',
    (quiet_from, quiet_to, now, seconds) => {
      expect(secondsOfQuiet({ quiet_from, quiet_to }, new Date(now), 'UTC')).toBe(seconds);
    },
  );

  test('delays posts, but not edits, until quiet hours end in the site’s time zone', async () => {
    await writeSiteSetting(database.db, 'timeZone', 'Asia/Tokyo', 'x');
    await add({ quiet_from: 22, quiet_to: 7 });
    const { id } = await insertDeal(database.db);
    const night = new Date('2026-11-29T14:00:00Z');
    await plan(night);
    const [post] = await posts();
    const waits = ((post?.due_at.getTime() ?? 0) - Date.now()) / 1_000;
    expect(waits).toBeGreaterThan(8 * 3600 - 60);
    await sql`update channel_posts set due_at = now()`.execute(database.db);
    await sendChannelPosts(services(night), worker);
    expect(texts()).toEqual([]);
    await sql`update channel_posts set due_at = now()`.execute(database.db);
    await sendChannelPosts(services(new Date('2026-11-30T01:00:00Z')), worker);
    expect(texts()).toHaveLength(1);
    await change(id, { expires_at: new Date('2026-01-01') });
    await plan(night);
    await sql`update channels set next_at = now()`.execute(database.db);
    await sendChannelPosts(services(night), worker);
    expect(standIn().shown[0]?.edits).toBe(1);
  });
});

test('waits the required time between requests, even of several processes', async () => {
  await add();
  await insertDeals(database.db, 5);
  await plan();
  await Promise.all(Array.from({ length: 6 }, () => sendChannelPosts(services(), worker)));
  expect(texts()).toHaveLength(1);
});

test('turns a channel off after five days of failures, and emails staff', async () => {
  await insertUser(database.db, { role: 'admin', email_verified: true });
  const id = await add();
  await insertDeals(database.db, 2);
  await plan();
  await sql`update channels set failing_since = now() - interval '6 days'`.execute(database.db);
  standIn().faults.push({ status: 401 });
  await sendChannelPosts(services(), worker);
  expect(await findChannel(database.db, id)).toMatchObject({ is_active: false, failures: 1 });
  expect((await posts()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  const mails = await database.db.selectFrom('mail_outbox').select('kind').execute();
  expect(mails).toEqual([{ kind: 'channel-switched-off' }]);
});

test('keeps secrets out of the page, the table and the audit log', async () => {
  const { id: actor } = await insertUser(database.db, { role: 'admin' });
  const rules = channelInput('telegram', false).parse({
    name: 'Mine',
    events: ['low'],
    least_percent: '0',
    posts_a_day: '5',
    template: usualTemplate,
    'setting.token': '123:ABC-secret',
    'setting.chat': '@deals',
  });
  expect(rules).toMatchObject({ 'setting.token': '123:ABC-secret' });
  const { name, events, least_percent, posts_a_day, template } = rules;
  const given = { name, events, least_percent, posts_a_day, template, is_active: true };
  const own = { ...given, category_id: null, merchant_id: null, quiet_from: null, quiet_to: null };
  const settings = { token: '123:ABC-secret', chat: '@deals' };
  const id =
    (await addChannel(database.db, { actor, kind: 'telegram', rules: own, settings })) ?? 0;
  expect((await findChannel(database.db, id))?.settings).toEqual({ chat: '@deals' });
  const moved = { token: '', chat: '@more' };
  await changeChannel(database.db, { actor, id, rules: own, settings: moved });
  const kept = await findChannel(database.db, id);
  expect(kept?.settings).toEqual({ chat: '@more' });
  const sealed = await database.db.selectFrom('channels').select('settings').execute();
  expect(sealed[0]?.settings.toString()).not.toContain('ABC-secret');
  const opened = await openChannelSettings(database.db, id, sealed[0]?.settings ?? Buffer.of());
  expect(opened).toEqual({ token: '123:ABC-secret', chat: '@more' });
  await deleteChannel(database.db, { actor, id });
  const log = await sql`select before, after, names from audit_log`.execute(database.db);
  expect(log.rows).toHaveLength(3);
  expect(JSON.stringify(log.rows)).not.toContain('ABC-secret');
});

test.each([
  ['{title} {link} {disclosure}', null],
  ['{titel} {link}', '{titel} is unknown'],
  ['{title} {link', 'A brace is unmatched'],
  ['{title} {link}', 'Add {disclosure}'],
  ['', 'Add {title}'],
])('reports the problem of the template %j', (template, problem) => {
  expect(findTemplateProblem(template) ?? '').toContain(problem ?? '');
  expect(findTemplateProblem(template) === null).toBe(problem === null);
});
