import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { readSendgridReports } from '#app/platform/mail/reports/read-sendgrid-reports.server.ts';
import { readSesReports } from '#app/platform/mail/reports/read-ses-reports.server.ts';
import type { safeFetch } from '#app/platform/safe-fetch.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const ada = 'ada@reader.example';
const key = Buffer.alloc(32, 7);
const topic = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const sendgrid = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const mailgunSecret = 'key-0123456789abcdef';

const env = {
  BOUNCE_WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
  SES_TOPIC_ARN: topic,
  SENDGRID_WEBHOOK_KEY: sendgrid.publicKey
    .export({ format: 'der', type: 'spki' })
    .toString('base64'),
  MAILGUN_WEBHOOK_SECRET: mailgunSecret,
};

beforeEach(async () => {
  for (const to of ['Ada@reader.example', 'bob@reader.example']) {
    await queueMail(database.db, { key: to, kind: 'test', to, props: {} });
  }
  await database.db.updateTable('mail_outbox').set({ state: 'sent' }).execute();
});

const rows = () =>
  database.db
    .selectFrom('mail_suspensions')
    .select(['recipient', 'reason', 'source', 'diagnostic', 'mail_id'])
    .orderBy('recipient')
    .execute();

async function post(provider: string, body: string, headers: Record<string, string> = {}) {
  const site = testSite(database, { env: testServices(database, env).env });
  const response = await site.request(`/webhooks/mail/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

describe('the site’s own format', () => {
  const report = { type: 'bounce', address: ada, status: '5.1.1', diagnostic: 'no such user' };
  const bodyOf = (...reports: object[]) => JSON.stringify({ reports });
  const sign = (body: string, { at = seconds(), by = key } = {}) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${createHmac('sha256', by).update(`msg_1.${at}.${body}`).digest('base64')}`,
  });

  test('suspends addresses once for bounces and complaints in the site’s own format', async () => {
    const body = bodyOf(report, { type: 'complaint', address: 'BOB@reader.example' });
    expect(await post('json', body, sign(body))).toEqual({ status: 204, text: '' });
    const first = await rows();
    expect(first).toMatchObject([
      { recipient: ada, reason: 'bounce', source: 'json', diagnostic: 'no such user' },
      { recipient: 'bob@reader.example', reason: 'complaint' },
    ]);
    expect(first[0]?.mail_id).toEqual(expect.any(Number));
    expect((await post('json', body, sign(body))).status).toBe(204);
    expect(await rows()).toEqual(first);
  });

  test('suspends nothing for a soft bounce, or for an address that never received an email', async () => {
    const body = bodyOf(
      { ...report, status: '4.2.2' },
      { ...report, address: 'stranger@reader.example' },
      { ...report, address: 'no address' },
    );
    expect((await post('json', body, sign(body))).status).toBe(204);
    expect(await rows()).toEqual([]);
  });

  test('rejects a report without details if the signature, time or body differ', async () => {
    const body = bodyOf(report);
    for (const [sent, headers] of [
      [body, {}],
      [body, sign(body, { by: Buffer.alloc(32, 8) })],
      [body, sign(body, { at: seconds(-400) })],
      [body, sign(body, { at: seconds(400) })],
      [body, { ...sign(body), 'webhook-timestamp': String(seconds(-100)) }],
      [body, { ...sign(body), 'webhook-signature': 'v1,' }],
      [`${body} `, sign(body)],
    ] as const) {
      expect(await post('json', sent, headers)).toEqual({ status: 403, text: '' });
    }
    expect(await rows()).toEqual([]);
  });

  test.each(['', '{', 'null', '[]', '{"reports":[{"type":"open","address":"a@b.example"}]}', '\0'])(
    'returns 400 for a signed body that is not a report: %j',
    async (body) => {
      expect((await post('json', body, sign(body))).status).toBe(400);
    },
  );
});

describe('SendGrid', () => {
  const late = seconds(-3600);
  const sign = (body: string) => ({
    'x-twilio-email-event-webhook-timestamp': String(late),
    'x-twilio-email-event-webhook-signature': createSign('sha256')
      .update(`${late}${body}`)
      .sign(sendgrid.privateKey, 'base64'),
  });
  const event = { email: ada, timestamp: seconds(-5), status: '5.1.1', type: 'bounce' };

  test('reads bounces and spam reports from a batch of SendGrid events', async () => {
    const body = JSON.stringify([
      { ...event, event: 'delivered' },
      { ...event, event: 'bounce', reason: '550 5.1.1 no such user' },
      { ...event, event: 'spamreport', email: 'bob@reader.example' },
    ]);
    expect((await post('sendgrid', body, sign(body))).status).toBe(204);
    expect(await rows()).toMatchObject([
      { recipient: ada, reason: 'bounce', diagnostic: '550 5.1.1 no such user' },
      { recipient: 'bob@reader.example', reason: 'complaint', source: 'sendgrid' },
    ]);
  });

  test('does not suspend blocked or full mailboxes that SendGrid reports', async () => {
    const body = JSON.stringify([
      { ...event, event: 'bounce', type: 'blocked' },
      { ...event, event: 'bounce', status: '5.2.2' },
      { ...event, event: 'dropped' },
    ]);
    expect((await post('sendgrid', body, sign(body))).status).toBe(204);
    expect(await rows()).toEqual([]);
  });

  test('rejects a changed SendGrid body, and returns 400 for anything but events', async () => {
    const body = JSON.stringify([{ ...event, event: 'bounce' }]);
    expect((await post('sendgrid', `${body} `, sign(body))).status).toBe(403);
    expect((await post('sendgrid', body)).status).toBe(403);
    expect((await post('sendgrid', '{}', sign('{}'))).status).toBe(400);
  });

  // The key, signature and text from the tests of SendGrid's own library.
  test('verifies SendGrid signatures like the provider’s library', () => {
    const publicKey =
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';
    const headers = new Headers({
      'x-twilio-email-event-webhook-signature':
        'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
      'x-twilio-email-event-webhook-timestamp': '1588788367',
    });
    const sent = { category: 'example_payload', event: 'test_event', message_id: 'message_id' };
    const body = Buffer.from(JSON.stringify(sent));
    expect(readSendgridReports(publicKey, { headers, body })).toMatchObject({
      reason: 'malformed', // The signature is valid, but the body should be a list.
    });
    headers.set('x-twilio-email-event-webhook-timestamp', '1588788368');
    expect(readSendgridReports(publicKey, { headers, body })).toMatchObject({ reason: 'forged' });
  });
});

describe('Mailgun', () => {
  function bodyOf(event: object, { at = String(seconds()), secret = mailgunSecret } = {}): string {
    const token = 'a'.repeat(50);
    const signature = createHmac('sha256', secret).update(`${at}${token}`).digest('hex');
    return JSON.stringify({
      signature: { timestamp: at, token, signature },
      'event-data': { recipient: ada, timestamp: Date.now() / 1000, ...event },
    });
  }
  const failed = {
    event: 'failed',
    severity: 'permanent',
    'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: 'no such user' },
  };

  test('reads permanent failures and complaints from Mailgun', async () => {
    expect((await post('mailgun', bodyOf(failed))).status).toBe(204);
    expect(await rows()).toMatchObject([
      { reason: 'bounce', diagnostic: 'no such user', source: 'mailgun' },
    ]);
    expect((await post('mailgun', bodyOf({ event: 'complained' }))).status).toBe(204);
    expect(await rows()).toMatchObject([{ reason: 'complaint' }]);
  });

  test('does not suspend for temporary failures of Mailgun', async () => {
    for (const event of [
      { ...failed, severity: 'temporary' },
      { ...failed, 'delivery-status': { 'enhanced-code': '5.7.1' } },
      { event: 'opened' },
    ]) {
      expect((await post('mailgun', bodyOf(event))).status).toBe(204);
    }
    expect(await rows()).toEqual([]);
  });

  test('rejects a Mailgun report with another key or an old time, and returns 400 for anything but an event', async () => {
    for (const body of [
      bodyOf(failed, { secret: 'key-of-a-stranger' }),
      bodyOf(failed, { at: String(seconds(-400)) }),
      '{}',
      'null',
    ]) {
      expect((await post('mailgun', body)).status).toBe(403);
    }
    expect((await post('mailgun', bodyOf({ event: 1 }))).status).toBe(400);
    expect((await post('mailgun', '{')).status).toBe(400);
    expect(await rows()).toEqual([]);
  });
});

describe('Amazon SES', () => {
  const signer = readFileSync(
    new URL('../../test/fixtures/sns-signer.pem', import.meta.url),
    'utf8',
  );
  const host = 'sns.eu-west-1.amazonaws.com';
  let number = 0;
  let fetched: string[] = [];
  beforeEach(() => (fetched = []));

  const answer = (async (address: string) => {
    fetched.push(address);
    return { body: [Buffer.from(signer.slice(signer.indexOf('-----BEGIN CERT')))] };
  }) as unknown as typeof safeFetch;

  const notification = (message: object, more: Record<string, string> = {}) => ({
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: topic,
    Message: JSON.stringify(message),
    Timestamp: '2026-11-27T05:00:00.000Z',
    SignatureVersion: '2',
    // The address is unique per test, since certificates are cached.
    SigningCertURL: `https://${host}/SimpleNotificationService-${(number += 1)}.pem`,
    ...more,
  });
  const fieldsOf = ({ Type }: { Type: string }) =>
    Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

  function sign(envelope: ReturnType<typeof notification>): Record<string, string> {
    const values: Record<string, string> = envelope;
    const text = fieldsOf(envelope)
      .flatMap((name) => (values[name] === undefined ? [] : [`${name}\n${values[name]}\n`]))
      .join('');
    const algorithm = envelope.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1';
    return { ...envelope, Signature: createSign(algorithm).update(text).sign(signer, 'base64') };
  }
  const read = (envelope: object, mayFetch = true) =>
    readSesReports(
      topic,
      { body: Buffer.from(JSON.stringify(envelope)) },
      { ask: answer, mayFetch: async () => mayFetch },
    );

  const bounce = {
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bouncedRecipients: [
        { emailAddress: ada, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
      ],
      timestamp: '2026-11-27T04:59:38.237Z',
    },
  };

  test.each(['1', '2'])(
    'reads hard bounces from Amazon SES, signed by version %s',
    async (version) => {
      const envelope = sign(notification(bounce, { SignatureVersion: version, Subject: 'Bounce' }));
      expect(await read(envelope)).toEqual({
        ok: true,
        reports: [
          {
            address: ada,
            reason: 'bounce',
            diagnostic: 'smtp; 550 5.1.1 no such user',
            at: new Date('2026-11-27T04:59:38.237Z'),
          },
        ],
      });
    },
  );

  test('reads complaints from Amazon SES, but not “not spam”', async () => {
    const complaint = (complaintFeedbackType: string) => ({
      eventType: 'Complaint',
      complaint: {
        complainedRecipients: [{ emailAddress: ada }],
        timestamp: '2026-11-27T04:59:38Z',
        complaintFeedbackType,
      },
    });
    expect(await read(sign(notification(complaint('abuse'))))).toMatchObject({
      reports: [{ address: ada, reason: 'complaint', diagnostic: 'abuse' }],
    });
    expect(await read(sign(notification(complaint('not-spam'))))).toMatchObject({ reports: [] });
  });

  test('ignores a transient bounce, and a message not sent by Amazon SES', async () => {
    const transient = { ...bounce, bounce: { ...bounce.bounce, bounceType: 'Transient' } };
    expect(await read(sign(notification(transient)))).toEqual({ ok: true, reports: [] });
    const hello = { ...notification({}), Message: 'Successfully validated SNS topic' };
    expect(await read(sign(hello))).toEqual({ ok: true, reports: [] });
  });

  test.each<[string, (envelope: Record<string, string>) => object]>([
    ['another text', (envelope) => ({ ...envelope, Message: `${envelope['Message']} ` })],
    ['no signature', (envelope) => ({ ...envelope, Signature: '' })],
    ['another topic', (envelope) => ({ ...envelope, TopicArn: `${topic}-of-a-stranger` })],
    ['no content of SNS', () => ({})],
  ])('rejects an Amazon SES message with %s', async (_what, change) => {
    expect(await read(change(sign(notification(bounce))))).toMatchObject({ reason: 'forged' });
  });

  test.each([
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
    'https://sns.us-east-1.amazonaws.com/a.pem',
    'https://bucket.s3.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
    'https://user@sns.eu-west-1.amazonaws.com/../a.txt',
    'nonsense',
  ])('does not fetch an SNS certificate from %s', async (SigningCertURL) => {
    expect(await read(sign(notification(bounce, { SigningCertURL })))).toMatchObject({
      reason: 'forged',
    });
    expect(fetched).toEqual([]);
  });

  test('fetches an SNS certificate once, and none beyond the limit', async () => {
    const envelope = sign(notification(bounce));
    expect(await read(envelope, false)).toMatchObject({ reason: 'forged' });
    await read(envelope);
    await read(envelope, false);
    expect(fetched).toEqual([envelope['SigningCertURL']]);
  });

  test('confirms a subscription of the site’s topic, at SNS only', async () => {
    const asking = (SubscribeURL: string) =>
      sign(notification({}, { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }));
    const good = `https://${host}/?Action=ConfirmSubscription&Token=t`;
    expect(await read(asking(good))).toEqual({ ok: true, reports: [] });
    expect(fetched.at(-1)).toBe(good);
    await read(asking('https://evil.example/?Action=ConfirmSubscription'));
    expect(fetched.filter((address) => !address.endsWith('.pem'))).toEqual([good]);
  });

  test('rejects a report at the Amazon SES address without a known signature', async () => {
    const body = JSON.stringify({
      ...notification(bounce, { SigningCertURL: 'x' }),
      Signature: 'x',
    });
    expect((await post('ses', body, { 'content-type': 'text/plain' })).status).toBe(403);
    expect((await post('ses', '{')).status).toBe(400);
  });
});

test('returns 404 for a provider that is unknown or not configured', async () => {
  const site = testSite(database);
  for (const provider of ['json', 'ses', 'sendgrid', 'mailgun', 'postmark', 'constructor']) {
    const response = await site.request(`/webhooks/mail/${provider}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    expect([provider, response.status]).toEqual([provider, 404]);
  }
});
