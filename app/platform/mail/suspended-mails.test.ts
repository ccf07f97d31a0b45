import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { plainMailKinds, plainMailSite } from '#test/fixtures/plain-mail-kinds.ts';
import { type SmtpBehaviour, type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { findBouncedMail } from './bounce-address.server.ts';
import { isHardBounce, isHardReply } from './is-hard-bounce.ts';
import { queueMail } from './queue-mail.server.ts';
import { sendDueMails } from './send-due-mails.server.ts';
import { type MailTransport, smtpTransport } from './smtp-transport.server.ts';
import { liftByConfirming, suspendAddress, type Suspension } from './suspension-queries.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.test';
const address = 'Ada@reader.example';
let behaviour: SmtpBehaviour = 'accept';
let smtp: SmtpStandIn;
let transport: MailTransport;

beforeEach(async () => {
  behaviour = 'accept';
  smtp = await startSmtpStandIn(() => behaviour);
  const env = { ORIGIN: origin, SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) };
  transport = smtpTransport(readEnv(env).mail);
});
afterEach(async () => {
  transport.close();
  await smtp.close();
});

/** Queues one email of a kind, sends the due emails, and returns its outcome. */
async function send(kind: string, to = address, more: Record<string, string> = {}) {
  const key = `${kind}-${Math.random()}`;
  await queueMail(database.db, { key, kind, to, props: { subject: 'Hello', text: 'Hello' } });
  await sendDueMails(
    { db: database.db, env: readEnv({ ORIGIN: origin, ...more }), log: createLog('silent') },
    { kinds: plainMailKinds, readSite: async () => plainMailSite(origin), transport },
  );
  const mail = await database.db
    .selectFrom('mail_outbox')
    .select(['id', 'state', 'last_error'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return mail;
}

const suspend = (more: Partial<Suspension> = {}) =>
  suspendAddress(database.db, {
    address,
    reason: 'bounce',
    source: 'json',
    diagnostic: 'no such user',
    mailId: null,
    at: null,
    ...more,
  });
const rows = () => database.db.selectFrom('mail_suspensions').selectAll().execute();

describe('a server that refuses a recipient', () => {
  test('suspends newsletters to a refused recipient, but not emails about the account', async () => {
    behaviour = { at: 'recipient', code: 550, words: '5.1.1 no such user' };
    const refused = await send('plain');
    expect(await rows()).toMatchObject([
      {
        recipient: address.toLowerCase(),
        reason: 'bounce',
        source: 'smtp',
        diagnostic: '550 5.1.1 no such user',
        mail_id: refused.id,
        lifted_at: null,
      },
    ]);
    behaviour = 'accept';
    expect(await send('news')).toMatchObject({
      state: 'cancelled',
      last_error: 'The address is suspended: emails to it bounce.',
    });
    expect(await send('news', 'other@reader.example')).toMatchObject({ state: 'sent' });
    expect(await send('plain')).toMatchObject({ state: 'sent' });
    // A relay accepts every email, so acceptance proves nothing.
    expect(await send('news')).toMatchObject({ state: 'cancelled' });
  });

  test.each<[string, SmtpBehaviour]>([
    ['calls the mail spam', { at: 'data', code: 554, words: 'we call this spam' }],
    ['asks to retry', { at: 'recipient', code: 450, words: 'mailbox is full' }],
    ['refuses the sender', { at: 'recipient', code: 550, words: '5.7.1 you are blocked' }],
    ['reports a full mailbox', { at: 'recipient', code: 552, words: '5.2.2 full' }],
  ])('suspends no address if the server %s', async (_what, how) => {
    behaviour = how;
    await send('plain');
    expect(await rows()).toEqual([]);
  });
});

describe('a suspended address', () => {
  test('sends confirmations to a suspended address after a bounce, but not after a complaint', async () => {
    await suspend();
    expect(await send('confirmation')).toMatchObject({ state: 'sent' });
    await suspend({ reason: 'complaint' });
    expect(await send('confirmation')).toMatchObject({
      state: 'cancelled',
      last_error: 'The address is suspended: it reported an email as spam.',
    });
    expect(await send('plain')).toMatchObject({ state: 'sent' });
  });

  test('sends newsletters again after a confirmation, even if the old report arrives again', async () => {
    const at = new Date(Date.now() - 60_000);
    expect(await suspend({ at })).toBe(true);
    await liftByConfirming(database.db, address.toUpperCase());
    expect(await suspend({ at })).toBe(false);
    expect(await send('news')).toMatchObject({ state: 'sent' });
    expect(await suspend()).toBe(true);
    expect(await send('news')).toMatchObject({ state: 'cancelled' });
  });

  test('keeps a suspension unchanged if the same report arrives twice, and lets a complaint outweigh a bounce', async () => {
    await suspend();
    const before = await rows();
    expect(await suspend({ diagnostic: 'again' })).toBe(false);
    expect(await rows()).toEqual(before);
    expect(await suspend({ reason: 'complaint', diagnostic: 'abuse' })).toBe(true);
    expect(await suspend()).toBe(false);
    expect(await rows()).toMatchObject([{ reason: 'complaint', diagnostic: 'abuse' }]);
  });

  test("stores one shortened line of the server's reply with a suspension", async () => {
    await suspend({ diagnostic: `smtp;\r\n550\t${'x'.repeat(2000)}` });
    const [row] = await rows();
    expect(row?.diagnostic).toMatch(/^smtp; 550 x+/);
    expect(row?.diagnostic.length).toBeLessThanOrEqual(500);
  });

  test('never dates a suspension in the future, even if a provider’s clock is fast', async () => {
    await suspend({ at: new Date(Date.now() + 3_600_000) });
    await liftByConfirming(database.db, address);
    expect((await rows())[0]).toMatchObject({ lifted_at: expect.any(Date) });
    expect(await suspend({ at: new Date(Date.now() - 1000) })).toBe(false);
  });
});

test('signs the envelope sender of newsletters only if bounces are read, and never that of account emails', async () => {
  const bounces = {
    BOUNCE_ADDRESS: 'bounces@deals.test',
    BOUNCE_MAILBOX: 'imaps://bounces:secret@mail.test',
  };
  const { id } = await send('news', address, bounces);
  await send('plain', address, bounces);
  await send('news');
  const [news, account, untracked] = smtp.mails.map(({ from }) => from);
  expect(await findBouncedMail(database.db, news ?? '')).toBe(id);
  expect([account, untracked]).toEqual(['no-reply@deals.test', 'no-reply@deals.test']);
  expect(smtp.mails[0]?.raw).toContain('From: Test Deals <no-reply@deals.test>');
});

test.each([
  ['5.1.1', true],
  ['5.2.1', true],
  ['5.4.1', true],
  ['5.0.0', true],
  ['5.2.2', false],
  ['5.2.3', false],
  ['5.3.4', false],
  ['5.6.0', false],
  ['5.7.1', false],
  ['4.2.2', false],
  ['2.0.0', false],
  ['', false],
  ['5.1.1 x', false],
])('classifies the status %s as hard: %s', (status, isHard) => {
  expect(isHardBounce(status)).toBe(isHard);
});

test('classifies a reply without a status by its code', () => {
  expect(isHardReply('550 no such user')).toBe(true);
  expect(isHardReply('550-5.1.1 no such user')).toBe(true);
  expect(isHardReply('550 5.7.1 blocked')).toBe(false);
  expect(isHardReply('450 later')).toBe(false);
  expect(isHardReply('554 relay access denied')).toBe(false);
});
