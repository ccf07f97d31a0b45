import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { type ChannelKindName, channelKindNames } from './channel-fields.ts';
import { channelKinds } from './channel-kinds.server.ts';
import { planChannelPosts } from './plan-channel-posts-job.server.ts';
import { sendChannelPosts } from './send-channel-posts.server.ts';
import { sendTestPost } from './send-test-post.server.ts';

// Tests every kind of channel with a local server that enforces its documented rules.

const database = useTestDatabase();
const standIn = useChannelStandIn();

const origin = 'https://shop.deals.dev';
const services = () => testServices(database, { ORIGIN: origin });
const worker = { fetch: { allowPrivate: true }, random: () => 0.5 };
const send = () => sendChannelPosts(services(), worker);
const run = async () => {
  await planChannelPosts(services());
  await letPass();
  return send();
};
/** Makes all waiting posts due at once. */
const letPass = async () => {
  await sql`update channels set next_at = now()`.execute(database.db);
  await sql`update channel_posts set due_at = now()`.execute(database.db);
};
const change = (id: number, set: Record<string, unknown>) =>
  database.db.updateTable('deals').set(set).where('id', '=', id).execute();
const over = { expires_at: new Date('2026-01-01') };
const posts = () => database.db.selectFrom('channel_posts').selectAll().orderBy('id').execute();

const add = (kind: ChannelKindName, more: object = {}) =>
  insertChannel(database.db, { kind, settings: standIn().settings[kind], ...more });
const lamp = () => insertDeal(database.db, { title: 'Desk lamp', sale_price: 3_900 });
const kindsThatEdit = channelKindNames.filter((kind) => channelKinds[kind].edit);
const kindsThatCannot = channelKindNames.filter((kind) => !channelKinds[kind].edit);

describe.each(channelKindNames)('%s', (kind) => {
  test('posts a new deal once, with its link, price and disclosure', async () => {
    await add(kind);
    const { slug } = await lamp();
    await run();
    await run();
    expect(standIn().shown).toHaveLength(1);
    const text = standIn().shown[0]?.text ?? '';
    expect(text).toContain(`${origin}/deals/${slug}`);
    expect(text).not.toContain('/out/');
    expect(text).toContain('We may earn a commission');
    expect(text.replaceAll('\\', '')).toContain('Desk lamp');
    expect(text.replaceAll('\\', '')).toContain('$39');
    const takesPictures = kind !== 'apprise';
    expect(standIn().shown[0]?.picture !== null).toBe(takesPictures);
  });

  test('retries after a failure, waits as long as asked, and posts once', async () => {
    const id = await add(kind);
    await lamp();
    standIn().faults.push({ status: 429, headers: { 'retry-after': '600' } }, { status: 503 });
    await run();
    expect(await send()).toBe(0);
    const { rows } = await sql<{ wait: number; due: number }>`
      select extract(epoch from c.next_at - now())::int as wait, extract(epoch from p.due_at - now())::int as due
        from channels c join channel_posts p on p.channel_id = c.id where c.id = ${id}`.execute(
      database.db,
    );
    expect(rows[0]?.wait).toBeGreaterThan(590);
    expect(rows[0]?.due).toBeGreaterThan(590);
    await letPass();
    await send();
    expect(standIn().shown).toHaveLength(0);
    await letPass();
    await send();
    expect(standIn().shown).toHaveLength(1);
    expect(await posts()).toMatchObject([{ state: 'sent', attempts: 3, last_error: null }]);
  });

  test('waits the required time between two requests', async () => {
    await add(kind);
    await insertDeal(database.db);
    await insertDeal(database.db);
    await planChannelPosts(services());
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    await sql`update channels set next_at = next_at - make_interval(secs => ${channelKinds[kind].gapSeconds})`.execute(
      database.db,
    );
    expect(await send()).toBe(1);
    expect(standIn().shown).toHaveLength(2);
  });

  test('shows neither token nor address when the service refuses', async () => {
    const wrong = JSON.parse(
      JSON.stringify(standIn().settings[kind]).replaceAll('the-secret-token', 'another-token'),
    );
    const id = await insertChannel(database.db, { kind, settings: wrong });
    const error = await sendTestPost(services(), id, worker);
    expect(error).toMatch(/responded with/);
    expect(error).not.toMatch(/another-token|127\.0\.0\.1/);
  });

  test('posts titles of hostile stores as harmless text', async () => {
    await add(kind);
    const title = '@everyone <!channel> **[x](https://evil.example)** <b>a</b> #tag @room @a@b.c';
    await insertDeal(database.db, { title });
    await run();
    const text = standIn().shown[0]?.text ?? '';
    expect(text).not.toBe('');
    const isBroken: Partial<Record<ChannelKindName, RegExp>> = {
      telegram: /@everyone/,
      discord: /[^\\]@everyone|[^\\]\*\*|\]\(|[^\\]</,
      slack: /<[!b]/,
      slack_webhook: /<[!b]/,
      mastodon: /@[a-z]|#tag/,
    };
    expect(text).not.toMatch(isBroken[kind] ?? /$^/);
  });

  test('posts the longest title within the limit', async () => {
    await add(kind);
    await insertDeal(database.db, { title: `${'Ж'.repeat(190)}😀` });
    await run();
    expect(standIn().shown).toHaveLength(1);
    expect(standIn().shown[0]?.text).toContain(origin);
  });
});

describe.each(kindsThatEdit)('%s', (kind) => {
  test('edits a post when the price changes, the deal ends, and the end is undone', async () => {
    await add(kind);
    const { id } = await lamp();
    await run();
    await change(id, { sale_price: 3_700 });
    await change(id, { sale_price: 3_500 });
    await run();
    const plain = () => (standIn().shown[0]?.text ?? '').replaceAll('\\', '');
    expect(plain()).toContain('$35');
    expect(standIn().shown[0]?.edits).toBe(1);
    await change(id, over);
    await run();
    expect(plain()).toMatch(/^EXPIRED\n/);
    await change(id, { expires_at: null });
    await run();
    expect(plain()).toMatch(/^Desk lamp/);
    await change(id, { is_active: false });
    await run();
    expect(plain()).toMatch(/^This deal is no longer available/);
    expect(standIn().shown).toHaveLength(1);
  });

  test('repeats an edit that got no response, on the same post', async () => {
    await add(kind);
    const { id } = await lamp();
    await run();
    await change(id, over);
    await planChannelPosts(services());
    await letPass();
    standIn().faults.push({ status: 0, isCut: true });
    await send();
    await letPass();
    await send();
    expect(standIn().shown).toHaveLength(1);
    expect(standIn().shown[0]?.text).toMatch(/^EXPIRED\n/);
    expect(await posts()).toMatchObject([{ state: 'sent' }]);
  });
});

test.each(kindsThatCannot)(
  'posts the end of a deal to %s, which cannot edit posts',
  async (kind) => {
    await add(kind, { events: ['new', 'ended'] });
    const { id } = await lamp();
    await run();
    await change(id, { sale_price: 3_500 });
    await run();
    expect(standIn().shown).toHaveLength(1);
    await change(id, over);
    await run();
    await run();
    expect(standIn().shown.map(({ text }) => text.startsWith('EXPIRED\n'))).toEqual([false, true]);
    expect(standIn().shown[1]?.replyTo).toBe(kind === 'bluesky' ? '1' : null);
  },
);

test.each(['matrix', 'mastodon', 'bluesky', 'webhook'] as const)(
  'creates one post in %s even if the response was lost',
  async (kind) => {
    await add(kind);
    const merchant = await insertMerchant(database.db, { keep_history: false });
    await insertDeal(database.db, { merchant_id: merchant.id });
    await planChannelPosts(services());
    await letPass();
    if (kind === 'bluesky') {
      standIn().faults.push({ status: 200, body: { did: 'x', accessJwt: 'the-secret-token' } });
    }
    standIn().faults.push({ status: 0, isCut: true });
    await send();
    await letPass();
    await send();
    expect(standIn().shown).toHaveLength(1);
  },
);

test('posts to a Slack webhook without a picture that Slack refuses, and names its errors', async () => {
  const id = await add('slack_webhook');
  await lamp();
  standIn().faults.push({ status: 400, body: 'invalid_blocks' });
  await run();
  expect(standIn().shown).toMatchObject([{ picture: null }]);
  await letPass();
  standIn().faults.push({ status: 404, body: 'no_service' });
  expect(await sendTestPost(services(), id, worker)).toContain('status 404: no_service');
});
