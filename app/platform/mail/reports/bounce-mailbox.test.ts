import { afterEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { type ImapStandIn, startImapStandIn } from '#test/imap-stand-in.ts';
import { testServices } from '#test/services.ts';
import { bounceAddress, findBouncedMail } from '../bounce-address.server.ts';
import { queueMail } from '../queue-mail.server.ts';
import { liftByConfirming } from '../suspension-queries.server.ts';
import { readBounceMailbox } from './read-bounce-mailbox-job.server.ts';
import { readBounceMessage } from './read-bounce-message.server.ts';

const database = useTestDatabase();
const base = 'bounces@deals.test';
let mailbox: ImapStandIn | null = null;
afterEach(async () => {
  await mailbox?.close();
  mailbox = null;
});

const lines = (...all: string[]) => all.join('\r\n');

/** Returns a delivery status like the example of RFC 3464, appendix E.1. */
const deliveryStatus = (to: string, more: { action?: string; status?: string } = {}) =>
  lines(
    'Date: Thu, 7 Jul 1994 17:16:05 -0400',
    'From: Mail Delivery Subsystem <MAILER-DAEMON@CS.UTK.EDU>',
    `To: <${to}>`,
    'Subject: Returned mail: Cannot send message',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '      boundary="RAA14128.773615765/CS.UTK.EDU"',
    '',
    '--RAA14128.773615765/CS.UTK.EDU',
    '',
    'The original message was received at Sat, 2 Jul 1994 17:10:28 -0400',
    '--RAA14128.773615765/CS.UTK.EDU',
    'content-type: message/delivery-status',
    '',
    'Reporting-MTA: dns; cs.utk.edu',
    '',
    'Original-Recipient: rfc822;ada@reader.example',
    'Final-Recipient: rfc822;forwarded@elsewhere.example',
    `Action: ${more.action ?? 'failed'}`,
    `Status: ${more.status ?? '5.1.1 (no such user)'}`,
    'Diagnostic-Code: smtp; 550 5.1.1',
    '   mailbox unavailable',
    'Last-Attempt-Date: Thu, 7 Jul 1994 17:15:49 -0400',
    '',
    '--RAA14128.773615765/CS.UTK.EDU',
    'content-type: message/rfc822',
    '',
    'Subject: On sale',
    '',
    'The deal',
    '--RAA14128.773615765/CS.UTK.EDU--',
    '',
  );

/** Returns a feedback report like the example of RFC 5965, appendix B.2. */
const feedbackReport = (sender: string, type = 'abuse') =>
  lines(
    'From: <abusedesk@example.com>',
    'Date: Thu, 8 Mar 2005 17:40:36 EDT',
    'Subject: FW: Earn money',
    'To: <feedback@deals.test>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report;',
    '     boundary="part1_13d.2e68ed54_boundary"',
    '',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    `Original-Mail-From: <${sender}>`,
    'Original-Rcpt-To: <user@example.com>',
    '',
    '--part1_13d.2e68ed54_boundary',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'Subject: On sale',
    '',
    'The deal',
    '--part1_13d.2e68ed54_boundary--',
    '',
  );

async function sentTo(to: string): Promise<{ id: number; sender: string }> {
  const queued = await queueMail(database.db, { key: to, kind: 'test', to, props: {} });
  if (!queued.queued) throw new Error(queued.reason);
  return { id: queued.id, sender: await bounceAddress(database.db, base, queued.id) };
}

const services = (url: string) =>
  testServices(database, { BOUNCE_ADDRESS: base, BOUNCE_MAILBOX: url });

async function read(...sources: string[]): Promise<ImapStandIn> {
  mailbox = await startImapStandIn(sources);
  await readBounceMailbox(services(mailbox.url));
  return mailbox;
}

const rows = () =>
  database.db
    .selectFrom('mail_suspensions')
    .select(['recipient', 'reason', 'source', 'diagnostic', 'mail_id'])
    .where('lifted_at', 'is', null)
    .orderBy('recipient')
    .execute();

describe('the bounce mailbox', () => {
  test('suspends the recipient of the email that the token names, whatever the report claims', async () => {
    const ada = await sentTo('Ada@reader.example');
    const bob = await sentTo('bob@reader.example');
    const { messages } = await read(
      deliveryStatus(ada.sender.toUpperCase()),
      feedbackReport(bob.sender),
    );
    expect(await rows()).toEqual([
      {
        recipient: 'ada@reader.example',
        reason: 'bounce',
        source: 'mailbox',
        diagnostic: 'smtp; 550 5.1.1 mailbox unavailable (forwarded@elsewhere.example)',
        mail_id: ada.id,
      },
      {
        recipient: 'bob@reader.example',
        reason: 'complaint',
        source: 'mailbox',
        diagnostic: 'abuse',
        mail_id: bob.id,
      },
    ]);
    expect(messages.map(({ flags }) => flags)).toEqual([['\\Seen'], ['\\Seen']]);
  });

  test('reads each bounce once, and changes nothing when one is read again after the suspension was lifted', async () => {
    const { sender } = await sentTo('ada@reader.example');
    const { url, messages, commands } = await read(deliveryStatus(sender));
    await liftByConfirming(database.db, 'ada@reader.example');
    await readBounceMailbox(services(url));
    expect(commands.filter((command) => command.startsWith('UID FETCH'))).toHaveLength(1);
    messages[0]?.flags.splice(0);
    await readBounceMailbox(services(url));
    expect(commands.filter((command) => command.startsWith('UID FETCH'))).toHaveLength(2);
    expect(await rows()).toEqual([]);
  });

  test('does not process messages that are not about our emails, and flags them for a person', async () => {
    const { id, sender } = await sentTo('ada@reader.example');
    const forgedSender = sender.replace(/-[0-9a-f]{20}@/, `-${'0'.repeat(20)}@`);
    const otherMail = sender.replace(`+${id.toString(36)}-`, `+${(id + 1).toString(36)}-`);
    const { messages } = await read(
      lines('From: somebody@example.com', `To: <${sender}>`, '', 'I am on holiday.'),
      deliveryStatus(forgedSender),
      deliveryStatus(otherMail),
      deliveryStatus(base),
      feedbackReport('somebody@example.com'),
      '\0'.repeat(1000),
    );
    expect(await rows()).toEqual([]);
    expect(messages.every(({ flags }) => flags.join(' ') === '\\Flagged \\Seen')).toBe(true);
  });

  test('does not suspend an address for a delay, a soft bounce or “not spam”', async () => {
    const { sender } = await sentTo('ada@reader.example');
    const { messages } = await read(
      deliveryStatus(sender, { action: 'delayed', status: '4.4.7' }),
      deliveryStatus(sender, { status: '4.2.2' }),
      deliveryStatus(sender, { status: '5.7.1' }),
      deliveryStatus(sender, { action: 'delivered', status: '2.0.0' }),
      feedbackReport(sender, 'not-spam'),
    );
    expect(await rows()).toEqual([]);
    expect(messages.map(({ flags }) => flags.join())).toEqual(Array(5).fill('\\Seen'));
  });

  test('reads a limited number of bounce messages at a time', async () => {
    const { sender } = await sentTo('ada@reader.example');
    const { messages } = await read(...Array<string>(505).fill(deliveryStatus(sender)));
    expect(messages.filter(({ flags }) => flags.length === 0)).toHaveLength(5);
  });

  test('fails without revealing the bounce mailbox’s password if the login is refused', async () => {
    mailbox = await startImapStandIn([]);
    const wrong = mailbox.url.replace('right', 'secret-word');
    const failure = await readBounceMailbox(services(wrong)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain('secret-word');
  });

  test('does not read a bounce mailbox if none is configured', async () => {
    await readBounceMailbox(testServices(database));
    expect(await rows()).toEqual([]);
  });
});

describe('a token of an envelope sender', () => {
  test('reads a bounce token in any letter case and among other text', async () => {
    const sender = await bounceAddress(database.db, base, 123_456_789);
    expect(sender).toMatch(/^bounces\+21i3v9-[0-9a-f]{20}@deals\.test$/);
    const text = `To: x@y.example, <${sender.toUpperCase()}>`;
    expect(await findBouncedMail(database.db, text)).toBe(123_456_789);
  });

  test('ignores a forged bounce token, and finds a genuine one after it', async () => {
    const [one, other] = [
      await bounceAddress(database.db, base, 1),
      await bounceAddress(database.db, base, 2),
    ];
    const forged = one.replace('+1-', '+3-');
    expect(await findBouncedMail(database.db, forged)).toBeNull();
    expect(await findBouncedMail(database.db, `${forged} ${other}`)).toBe(2);
  });
});

test('reads a report from its own parts only, not from a text that resembles one', async () => {
  const quoted = lines(
    'Content-Type: text/plain',
    '',
    'Content-Type: message/delivery-status',
    '',
    'Final-Recipient: rfc822;ada@reader.example',
    'Action: failed',
    'Status: 5.1.1',
  );
  expect(await readBounceMessage(Buffer.from(quoted))).toBeNull();
});

describe('a report that a stranger crafted', () => {
  const bounce = lines(
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns;mail.example',
    '',
    'Final-Recipient: rfc822;ada@reader.example',
    'Action: failed',
    'Status: 5.1.1',
    '--b--',
  );
  const after = (count: number) =>
    lines('Content-Type: multipart/report; boundary=b', '', ...Array(count).fill(''), bounce);

  test('reads at most 2,500 lines of a crafted report, since each line takes time', async () => {
    expect((await readBounceMessage(Buffer.from(after(2_000))))?.report?.reason).toBe('bounce');
    expect(await readBounceMessage(Buffer.from(after(2_500)))).toBeNull();
  });

  test('does not parse deeply nested parts of a report, nor the returned email', async () => {
    const deep = (levels: number) => {
      const opening = Array.from({ length: levels }, (_, n) =>
        lines(`Content-Type: multipart/mixed; boundary=b${n}`, '', `--b${n}`),
      );
      return lines(...opening, 'Content-Type: multipart/report; boundary=b', '', bounce);
    };
    expect((await readBounceMessage(Buffer.from(deep(3))))?.report?.reason).toBe('bounce');
    await expect(readBounceMessage(Buffer.from(deep(20)))).rejects.toThrow(/nesting depth/);
    const returned = lines('Content-Type: message/rfc822', '', after(0));
    expect(await readBounceMessage(Buffer.from(returned))).toBeNull();
  });

  test('checks at most fifty tokens of a report', async () => {
    const genuine = await bounceAddress(database.db, 'bounces@deals.test', 7);
    const guesses = (count: number) => `+1-${'0'.repeat(20)}@x `.repeat(count) + genuine;
    expect(await findBouncedMail(database.db, guesses(49))).toBe(7);
    expect(await findBouncedMail(database.db, guesses(50))).toBeNull();
  });
});
