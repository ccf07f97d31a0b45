import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertAlertChannel } from '#test/factories/insert-alert-channel.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { alertWorkers } from '#test/send-alerts.ts';
import { testServices } from '#test/services.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { readStopToken } from '#app/platform/mail/stop-token.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { listAlerts } from '#app/features/price-alerts/alert-queries.server.ts';
import { sendTestAlert } from '#app/features/price-alerts/send-test-alert.server.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import { addAlertChannel, proveAlertChannel } from './add-alert-channel.server.ts';
import { listAlertChannels } from './alert-channel-queries.server.ts';
import { removeAlertChannel, stopByLinkOfMessage } from './end-alert-channel.server.ts';
import { handOverMail } from './hand-over-mail.server.ts';
import { type OwnChannelKind, ownChannelKinds } from './own-channel-kinds.ts';

const database = useTestDatabase();
const standIn = useChannelStandIn();
const { sendMails, sendMessages, letPass } = alertWorkers(database);
const services = (env = {}) => testServices(database, env);
const local = { allowPrivate: true };

const newUser = () => insertUser(database.db, { email_verified: true });
const add = (userId: string, kind: OwnChannelKind, env = {}) =>
  addAlertChannel(services(env), { userId, kind, settings: standIn().settings[kind] }, local);
const own = (userId: string, kind: OwnChannelKind = 'ntfy') =>
  insertAlertChannel(database.db, userId, kind, standIn().settings[kind]);
const texts = () => standIn().shown.map(({ text }) => text.replaceAll('\\', ''));
const codeOf = (text = '') => /code is (\d{6})/.exec(text)?.[1] ?? '';
const mails = async () => {
  const rows = await database.db
    .selectFrom('mail_outbox')
    .select(['kind', 'state'])
    .orderBy('id')
    .execute();
  return rows.map(({ kind, state }) => `${kind} ${state}`);
};

async function fire(userId: string, goes_to: GoesTo = 'both', title = 'Desk lamp', more = {}) {
  const deal = await insertDeal(database.db, { title, sale_price: 10_000, ...more });
  await database.db
    .insertInto('price_alerts')
    .values({ user_id: userId, deal_id: deal.id, target_price: 9_000, target_percent: null })
    .execute();
  await database.db.updateTable('price_alerts').set({ goes_to }).execute();
  await database.db
    .updateTable('deals')
    .set({ sale_price: 8_000 })
    .where('id', '=', deal.id)
    .execute();
  return deal;
}

describe.each(ownChannelKinds)('%s', (kind) => {
  test('sends alerts to a channel only after the code that it received is entered', async () => {
    const user = await newUser();
    const added = await add(user.id, kind);
    expect(added).toMatchObject({ ok: true });
    expect(texts()).toEqual([expect.stringMatching(/code is \d{6}/)]);
    await fire(user.id);
    await sendMails();
    await sendMessages();
    expect(texts()).toHaveLength(1);
    const [channel] = await listAlertChannels(database.db, user.id);
    const id = channel?.id ?? 0;
    const code = codeOf(texts()[0]);
    expect(await proveAlertChannel(services(), user.id, id, code)).toBe('proved');
    expect(await listAlertChannels(database.db, user.id)).toMatchObject([{ kind, state: 'on' }]);
    await fire(user.id, 'both', 'Brass lamp');
    await sendMails();
    await letPass();
    await sendMessages();
    const text = texts()[1] ?? '';
    expect(text).toContain('Brass lamp');
    expect(text).toMatch(/Now \$80\.00, was \$100\.00 at .*\.\nYour target was \$90\.00\./);
    expect(text).toMatch(/Stop this alert: \S+\/stop-mails\?token=v1\.alert\./);
    expect(text).toMatch(/Stop this channel: \S+\/stop-mails\?token=v1\.channel\./);
    expect(await mails()).toEqual(['price-alert sent', 'price-alert sent']);
  });

  test('sends hostile titles as harmless text', async () => {
    const user = await newUser();
    await own(user.id, kind);
    await fire(user.id, 'both', '@everyone **[x](https://evil.example)** <b>a</b>');
    await sendMails();
    await sendMessages();
    const text = standIn().shown[0]?.text ?? '';
    expect(text).toContain('evil');
    expect(text).not.toMatch(kind === 'discord' ? /[^\\]\*\*|\]\(|[^\\]<|[^\\]@everyone/ : /$^/);
  });

  test('delivers a message once after failures of the service', async () => {
    const user = await newUser();
    await own(user.id, kind);
    await fire(user.id, 'channels');
    standIn().faults.push({ status: 429, headers: { 'retry-after': '600' } }, { status: 503 });
    for (let n = 0; n < 4; n++) {
      await letPass();
      await sendMails();
      await sendMessages();
    }
    expect(texts()).toHaveLength(1);
    expect(await mails()).toEqual(['price-alert cancelled']);
  });
});

describe('a Telegram bot without a chat ID', () => {
  const addBot = (userId: string) => {
    const settings = { ...standIn().settings.telegram, chat: '' };
    return addAlertChannel(services(), { userId, kind: 'telegram', settings }, local);
  };
  const update = (id: number, type: string) => ({ message: { chat: { id, type } } });

  test('sends the code to the newest private chat', async () => {
    const user = await newUser();
    const result = [
      update(1, 'private'),
      update(4711, 'private'),
      update(-2, 'group'),
      { poll: {} },
    ];
    standIn().faults.push({ status: 200, body: { ok: true, result } });
    expect(await addBot(user.id)).toMatchObject({ ok: true });
    expect(
      standIn().asked.map(({ path, json }) => [path.split('/').at(-1), json['chat_id']]),
    ).toEqual([
      ['getUpdates', undefined],
      ['sendMessage', '4711'],
    ]);
    expect(await listAlertChannels(database.db, user.id)).toMatchObject([{ place: 'chat 4711' }]);
  });

  test('asks the user to send the bot a message first', async () => {
    const user = await newUser();
    standIn().faults.push({ status: 200, body: { ok: true, result: [update(-2, 'group')] } });
    expect(await addBot(user.id)).toMatchObject({
      status: 422,
      message: expect.stringContaining('Send your bot a message'),
    });
    expect(await listAlertChannels(database.db, user.id)).toEqual([]);
  });
});

describe('a code', () => {
  const prove = (userId: string, id: number, code: string) =>
    proveAlertChannel(services(), userId, id, code);
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  async function addOne() {
    const user = await newUser();
    const added = await add(user.id, 'ntfy');
    return { user, id: added.ok ? added.id : 0, code: codeOf(texts().at(-1)) };
  }

  test('expires a code after five wrong attempts', async () => {
    const { user, id, code } = await addOne();
    for (let n = 0; n < 4; n++) expect(await prove(user.id, id, wrong(code))).toBe('wrong');
    expect(await prove(user.id, id, wrong(code))).toBe('ended');
    expect(await prove(user.id, id, code)).toBe('ended');
    expect(await listAlertChannels(database.db, user.id)).toMatchObject([{ state: 'code ended' }]);
  });

  test('accepts a code whose form is sent twice', async () => {
    const { user, id, code } = await addOne();
    expect(await prove(user.id, id, code)).toBe('proved');
    expect(await prove(user.id, id, code)).toBe('proved');
    expect(await prove((await newUser()).id, id, code)).toBe('ended');
  });

  test('expires a code after 15 minutes', async () => {
    const { user, id, code } = await addOne();
    await sql`update alert_channels set code_until = now()`.execute(database.db);
    expect(await prove(user.id, id, code)).toBe('ended');
  });

  test('rejects a code that another user enters', async () => {
    const { id, code } = await addOne();
    expect(await prove((await newUser()).id, id, code)).toBe('ended');
  });

  test('limits codes to five an hour for a person and three for a channel', async () => {
    const user = await newUser();
    for (let n = 0; n < 3; n++) expect(await add(user.id, 'ntfy')).toMatchObject({ ok: true });
    const other = await newUser();
    expect(await add(other.id, 'ntfy')).toMatchObject({ status: 429 });
    expect(await add(user.id, 'matrix')).toMatchObject({ ok: true });
    expect(await add(user.id, 'gotify')).toMatchObject({ ok: true });
    expect(await add(user.id, 'discord')).toMatchObject({ status: 429 });
    expect(texts()).toHaveLength(5);
  });

  test('counts codes for a server regardless of how its address is written', async () => {
    const user = await newUser();
    const { server, ...rest } = standIn().settings.ntfy;
    const forms = [server, `${server}?a=1`, `${server}?a=2`, `${server}?a=3`];
    const outcomes = [];
    for (const form of forms) {
      const settings = { ...rest, server: form };
      outcomes.push(
        await addAlertChannel(services(), { userId: user.id, kind: 'ntfy', settings }, local),
      );
    }
    expect(outcomes.at(-1)).toMatchObject({ status: 429 });
  });

  test('shows only the kind of error, and stores no channel that cannot be reached', async () => {
    const user = await newUser();
    standIn().faults.push({ status: 403, body: { error: 'the secret of the network' } });
    const refused = await add(user.id, 'gotify');
    expect(refused).toMatchObject({ status: 422 });
    expect(JSON.stringify(refused)).not.toContain('secret');
    const settings = standIn().settings.gotify;
    const hidden = { userId: user.id, kind: 'gotify', settings } as const;
    const owner = services({ FEED_PRIVATE_HOSTS: '127.0.0.1' });
    expect(await addAlertChannel(owner, hidden)).toMatchObject({
      message: expect.stringContaining('could not be reached'),
    });
    const allowed = services({ ALERT_PRIVATE_HOSTS: '127.0.0.1' });
    expect(await addAlertChannel(allowed, hidden)).toMatchObject({ ok: true });
    expect(await listAlertChannels(database.db, user.id)).toHaveLength(1);
  });
});

// Proves P25: by own channels, in addition to or instead of email (hand-over-mail.server.ts)
describe('an alert for channels only', () => {
  test('sends a message and no email', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    expect(await mails()).toEqual(['price-alert queued']);
    await sendMessages();
    expect(texts()).toHaveLength(1);
    expect(await mails()).toEqual(['price-alert cancelled']);
  });

  test('falls back to email if the person has no channel', async () => {
    const user = await newUser();
    await fire(user.id, 'channels');
    await sendMails();
    expect(await mails()).toEqual(['price-alert sent']);
  });

  test('falls back to email, with a notice, when the webhook was deleted', async () => {
    const user = await newUser();
    await own(user.id, 'discord');
    await fire(user.id, 'channels');
    await sendMails();
    standIn().faults.push({ status: 404 });
    await sendMessages();
    await sendMails();
    expect(await mails()).toEqual(['price-alert sent', 'alert-channel-ended sent']);
    expect(await listAlertChannels(database.db, user.id)).toMatchObject([{ state: 'stopped' }]);
  });

  test('falls back to email after a day of failures, and stops the channel after three', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    await sql`update alert_messages set trying_since = now() - interval '25 hours'`.execute(
      database.db,
    );
    standIn().faults.push({ status: 503 }, { status: 503 });
    await sendMessages();
    await sendMails();
    expect(await mails()).toEqual(['price-alert sent']);
    await sql`update alert_channels set failing_since = now() - interval '4 days', next_at = now()`.execute(
      database.db,
    );
    await fire(user.id, 'channels', 'Brass lamp');
    await sendMails();
    await sendMessages();
    await sendMails();
    expect(texts()).toEqual([]);
    expect(await mails()).toEqual([
      'price-alert sent',
      'price-alert sent',
      'alert-channel-ended sent',
    ]);
  });

  test('falls back to email after a day although the server asks for a pause of years', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    standIn().faults.push({ status: 503, headers: { 'retry-after': '1e300' } }, { status: 503 });
    await sendMessages();
    await sql`update alert_channels set next_at = next_at - interval '1 day'`.execute(database.db);
    await sql`update alert_messages set due_at = due_at - interval '1 day',
      trying_since = trying_since - interval '25 hours'`.execute(database.db);
    await sendMessages();
    await sendMails();
    expect(await mails()).toEqual(['price-alert sent']);
  });

  test('lists an email as sent to a channel when the message is faster than the email’s outcome', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails(async (db, mail) => {
      const verdict = await handOverMail(db, mail);
      await sendMessages();
      return verdict;
    });
    expect(await mails()).toEqual(['price-alert cancelled']);
    const [alert] = await listAlerts(database.db, { userId: user.id });
    expect(alert?.history[0]?.mail).toBe('channel');
  });

  test('falls back to email at once when the channel of a waiting message is removed', async () => {
    const user = await newUser();
    const id = await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    expect(await removeAlertChannel(database.db, id, (await newUser()).id)).toBe(false);
    expect(await removeAlertChannel(database.db, id, user.id)).toBe(true);
    await sendMails();
    expect(await mails()).toEqual(['price-alert sent', 'alert-channel-ended sent']);
  });

  test('sends no email when the channel is stopped by the link in its message', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    await sendMessages();
    // The process was killed before it canceled the email.
    await sql`update mail_outbox set state = 'queued', due_at = now()`.execute(database.db);
    const token = /stop-mails\?token=(v1\.channel\.\S+)/.exec(texts()[0] ?? '')?.[1] ?? '';
    const wish = await readStopToken(database.db, token);
    await stopByLinkOfMessage(database.db, wish ?? { what: 'alert', id: '0' });
    await sendMails();
    expect(await mails()).toEqual(['price-alert cancelled', 'alert-channel-ended sent']);
    expect(await listAlertChannels(database.db, user.id)).toEqual([]);
  });

  test('sends nothing if the price rose again', async () => {
    const user = await newUser();
    await own(user.id);
    await fire(user.id, 'channels');
    await sendMails();
    await database.db.updateTable('deals').set({ sale_price: 10_000 }).execute();
    await sendMessages();
    await sendMails();
    expect([texts(), await mails()]).toEqual([[], ['price-alert cancelled']]);
  });
});

async function sendAll() {
  for (let claimed = 1; claimed > 0;) {
    await letPass();
    claimed = (await sendMails()) + (await sendMessages());
  }
}

test('sends a test of an alert, its daily summary and a search’s news to the channel', async () => {
  const { db } = database;
  const user = await newUser();
  await own(user.id);
  const { id: dealId } = await insertDeal(db, { title: 'Desk lamp', sale_price: 10_000 });
  const about = { user_id: user.id, deal_id: dealId, target_price: 9_000, target_percent: null };
  const alert = await db
    .insertInto('price_alerts')
    .values({ ...about, goes_to: 'channels' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sendTestAlert(db, user, alert.id, new Date());
  await sendAll();
  expect(texts()).toEqual([expect.stringMatching(/^Test: Desk lamp\nNow \$100\.00 at /)]);

  await sql`insert into alert_mail_days (user_id, day, mails)
    values (${user.id}, (now() at time zone 'utc')::date, 10)`.execute(db);
  await db.updateTable('deals').set({ sale_price: 8_000 }).execute();
  await sendAll();
  expect(texts()[1]).toMatch(
    /^1 more price alert fired today\nDesk lamp: \$80\.00, was \$100\.00 at /,
  );

  const search = {
    user_id: user.id,
    address: '/deals',
    name: 'All deals',
    cadence: 'daily',
  } as const;
  const { id } = await db
    .insertInto('watched_searches')
    .values({ ...search, goes_to: 'channels' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('watched_search_finds')
    .values({ search_id: id, deal_id: dealId, mail: 1 })
    .execute();
  const props = { searchId: id, mail: 1, couponIds: [] };
  const mail = { key: 'news', kind: 'search-news', to: user.email, userId: user.id, props };
  await queueMail(db, mail);
  await sendAll();
  expect(texts()[2]).toMatch(
    /^1 new deal: All deals\n\$80\S*: Desk lamp\n\S+\/deals\nStop watching this search: /,
  );
  expect(await mails()).toEqual([
    'price-alert-test cancelled',
    'price-alert-digest cancelled',
    'search-news cancelled',
  ]);
});

test('pauses every topic of a busy ntfy server, and stops none of them', async () => {
  const [first, second] = [await newUser(), await newUser()];
  for (const user of [first, second]) {
    await own(user.id);
    await fire(user.id, 'both', `Lamp of ${user.id.slice(0, 8)}`);
  }
  await sendMails();
  const place = 'ntfy.example/topic';
  await sql`update alert_channels set place = ${place}, failing_since = now() - interval '4 days',
    next_at = case when user_id = ${first.id} then now() else now() + interval '1 second' end`.execute(
    database.db,
  );
  standIn().faults.push({ status: 429 });
  await sendMessages();
  const waits = await sql<{ isPaused: boolean }>`
    select next_at > now() + interval '50 seconds' and stopped_at is null as "isPaused" from alert_channels`.execute(
    database.db,
  );
  expect(waits.rows).toEqual([{ isPaused: true }, { isPaused: true }]);
});

test('sends nothing to a suspended person’s channel, or for an alert that is email only', async () => {
  const user = await newUser();
  await own(user.id);
  await fire(user.id, 'mail');
  await sendMails();
  await fire(user.id, 'channels', 'Brass lamp');
  await sendMails();
  await sql`update users set suspended_at = now(), suspended_for = 'x'`.execute(database.db);
  await sendMessages();
  await sendMails();
  expect(texts()).toEqual([]);
  expect(await mails()).toEqual(['price-alert sent', 'price-alert cancelled']);
});

test('sends nothing about a store that no longer allows alerts', async () => {
  const user = await newUser();
  await own(user.id);
  const merchant = await insertMerchant(database.db);
  await fire(user.id, 'channels', 'Desk lamp', { merchant_id: merchant.id });
  await sendMails();
  await sql`update merchants set allow_alerts = false`.execute(database.db);
  await sendMessages();
  expect(texts()).toEqual([]);
});

test('exports channels without secrets, and erases them with the account', async () => {
  const user = await newUser();
  await add(user.id, 'gotify');
  const exported = JSON.stringify(await exportAccount(database.db, user.id));
  expect(exported).toContain('"alert_channels":[{"kind":"gotify"');
  expect(exported).not.toContain('the-secret-token');
  await eraseAccount(services(), user);
  expect(await listAlertChannels(database.db, user.id)).toEqual([]);
});
