import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { useTestDatabase } from '#test/database.ts';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertBlogPost, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { changeChannel } from './change-channel.server.ts';
import type { ChannelKindName } from './channel-fields.ts';
import { openChannelSettings } from './channel-settings.server.ts';
import { fillTemplate, usualTemplate } from './channel-template.ts';
import { planChannelPosts } from './plan-channel-posts-job.server.ts';
import { secondsOfQuiet } from './quiet-hours.ts';
import { sendChannelPosts } from './send-channel-posts.server.ts';

// Tests changes of channels whose earlier posts stay in a chat.

const database = useTestDatabase();
const standIn = useChannelStandIn();
let actor: string;
beforeEach(async () => {
  ({ id: actor } = await insertUser(database.db, { role: 'admin' }));
});

const services = () => testServices(database);
const worker = { fetch: { allowPrivate: true }, random: () => 0.5 };
const run = async () => {
  await planChannelPosts(services());
  await sql`update channels set next_at = now()`.execute(database.db);
  await sendChannelPosts(services(), worker);
};
const posts = () => database.db.selectFrom('channel_posts').selectAll().orderBy('id').execute();
const change = (id: number, set: Record<string, unknown>) =>
  database.db.updateTable('deals').set(set).where('id', '=', id).execute();
const add = (kind: ChannelKindName, more: object = {}) =>
  insertChannel(database.db, { kind, settings: standIn().settings[kind], ...more });
const rules = {
  name: 'Mine',
  events: ['new'] as const,
  least_percent: 0,
  category_id: null,
  merchant_id: null,
  posts_a_day: 10,
  quiet_from: null,
  quiet_to: null,
  template: usualTemplate,
  is_active: true,
};
const save = (id: number, settings: Record<string, string>, more: object = {}) => {
  const next = { ...rules, events: [...rules.events], ...more };
  return changeChannel(database.db, { actor, id, rules: next, settings });
};
const settingsOf = async (id: number) => {
  const { settings } = await database.db
    .selectFrom('channels')
    .select('settings')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return openChannelSettings(database.db, id, settings);
};

test('never sends a stored token to another server', async () => {
  const id = await add('mastodon');
  const elsewhere = { server: 'https://evil.example', token: '' };
  expect(await save(id, elsewhere)).toBe('secret needed');
  expect(await settingsOf(id)).toEqual(standIn().settings.mastodon);
  expect(await save(id, { ...elsewhere, token: 'another' })).toBe('saved');
  expect(await settingsOf(id)).toEqual({ ...elsewhere, token: 'another' });
  const hook = await add('webhook');
  const samePlace = { url: `${standIn().settings.webhook.url}/more`, token: '' };
  expect(await save(hook, samePlace)).toBe('saved');
  expect(await settingsOf(hook)).toMatchObject({ token: 'the-secret-token' });
  expect(await save(hook, { url: 'https://evil.example/', token: '' })).toBe('saved');
  expect(await settingsOf(hook)).toEqual({ url: 'https://evil.example/', token: '' });
});

test('does not edit posts in the former chat after the chat was changed', async () => {
  const id = await add('matrix');
  const deal = await insertDeal(database.db);
  await run();
  const { server, room } = standIn().settings.matrix;
  await save(id, { server, room, token: 'the-secret-token' });
  await change(deal.id, { sale_price: 1_500 });
  await run();
  expect(standIn().shown[0]?.edits).toBe(1);
  await save(id, { server, room: '!other:test', token: '' });
  await change(deal.id, { sale_price: 1_400 });
  const before = standIn().asked.length;
  await run();
  expect(standIn().asked).toHaveLength(before);
});

test('edits a post once its channel is on again', async () => {
  const id = await add('webhook');
  const deal = await insertDeal(database.db);
  await run();
  await change(deal.id, { expires_at: new Date('2026-01-01') });
  await planChannelPosts(services());
  const settings = { url: standIn().settings.webhook.url, token: '' };
  await save(id, settings, { is_active: false });
  await save(id, settings);
  await run();
  expect(standIn().shown.map(({ text }) => text)).toEqual([expect.stringMatching(/^EXPIRED\n/)]);
});

test('removes prices from earlier posts when the store forbids price tracking', async () => {
  await add('webhook');
  const merchant = await insertMerchant(database.db);
  await insertDeal(database.db, { merchant_id: merchant.id, sale_price: 1_999 });
  await run();
  expect(standIn().shown[0]?.text).toContain('$19.99');
  await sql`update merchants set keep_history = false where id = ${merchant.id}`.execute(
    database.db,
  );
  await run();
  expect(standIn().shown).toMatchObject([{ edits: 1, picture: null }]);
  expect(standIn().shown[0]?.text).toContain('See price at');
  expect(standIn().asked.at(-1)?.json).toMatchObject({ price: null });
});

test('posts a blog post once, even after its row was deleted', async () => {
  await add('webhook', { events: ['post'], active_since: new Date('2026-01-01') });
  const post = await insertBlogPost(database.db, { is_published: true, published_at: new Date() });
  await run();
  expect(standIn().shown).toHaveLength(1);
  const longAgo = new Date(Date.now() - 91 * 86_400_000);
  await sql`update blog_posts set published_at = ${longAgo} where id = ${post.id}`.execute(
    database.db,
  );
  await sql`update channel_posts set created_at = ${longAgo}`.execute(database.db);
  await forgetOldRows(database.db, 'forget-old-deliveries');
  expect(await posts()).toEqual([]);
  await run();
  expect(standIn().shown).toHaveLength(1);
});

test('does not post earlier blog posts when blog posts are chosen later', async () => {
  const id = await add('webhook', { active_since: new Date('2026-01-01') });
  const settings = { url: standIn().settings.webhook.url, token: '' };
  const shortlyBefore = new Date(Date.now() - 3_600_000);
  await insertBlogPost(database.db, { is_published: true, published_at: shortlyBefore });
  await save(id, settings, { events: ['new', 'post'] });
  await run();
  expect(await posts()).toEqual([]);
});

test('keeps the pause that a service asked for while the site is closed', async () => {
  await add('webhook', { next_at: new Date(Date.now() + 3_600_000) });
  const closed = { ...defaultMaintenance, enabled: true };
  await writeSiteSetting(database.db, 'maintenance', closed, 'x');
  await sendChannelPosts(services(), worker);
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from next_at - now())::int as wait from channels`.execute(database.db);
  expect(rows[0]?.wait).toBeGreaterThan(3_500);
});

test('keeps news that is committed while posts are planned', async () => {
  await add('webhook');
  const [first, second] = [await insertDeal(database.db), await insertDeal(database.db)];
  const { db } = database;
  await sql`delete from channel_news`.execute(db);
  await db.insertInto('channel_news').values({ deal_id: second.id, event: 'new' }).execute();
  // Commits a row with a lower id as soon as the first post is queued.
  await sql`create function commit_late() returns trigger language plpgsql as $$ begin
    insert into channel_news (id, deal_id, event) overriding system value values (1, ${sql.lit(first.id)}, 'new') on conflict do nothing;
    return null; end $$`.execute(db);
  await sql`create trigger commit_late after insert on channel_posts for each statement execute function commit_late()`.execute(
    db,
  );
  await planChannelPosts(services());
  await sql`drop function commit_late cascade`.execute(db);
  await planChannelPosts(services());
  expect((await posts()).map(({ deal_id }) => deal_id)).toEqual([second.id, first.id]);
});

test('counts a text in UTF-16 units, like Telegram', () => {
  const values = {
    title: '😀'.repeat(100),
    store: 'Oakhaft',
    price: '$39',
    verdict: '',
    stores: 'Also at 2 other stores, from $41.90 incl. shipping.',
    link: 'https://shop.deals.dev/deals/lamp',
    disclosure: 'We may earn a commission.',
  };
  const limits = { longest: 200, escape: (value: string) => value };
  expect(fillTemplate(usualTemplate, values, limits)?.length).toBeLessThanOrEqual(200);
});

test.each([
  ['2026-03-28T22:00:00Z', 7],
  ['2026-10-24T21:00:00Z', 9],
])('ends quiet hours that began at %s at 07:00 when the clocks change', (now, hours) => {
  const quiet = { quiet_from: 23, quiet_to: 7 };
  expect(secondsOfQuiet(quiet, new Date(now), 'Europe/Berlin')).toBe(hours * 3_600);
});
