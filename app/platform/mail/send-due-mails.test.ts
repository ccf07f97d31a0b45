import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { pauseSeconds } from '#app/platform/deliver-outbox.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { type SmtpBehaviour, type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { testVisitor } from '#test/visitor.ts';
import { plainMailKinds, plainMailSite } from '#test/fixtures/plain-mail-kinds.ts';
import { type NewMail, queueMail } from './queue-mail.server.ts';
import { type MailWorker, sendDueMails } from './send-due-mails.server.ts';
import { type MailTransport, smtpTransport } from './smtp-transport.server.ts';

const database = useTestDatabase();
let behaviours: Record<string, SmtpBehaviour> = {};
let smtp: SmtpStandIn;
let transport: MailTransport;

beforeEach(async () => {
  behaviours = {};
  smtp = await startSmtpStandIn((recipient) => behaviours[recipient] ?? 'accept');
  transport = transportTo({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) });
});
afterEach(async () => {
  transport.close();
  await smtp.close();
});

const origin = 'https://deals.test';
/**
 * Timeouts in ms. A busy server must not count as unresponsive, so only the test of unresponsive
 * servers has short timeouts.
 */
const patient = { connectInMs: 30_000, silenceInMs: 30_000 };
const hasty = { connectInMs: 1_000, silenceInMs: 1_000 };

function transportTo(env: Record<string, string>, timeouts = patient): MailTransport {
  return smtpTransport(readEnv({ ORIGIN: origin, ...env }).mail, timeouts);
}

async function queue(overrides: Partial<NewMail> & { key: string }): Promise<void> {
  const queued = await queueMail(database.db, {
    kind: 'plain',
    to: `${overrides.key}@reader.example`,
    props: { subject: 'Hello', text: 'Hello there' },
    ...overrides,
  });
  expect(queued.queued).toBe(true);
}

function work(overrides: Partial<MailWorker> = {}): Promise<number> {
  return sendDueMails(
    { db: database.db, env: readEnv({ ORIGIN: origin }), log: createLog('silent') },
    { kinds: plainMailKinds, readSite: async () => plainMailSite(origin), transport, ...overrides },
  );
}

async function mail(key: string) {
  return database.db
    .selectFrom('mail_outbox')
    .selectAll()
    .select(sql<number>`extract(epoch from due_at - now())::float8`.as('dueInSeconds'))
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

const makeDue = () =>
  database.db
    .updateTable('mail_outbox')
    .set({ due_at: new Date(0) })
    .execute();

describe('an email that the server accepts', () => {
  test("sends an accepted email once, and stores the server's response", async () => {
    await queue({ key: 'a' });
    expect(await work()).toBe(1);
    expect(await work()).toBe(0);
    expect(smtp.accepted.map(({ to }) => to)).toEqual(['a@reader.example']);
    expect(await mail('a')).toMatchObject({
      state: 'sent',
      attempts: 1,
      reply: '250 queued as 1',
      last_error: null,
      lease_until: null,
      sent_at: expect.any(Date),
    });
  });

  test('writes email headers and bodies that another library can read: sender, Message-ID, both texts', async () => {
    await queue({ key: 'a', props: { subject: 'Grüße, 30 % off', text: 'Für dich' } });
    await work();
    const parsed = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
    expect(parsed.from).toMatchObject({ name: 'Test Deals', address: 'no-reply@deals.test' });
    expect(parsed.to).toEqual([{ name: '', address: 'a@reader.example' }]);
    expect(parsed.subject).toBe('Grüße, 30 % off');
    expect(parsed.messageId).toBe(`<${(await mail('a')).message_id}@deals.test>`);
    expect(parsed.text?.trim()).toBe('Für dich');
    expect(parsed.html).toContain('<p>Für dich</p>');
    const header = (name: string) => parsed.headers.find(({ key }) => key === name)?.value;
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('list-unsubscribe')).toBeUndefined();
  });

  test('adds both unsubscribe headers if an email is not about the account (RFC 8058)', async () => {
    await queue({ key: 'a', kind: 'news' });
    await work();
    const { headers } = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
    const header = (name: string) => headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe')).toBe('<https://deals.test/unsubscribe/one-click?email=a>');
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('stores the subject as sent, unless the email is about an account', async () => {
    await queue({ key: 'a', kind: 'news' });
    await queue({ key: 'b' });
    await work({ transport: null });
    expect([(await mail('a')).subject, (await mail('b')).subject]).toEqual(['Hello', null]);
    expect((await mail('a')).state).toBe('kept');
  });

  test('signs with DKIM, including the unsubscribe headers, if a key is set', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-dkim-'));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const file = path.join(folder, 'dkim.pem');
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const signing = transportTo({
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      DKIM_DOMAIN: 'deals.test',
      DKIM_SELECTOR: 'm1',
      DKIM_PRIVATE_KEY: file,
    });
    await queue({ key: 'a', kind: 'news' });
    await work({ transport: signing });
    signing.close();
    await rm(folder, { recursive: true });
    const { headers } = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
    const signature = headers.find(({ key }) => key === 'dkim-signature')?.value ?? '';
    expect(signature).toMatch(/d=deals\.test;.* s=m1;/);
    expect(signature.replace(/\s/g, '').toLowerCase()).toMatch(
      /h=[^;]*list-unsubscribe:list-unsubscribe-post/,
    );
  });
});

// Proves R37: trouble with SMTP
describe('R37: a failing server', () => {
  test('R37: retries an email after a 4xx response only after a pause', async () => {
    behaviours['a@reader.example'] = { at: 'data', code: 451, words: 'try later' };
    await queue({ key: 'a' });
    await work({ random: () => 0.5 });
    expect(await mail('a')).toMatchObject({
      state: 'queued',
      attempts: 1,
      last_error: '451 try later',
      unsure_count: 0,
    });
    expect((await mail('a')).dueInSeconds).toBeGreaterThan(50);
    expect(await work()).toBe(0);
    behaviours = {};
    await makeDue();
    await work();
    expect(await mail('a')).toMatchObject({ state: 'sent', attempts: 2 });
  });

  test('R37: marks an email as failed after a 5xx response for the recipient or the message, and stores the response', async () => {
    behaviours['a@reader.example'] = { at: 'recipient', code: 550, words: 'no such user' };
    behaviours['b@reader.example'] = { at: 'data', code: 554, words: 'we call this spam' };
    await queue({ key: 'a' });
    await queue({ key: 'b' });
    await work();
    expect(await mail('a')).toMatchObject({ state: 'failed', last_error: '550 no such user' });
    expect(await mail('b')).toMatchObject({ state: 'failed', last_error: '554 we call this spam' });
    await makeDue();
    expect(await work()).toBe(0);
  });

  test('R37: does not delay a request, since a form only queues its email', async () => {
    const { env } = testServices(database, {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
    });
    const visitor = testVisitor(testSite(database, { env }), '198.51.100.3');
    await smtp.close();
    const page = await visitor.sendAsHuman('/sign-up', {
      full_name: 'Ada Almond',
      email: 'ada@reader.example',
      password: 'walking the hills',
    });
    expect(page.status).toBe(200);
    expect(page.html).toContain('Sign up successful!');
    const rows = await database.db.selectFrom('mail_outbox').select(['kind', 'state']).execute();
    expect(rows).toEqual([{ kind: 'verify-email', state: 'queued' }]);
  });

  test('R37: does not block other emails because of one bad address', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      behaviours[`bad${n}@reader.example`] = {
        at: 'recipient',
        code: n % 2 ? 550 : 450,
        words: 'no',
      };
      await queue({ key: `bad${n}` });
    }
    for (const n of [1, 2, 3]) await queue({ key: `good${n}` });
    await work();
    expect(smtp.accepted.map(({ to }) => to).toSorted()).toEqual([
      'good1@reader.example',
      'good2@reader.example',
      'good3@reader.example',
    ]);
  });

  test('R37: delays an email if the server is unreachable or hangs up before the message', async () => {
    behaviours['a@reader.example'] = 'hang-up-before-data';
    await queue({ key: 'a' });
    await work();
    expect(await mail('a')).toMatchObject({ state: 'queued', unsure_count: 0 });
    expect((await mail('a')).last_error).toBeTruthy();

    await makeDue();
    const nowhere = transportTo({ SMTP_URL: 'smtp://127.0.0.1:1' });
    await work({ transport: nowhere });
    nowhere.close();
    expect(await mail('a')).toMatchObject({ state: 'queued', attempts: 2, unsure_count: 0 });
    expect((await mail('a')).last_error).toContain('ECONNREFUSED');
  });

  test.each(['hang-up-after-data', 'say-nothing'] as const)(
    'R37: counts an email as uncertain on "%s", and retries it with the same Message-ID',
    async (behaviour) => {
      behaviours['a@reader.example'] = behaviour;
      await queue({ key: 'a' });
      const address = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) };
      const waiting = transportTo(address, behaviour === 'say-nothing' ? hasty : patient);
      await work({ transport: waiting });
      waiting.close();
      expect(await mail('a')).toMatchObject({ state: 'queued', unsure_count: 1 });
      behaviours = {};
      await makeDue();
      await work();
      expect(await mail('a')).toMatchObject({ state: 'sent', unsure_count: 1, attempts: 2 });
      const ids = await Promise.all(
        smtp.mails.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
      );
      expect(ids).toEqual([ids[0], ids[0]]);
      expect(ids[0]).toMatch(/^<[0-9a-f]{32}@deals\.test>$/);
    },
  );

  test('R37: stops retrying an email after 48 hours', async () => {
    behaviours['a@reader.example'] = { at: 'data', code: 451, words: 'try later' };
    await queue({ key: 'a' });
    await sql`update mail_outbox set trying_since = now() - interval '49 hours'`.execute(
      database.db,
    );
    await work();
    expect(await mail('a')).toMatchObject({ state: 'failed', last_error: '451 try later' });
  });

  test('R37: doubles the pauses up to four hours, with a jitter of a quarter either way', () => {
    const limits = { firstPauseSeconds: 60, longestPauseSeconds: 4 * 3600 };
    const middle = (attempts: number) => pauseSeconds(attempts, limits, () => 0.5);
    expect([1, 2, 3, 9, 100].map(middle)).toEqual([60, 120, 240, 14_400, 14_400]);
    expect(pauseSeconds(1, limits, () => 0)).toBe(45);
    expect(pauseSeconds(1, limits, () => 0.999)).toBeLessThanOrEqual(75);
  });
});

describe('before sending', () => {
  test('cancels an email whose reason is gone', async () => {
    await queue({ key: 'a', kind: 'unwanted' });
    await work();
    expect(await mail('a')).toMatchObject({ state: 'cancelled', sent_at: null });
    expect(smtp.mails).toEqual([]);
  });

  // Proves R53: mail format
  test('holds back an email with a third-party link, or with no way to unsubscribe', async () => {
    await queue({ key: 'a', props: { subject: 's', text: 't', link: 'https://evil.example/' } });
    await queue({ key: 'b', props: { subject: 's', text: 't', link: `${origin}.evil.example/` } });
    await queue({ key: 'c', kind: 'news-without-way-out' });
    await queue({ key: 'd', kind: 'unheard-of' });
    await work();
    expect(smtp.mails).toEqual([]);
    expect((await mail('a')).last_error).toBe(
      'the email was held back: it links to https://evil.example/',
    );
    expect((await mail('b')).last_error).toContain('it links to');
    expect((await mail('c')).last_error).toContain('no way to unsubscribe');
    expect((await mail('d')).last_error).toBe('there is no template unheard-of');
  });

  test('stores an email for reading if there is no mail server, and never sends it later by itself', async () => {
    await queue({ key: 'a' });
    await queue({ key: 'b', kind: 'unwanted' });
    await work({ transport: null });
    expect(await mail('a')).toMatchObject({ state: 'kept', sent_at: null });
    expect(await mail('b')).toMatchObject({ state: 'cancelled' });
    await makeDue();
    expect(await work()).toBe(0);
  });
});

describe('many workers', () => {
  test('sends each email once with many workers', async () => {
    for (let n = 0; n < 60; n += 1) await queue({ key: `k${n}` });
    const counts = await Promise.all([work(), work(), work()]);
    expect(counts[0] + counts[1] + counts[2]).toBe(60);
    expect(new Set(smtp.accepted.map(({ to }) => to)).size).toBe(60);
    expect(smtp.accepted.length).toBe(60);
  });

  test('leaves an email alone while another worker’s lease is valid, and claims it once the lease has expired', async () => {
    await queue({ key: 'a' });
    await sql`update mail_outbox set lease_owner = 'other', lease_until = now() + interval '1 minute'`.execute(
      database.db,
    );
    expect(await work()).toBe(0);
    await sql`update mail_outbox set lease_until = now() - interval '1 second'`.execute(
      database.db,
    );
    expect(await work()).toBe(1);
  });

  test('does not store an outcome if another worker took over the lease', async () => {
    await queue({ key: 'a' });
    const thief: MailTransport = {
      description: '',
      close() {},
      async deliver() {
        await sql`update mail_outbox set lease_owner = 'other'`.execute(database.db);
        return { outcome: 'refused', words: '550 no', isAddressRefused: true };
      },
    };
    await work({ transport: thief });
    expect(await mail('a')).toMatchObject({ state: 'queued', lease_owner: 'other' });
  });

  test('renews a lease while a slow server responds', async () => {
    await queue({ key: 'a' });
    const leases: Date[] = [];
    const slow: MailTransport = {
      description: '',
      close() {},
      async deliver() {
        const first = (await mail('a')).lease_until;
        await expect.poll(async () => (await mail('a')).lease_until).not.toEqual(first);
        const now = (await mail('a')).lease_until;
        if (now && first && now > first) leases.push(now);
        return { outcome: 'sent', words: '250 ok' };
      },
    };
    await work({ transport: slow, limits: { leaseSeconds: 6 } });
    expect(leases.length).toBe(1);
    expect(await mail('a')).toMatchObject({ state: 'sent' });
  });

  // Proves R38: graceful stop
  test('returns unstarted emails without an attempt when stopped', async () => {
    for (let n = 0; n < 10; n += 1) await queue({ key: `k${n}` });
    const stopping = new AbortController();
    const stopper: MailTransport = {
      description: '',
      close() {},
      async deliver() {
        stopping.abort();
        return { outcome: 'sent', words: '250 ok' };
      },
    };
    await work({ transport: stopper, signal: stopping.signal, limits: { atOnce: 1 } });
    const rows = await database.db
      .selectFrom('mail_outbox')
      .select(['state', 'attempts', 'lease_owner'])
      .execute();
    expect(rows.filter(({ state }) => state === 'sent').length).toBe(1);
    expect(rows.filter(({ state }) => state === 'queued')).toEqual(
      Array.from({ length: 9 }, () => ({ state: 'queued', attempts: 0, lease_owner: null })),
    );
  });

  test('sends emails that users wait for before bulk email', async () => {
    await queue({ key: 'bulk1', isBulk: true });
    await queue({ key: 'bulk2', isBulk: true });
    await queue({ key: 'single' });
    await work({ limits: { batch: 1, atOnce: 1 } });
    expect(smtp.accepted[0]?.to).toBe('single@reader.example');
  });
});

describe('queueing', () => {
  // Proves R08: mail outbox
  test('queues an email as part of its transaction, and only one email per key', async () => {
    await expect(
      database.db.transaction().execute(async (tx) => {
        await queueMail(tx, { key: 'a', kind: 'plain', to: 'a@reader.example', props: {} });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await queue({ key: 'a' });
    expect(
      await queueMail(database.db, { key: 'a', kind: 'plain', to: 'b@reader.example', props: {} }),
    ).toEqual({ queued: false, reason: 'same-key' });
    const rows = await database.db.selectFrom('mail_outbox').select('recipient').execute();
    expect(rows).toEqual([{ recipient: 'a@reader.example' }]);
  });

  // Proves R26: contact and newsletter (app/platform/mail/mail-address.server.ts)
  // Proves R26: contact and newsletter
  test('rejects any recipient that is not one plain address (R26)', async () => {
    expect(
      await queueMail(database.db, {
        key: 'a',
        kind: 'plain',
        to: 'a@x.example, b@x.example',
        props: {},
      }),
    ).toEqual({ queued: false, reason: 'bad-address' });
  });
});
