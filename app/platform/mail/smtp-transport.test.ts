import { createHash, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import {
  describeMail,
  mailTransportOf,
  type MailTransport,
  type OutgoingMail,
  smtpTransport,
} from './smtp-transport.server.ts';

/** The server's reply at each step; `null` means no reply at all. */
type Step = 'greeting' | 'EHLO' | 'HELO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end';
type Script = Partial<Record<Step, string | null>>;

const polite: Record<Step, string> = {
  greeting: '220 mail.test ready',
  EHLO: '250 mail.test',
  HELO: '250 mail.test',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  end: '250 queued as 7',
};

const servers: Server[] = [];
const sockets = new Set<Socket>();
const transports: MailTransport[] = [];
afterEach(() => {
  for (const transport of transports.splice(0)) transport.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Starts a mail server that follows a script and records the commands. */
async function startScripted(script: Script = {}) {
  const told: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let isMail = false;
    let waiting = '';
    const say = (step: Step) => {
      const words = script[step] === undefined ? polite[step] : script[step];
      if (words !== null) socket.write(`${words}\r\n`);
    };
    say('greeting');
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1');
      for (let cut = waiting.indexOf('\r\n'); cut >= 0; cut = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, cut);
        waiting = waiting.slice(cut + 2);
        if (isMail) {
          if (line !== '.') continue;
          isMail = false;
          say('end');
          continue;
        }
        told.push(line);
        const step = (line.split(' ', 1)[0] ?? '').toUpperCase();
        if (step === 'QUIT') socket.end('221 bye\r\n');
        else if (step === 'RSET') socket.write('250 ok\r\n');
        else say(step as Step);
        isMail = step === 'DATA' && (script.DATA ?? polite.DATA).startsWith('354');
      }
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, told };
}

/**
 * Timeouts in ms. A busy server must not count as unresponsive, so only tests of unresponsive
 * servers have short timeouts.
 */
const patient = { connectInMs: 30_000, silenceInMs: 30_000 };
const hasty = { connectInMs: 1_000, silenceInMs: 1_000 };

function transportTo(env: Record<string, string>, timeouts = patient): MailTransport {
  const { mail } = readEnv({ ORIGIN: 'https://deals.test', ...env });
  const transport = smtpTransport(mail, timeouts);
  transports.push(transport);
  return transport;
}

const atPort = (port: number) => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port) });

const aMail = (overrides: Partial<OutgoingMail> = {}): OutgoingMail => ({
  from: { name: 'Test Deals', address: 'no-reply@deals.test' },
  to: 'ada@reader.example',
  subject: 'Hello',
  html: '<p>Hello there</p>',
  text: 'Hello there',
  messageId: '<one@deals.test>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...overrides,
});
const never = new AbortController().signal;

describe("the server's reply", () => {
  // The columns: step, reply, outcome, and whether the email may have arrived nevertheless.
  test.each<[Step, string | null, 'sent' | 'refused' | 'later', boolean]>([
    ['greeting', '421 too busy', 'later', false],
    ['greeting', '554 we do not know you', 'later', false],
    ['greeting', 'hello', 'later', false],
    ['greeting', null, 'later', false],
    ['MAIL', '421 closing', 'later', false],
    ['MAIL', '451 try later', 'later', false],
    ['MAIL', '530 sign in first', 'later', false],
    ['MAIL', '550 this sender is not ours', 'later', false],
    ['RCPT', '421 closing', 'later', false],
    ['RCPT', '450 mailbox busy', 'later', false],
    ['RCPT', '452 mailbox full', 'later', false],
    ['RCPT', '550 no such user', 'refused', false],
    ['RCPT', '552 over quota', 'refused', false],
    ['RCPT', null, 'later', false],
    ['DATA', '451 try later', 'later', false],
    ['DATA', '554 no mail from you', 'refused', false],
    ['end', '421 closing', 'later', false],
    ['end', '451 greylisted', 'later', false],
    ['end', '452 no room', 'later', false],
    ['end', '550 spam', 'refused', false],
    ['end', '552 too large', 'refused', false],
    ['end', null, 'later', true],
    ['end', '250 2.0.0 ok', 'sent', false],
  ])(
    'classifies a reply at %s with %j: the email is %s, uncertain: %s',
    async (step, words, outcome, isUncertain) => {
      const { port } = await startScripted({ [step]: words });
      const transport = transportTo(atPort(port), words === null ? hasty : patient);
      const delivery = await transport.deliver(aMail(), never);
      expect(delivery.outcome).toBe(outcome);
      expect(delivery.outcome === 'later' && delivery.isUncertain).toBe(isUncertain);
      expect(delivery.words).toMatch(/\w/);
      expect(delivery.words).toContain(words ?? '');
    },
  );

  test('stores a reply as one line, however many lines it has, and cuts it to a readable length', async () => {
    const { port } = await startScripted({
      RCPT: `550-5.1.1 no such user\r\n550-5.1.1 \u0007see\r\n550 5.1.1 https://mail.test/${'x'.repeat(900)}`,
    });
    const { words } = await transportTo(atPort(port)).deliver(aMail(), never);
    expect(words).toMatch(/^550-5\.1\.1 no such user/);
    expect(words).not.toMatch(/\p{Cc}/u);
    expect(words.length).toBeLessThanOrEqual(500);
  });
});

describe('the connection to the server', () => {
  test('reuses the mail server’s connection for the next email, and opens another if the server has closed it', async () => {
    const { port, told } = await startScripted();
    const transport = transportTo(atPort(port));
    const outcomes = async () => (await transport.deliver(aMail(), never)).outcome;
    expect([await outcomes(), await outcomes()]).toEqual(['sent', 'sent']);
    expect(told.filter((line) => line.startsWith('EHLO'))).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    await expect.poll(outcomes).toBe('sent');
    expect(told.filter((line) => line.startsWith('EHLO')).length).toBeGreaterThan(1);
  });

  test('passes one sender and one recipient to the mail server, whatever the headers contain', async () => {
    const { port, told } = await startScripted();
    const headers = { Bcc: 'eve@evil.example', 'X-To': 'eve@evil.example' };
    await transportTo(atPort(port)).deliver(aMail({ headers }), never);
    expect(told.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<no-reply@deals.test>',
      'RCPT TO:<ada@reader.example>',
    ]);
  });

  test('authenticates first, and loses no email if the password is wrong', async () => {
    const { port, told } = await startScripted({
      EHLO: '250-mail.test\r\n250 AUTH PLAIN',
      AUTH: '535 wrong password',
    });
    const user = { SMTP_USER: 'shop', SMTP_PASSWORD: 'hunter2 and more' };
    const delivery = await transportTo({ ...atPort(port), ...user }).deliver(aMail(), never);
    expect(delivery).toMatchObject({ outcome: 'later', isUncertain: false });
    expect(delivery.words).toContain('535 wrong password');
    expect(delivery.words).not.toContain('hunter2');
    const sent = Buffer.from(
      told.find((line) => line.startsWith('AUTH'))?.split(' ')[2] ?? '',
      'base64',
    );
    expect(sent.toString()).toBe('\0shop\0hunter2 and more');
    expect(told.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  test('encrypts the connection if the mail server offers encryption, before anything is sent', async () => {
    const { port, told } = await startScripted({
      EHLO: '250-mail.test\r\n250-STARTTLS\r\n250 AUTH PLAIN',
    });
    const url = `smtp://shop:hunter2@127.0.0.1:${port}`;
    const delivery = await transportTo({ SMTP_URL: url }, hasty).deliver(aMail(), never);
    expect(delivery.outcome).toBe('later'); // The script does not support TLS.
    expect(told.at(-1)).toBe('STARTTLS');
    expect(told.join(' ')).not.toMatch(/AUTH|MAIL/);
  });

  test('encrypts a connection to smtps:// from the first byte', async () => {
    const first = Promise.withResolvers<number | undefined>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', (chunk) => first.resolve(chunk[0]));
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const transport = transportTo({ SMTP_URL: `smtps://127.0.0.1:${port}` }, hasty);
    const asking = transport.deliver(aMail(), never);
    expect(await first.promise).toBe(0x16); // A TLS handshake starts with this byte.
    expect((await asking).outcome).toBe('later');
  });

  test('describes the mail server without the password, or the outbox if no server is configured', () => {
    const env = (source: Record<string, string>) =>
      readEnv({ ORIGIN: 'https://deals.test', ...source });
    expect(describeMail(env({}).mail)).toBe('outbox at /admin/outbox');
    expect(describeMail(env({ SMTP_URL: 'smtps://me:hunter2@mail.example:465' }).mail)).toBe(
      'smtp mail.example',
    );
    expect(describeMail(env({ SMTP_HOST: 'mail.example', SMTP_PASSWORD: 'hunter2' }).mail)).toBe(
      'smtp mail.example',
    );
    expect(mailTransportOf(env({}).mail)).toBeNull();
    const configured = env({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' }).mail;
    const transport = mailTransportOf(configured);
    expect(transport).not.toBeNull();
    expect(mailTransportOf({ ...configured })).toBe(transport);
    const other = mailTransportOf(env({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '2' }).mail);
    expect(other).not.toBe(transport);
    other?.close();
    transport?.close();
  });
});

test('aborts and retries an email whose lease is lost', async () => {
  const { port } = await startScripted({ RCPT: null });
  const stopping = new AbortController();
  const asking = transportTo(atPort(port)).deliver(aMail(), stopping.signal);
  stopping.abort();
  expect(await asking).toMatchObject({ outcome: 'later', isUncertain: false });
});

describe('an email in transit', () => {
  /** Returns the email as it arrived. */
  async function arrived(mail: OutgoingMail, env: Record<string, string> = {}): Promise<string> {
    const smtp = await startSmtpStandIn();
    const transport = transportTo({ ...atPort(smtp.port), ...env });
    expect((await transport.deliver(mail, never)).outcome).toBe('sent');
    transport.close();
    await smtp.close();
    return smtp.accepted[0]?.raw ?? '';
  }
  const headOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));

  test('R26: does not let a title, name or link add an email header', async () => {
    const raw = await arrived(
      aMail({
        subject: 'Lamp\r\nBcc: eve@evil.example\r\n\r\n<script>',
        from: { name: 'Deals"\r\nReply-To: eve@evil.example', address: 'no-reply@deals.test' },
        headers: { 'List-Unsubscribe': '<https://deals.test/u?a=b>\r\nX-Evil: yes' },
      }),
    );
    expect(headOf(raw)).not.toMatch(/^(?:Bcc|Reply-To|X-Evil):/im);
    const { headers, subject, text } = await PostalMime.parse(raw);
    expect(headers.map(({ key }) => key)).not.toContain('x-evil');
    expect(subject).toContain('Lamp');
    expect(text?.trim()).toBe('Hello there');
  });

  test('delivers an email unchanged: lines with a single dot, long lines, every language, a NUL', async () => {
    const text = `.\n..\n.hidden\n${'x'.repeat(3_000)}\nGrüße 日本語 🔥\nend`;
    const parsed = await PostalMime.parse(await arrived(aMail({ text, html: `<p>${text}</p>` })));
    expect(parsed.text?.trimEnd()).toBe(text);
    expect(parsed.html?.trimEnd()).toBe(`<p>${text}</p>`);
  });

  test('R53: sends HTML and text, and loads nothing that they name from a file or the network', async () => {
    const html = '<img src="file:///etc/hostname"><img src="data:image/png;base64,AAAA">';
    const parsed = await PostalMime.parse(await arrived(aMail({ html })));
    expect(parsed.text?.trim()).toBe('Hello there');
    expect(parsed.html?.trim()).toBe(html);
    expect(parsed.attachments).toEqual([]);
  });

  test('signs an email so that anyone can verify that the email is unchanged (RFC 6376)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-signed-'));
    const file = path.join(folder, 'dkim.pem');
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const dkim = { DKIM_DOMAIN: 'deals.test', DKIM_SELECTOR: 'm1', DKIM_PRIVATE_KEY: file };
    const unsubscribe = {
      'List-Unsubscribe': '<https://deals.test/unsubscribe/one-click?token=abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const mail = aMail({
      subject: 'Grüße — 30 % off',
      headers: unsubscribe,
      text: '.\nline  two \n\n\n',
    });
    const raw = await arrived(mail, dkim);
    await rm(folder, { recursive: true });

    expect(isSignedBy(raw, publicKey)).toBe(true);
    for (const [from, to] of [
      ['line  two', 'line three'],
      ['To: ada@', 'To: eve@'],
      ['token=abc', 'token=abd'],
      ['One-Click', 'Two-Click'],
      ['<one@deals.test>', '<two@deals.test>'],
    ] as const) {
      expect([from, raw.includes(from)]).toEqual([from, true]);
      expect([to, isSignedBy(raw.replace(from, to), publicKey)]).toEqual([to, false]);
    }
    const { publicKey: another } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(isSignedBy(raw, another)).toBe(false);
  });
});

/**
 * Checks the signature of an email like an email client (RFC 6376, relaxed for headers and body).
 */
function isSignedBy(raw: string, key: KeyObject): boolean {
  const cut = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, cut)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  const named = (name: string) =>
    headers.findLast((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const relaxed = (line: string) => {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).replace(/[ \t]+/g, ' ');
    return `${line.slice(0, colon).toLowerCase()}:${value.trim()}`;
  };
  const signature = named('dkim-signature') ?? '';
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => [
        tag.split('=', 1)[0]?.trim() ?? '',
        tag.slice(tag.indexOf('=') + 1).replace(/\s/g, ''),
      ]),
  );
  expect([tags.get('a'), tags.get('c')]).toEqual(['rsa-sha256', 'relaxed/relaxed']);
  const body = raw
    .slice(cut + 4)
    .replace(/[ \t]+/g, ' ')
    .replace(/ (?=\r\n)/g, '')
    .replace(/(?:\r\n)*$/, '\r\n');
  if (createHash('sha256').update(body, 'utf8').digest('base64') !== tags.get('bh')) return false;
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const line = named(name);
    return line === undefined ? [] : [`${relaxed(line)}\r\n`];
  });
  const bare = relaxed(signature).replace(/(;\s*b=)[^;]*/, '$1');
  return createVerify('sha256')
    .update(signed.join('') + bare)
    .verify(key, tags.get('b') ?? '', 'base64');
}
