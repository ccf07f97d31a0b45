import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { findBouncedMail } from '../bounce-address.server.ts';
import { suspendAddress } from '../suspension-queries.server.ts';
import { readBounceMessage } from './read-bounce-message.server.ts';

const mostMessages = 500;
const atOnce = 20;
/** bytes of a message; the relevant parts precede the returned email */
const mostBytes = 256 * 1024;

/**
 * Reads the unseen messages of the bounce mailbox and marks them as seen. Messages that report no
 * email from this site are flagged for a person to check.
 */
export async function readBounceMailbox(
  { db, env, log }: Pick<AppServices, 'db' | 'env' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { mailbox } = env.mail.bounces;
  if (mailbox === null) return;
  const client = await prepareClient(mailbox);
  // Without a listener, an error of the connection would end the process. The pending command fails
  // as well.
  client.on('error', () => {});
  const counts = { read: 0, suspended: 0, unknown: 0 };
  try {
    await client.connect();
    await client.mailboxOpen(folderOf(mailbox));
    const found = (await client.search({ seen: false }, { uid: true })) || [];
    const waiting = found.slice(0, mostMessages);
    await inBatches(signal, async () => {
      const lot = waiting.splice(0, atOnce);
      if (lot.length > 0) await readSome(client, db, lot, counts);
      return waiting.length > 0;
    });
    await client.logout();
  } finally {
    client.close();
  }
  if (counts.read > 0) log.info(counts, 'bounce mailbox read');
}

/** Creates the client. Only a site with a bounce mailbox loads the library. */
async function prepareClient(mailbox: string): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow');
  const { protocol, hostname, port, username, password } = new URL(mailbox);
  const secure = protocol === 'imaps:';
  return new Client({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
  });
}

function folderOf(mailbox: string): string {
  return decodeURIComponent(new URL(mailbox).pathname.slice(1)) || 'INBOX';
}

async function readSome(
  client: ImapFlow,
  db: Db,
  uids: number[],
  counts: { read: number; suspended: number; unknown: number },
): Promise<void> {
  const wanted = { uid: true, internalDate: true, source: { maxLength: mostBytes } };
  const unknown: number[] = [];
  for (const message of await client.fetchAll(uids, wanted, { uid: true })) {
    const outcome = await noteMessage(db, message);
    if (outcome === 'suspended') counts.suspended += 1;
    if (outcome === 'unknown') unknown.push(message.uid);
  }
  // Flags are set last, since after a crash the messages are read again, which changes nothing.
  if (unknown.length > 0) await client.messageFlagsAdd(unknown, ['\\Flagged'], { uid: true });
  await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true });
  counts.read += uids.length;
  counts.unknown += unknown.length;
}

/** Suspends the recipient of the email that the token names, whatever the message claims. */
async function noteMessage(
  db: Db,
  { source, internalDate }: FetchMessageObject,
): Promise<'suspended' | 'nothing' | 'unknown'> {
  const message = source ? await readBounceMessage(source).catch(() => null) : null;
  const mailId = message && (await findBouncedMail(db, message.text));
  if (!message || !mailId) return 'unknown';
  const mail = await db
    .selectFrom('mail_outbox')
    .select('recipient')
    .where('id', '=', mailId)
    .executeTakeFirst();
  if (!mail || !message.report) return 'nothing';
  const isNews = await suspendAddress(db, {
    ...message.report,
    address: mail.recipient,
    source: 'mailbox',
    mailId,
    at: internalDate ? new Date(internalDate) : null,
  });
  return isNews ? 'suspended' : 'nothing';
}
