import { sql } from 'kysely';
import {
  deliverOutbox,
  isFree,
  type OutboxWorker,
  type Verdict,
} from '#app/platform/deliver-outbox.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';
import { bounceAddress } from './bounce-address.server.ts';
import { maskMailAddress, readMailAddress } from './mail-address.server.ts';
import {
  findFault,
  type MailKind,
  type MailSite,
  type OutboxMail,
  type WrittenMail,
} from './mail-kind.server.ts';
import type { Delivery, MailTransport } from './smtp-transport.server.ts';
import { findSuspension, suspendAddress } from './suspension-queries.server.ts';

export interface MailWorker extends OutboxWorker {
  kinds: Readonly<Record<string, MailKind>>;
  readSite(db: Db, env: Env): Promise<MailSite>;
  /**
   * The mail server, or null if there is none. Due emails are then stored for the administrator to
   * read.
   */
  transport: MailTransport | null;
  /**
   * Passes an email to the recipient's own channels. Returns `null` if the email is sent as well,
   * or a verdict if it waits for the channels.
   */
  handOver?(db: Db, mail: OutboxMail): Promise<Verdict | null>;
  /** Returns whether the recipient may get only emails that they request themselves. */
  isBarred?(db: Db, mail: OutboxMail): Promise<boolean>;
}

export const areMailsDue = () =>
  sql`(
  select true from (values (false), (true)) kind (is_bulk) where (
    select true from mail_outbox m
     where m.is_bulk = kind.is_bulk and due_at <= now() and ${isFree} order by due_at limit 1)
   limit 1)`;

/**
 * Sends every due email and returns the number of claimed ones. An email that is sent again has the
 * same Message-ID.
 */
export function sendDueMails(
  { db, env, log }: { db: Db; env: Env; log: Log },
  worker: MailWorker,
): Promise<number> {
  return deliverOutbox<OutboxMail>(
    { db, log },
    {
      table: 'mail_outbox',
      noun: 'mail',
      due: (batch) => sql`
      select id from mail_outbox where due_at <= now() and ${isFree}
       order by is_bulk, due_at limit ${batch} for update skip locked`,
      order: sql`is_bulk, id`,
      isGivenUp: sql`trying_since < now() - interval '48 hours'`,
      facts: ({ id, kind, recipient }) => ({ mail: id, kind, to: maskMailAddress(recipient) }),
      async prepare() {
        const site = await worker.readSite(db, env);
        return (mail, lost) => sendOne({ db, env }, worker, site, mail, lost);
      },
    },
    worker,
  );
}

async function sendOne(
  { db, env }: { db: Db; env: Env },
  worker: MailWorker,
  site: MailSite,
  mail: OutboxMail,
  lost: AbortSignal,
): Promise<Verdict> {
  const handedOver = await worker.handOver?.(db, mail);
  if (handedOver) return handedOver;
  const written = await write(db, worker, mail, site);
  if (written === null) return { state: 'cancelled' };
  const verdict = await sendWritten({ db, env }, worker, { site, mail, written }, lost);
  // Subjects of account emails are not stored here, since some quote people's messages, which are
  // deleted later.
  if (worker.kinds[mail.kind]?.isAboutAccount) return verdict;
  const subject = sql`subject = ${written.subject}`;
  return { ...verdict, set: verdict.set ? sql`${verdict.set}, ${subject}` : subject };
}

async function sendWritten(
  { db, env }: { db: Db; env: Env },
  worker: MailWorker,
  { site, mail, written }: { site: MailSite; mail: OutboxMail; written: WrittenMail },
  lost: AbortSignal,
): Promise<Verdict> {
  if (!worker.kinds[mail.kind]?.isAboutAccount && (await worker.isBarred?.(db, mail))) {
    return { state: 'cancelled', words: 'The account is suspended.' };
  }
  const suspended = await whySuspended(db, worker.kinds[mail.kind], mail);
  if (suspended !== null) return { state: 'cancelled', words: suspended };
  if (worker.transport === null) return { state: 'kept' };
  const { address } = env.mail.bounces;
  const isTracked = address !== null && !worker.kinds[mail.kind]?.isAboutAccount;
  const bouncesTo = isTracked ? await bounceAddress(db, address, mail.id) : undefined;
  const about = { env, site, mail, written, bouncesTo };
  return judge(db, mail, await deliver(worker.transport, about, lost));
}

async function judge(db: Db, mail: OutboxMail, delivery: Delivery): Promise<Verdict> {
  const { outcome, words } = delivery;
  if (outcome === 'sent') return { state: 'sent', set: sql`reply = ${words}` };
  if (outcome === 'refused') {
    if (delivery.isAddressRefused) {
      const { recipient: address, id: mailId } = mail;
      const about = { address, mailId, diagnostic: words, at: null };
      await suspendAddress(db, { ...about, reason: 'bounce', source: 'smtp' });
    }
    return { state: 'failed', words };
  }
  const set = delivery.isUncertain ? sql`unsure_count = unsure_count + 1` : undefined;
  return { state: 'later', words, set };
}

/**
 * Returns the reason why an email is not sent to its address, or null. Emails about the account are
 * always sent. Confirmations are sent after a bounce, but not after a complaint, since anyone can
 * enter an address into a form.
 */
async function whySuspended(
  db: Db,
  kind: MailKind | undefined,
  { recipient }: OutboxMail,
): Promise<string | null> {
  if (kind?.isAboutAccount) return null;
  const suspension = await findSuspension(db, recipient);
  if (suspension?.reason === 'complaint') {
    return 'The address is suspended: it reported an email as spam.';
  }
  return suspension && !kind?.isConfirmation
    ? 'The address is suspended: emails to it bounce.'
    : null;
}

async function write(
  db: Db,
  { kinds }: MailWorker,
  mail: OutboxMail,
  site: MailSite,
): Promise<WrittenMail | null> {
  const kind = kinds[mail.kind];
  if (!kind) throw new Error(`there is no template ${mail.kind}`);
  const written = await kind.write(db, mail, site, 'send');
  const fault = written && findFault(kind, written, site);
  if (fault) throw new Error(`the email was held back: ${fault}`);
  return written;
}

async function deliver(
  transport: MailTransport,
  {
    env,
    site,
    mail,
    written,
    bouncesTo,
  }: {
    env: Env;
    site: MailSite;
    mail: OutboxMail;
    written: WrittenMail;
    bouncesTo: string | undefined;
  },
  lost: AbortSignal,
): Promise<Delivery> {
  const to = readMailAddress(mail.recipient);
  if (to === null) {
    return { outcome: 'refused', words: 'not one plain email address', isAddressRefused: true };
  }
  const { subject, html, text } = written;
  const from = { name: site.name, address: env.mail.from };
  const idOf = (half: string) => `<${half}@${new URL(env.origin).hostname}>`;
  const { isByPerson = false, replyTo = null, references = [] } = written.thread ?? {};
  const headers = {
    ...(!isByPerson && { 'Auto-Submitted': 'auto-generated' }),
    ...unsubscribeHeaders(written, site),
  };
  const before = references.map(idOf);
  const thread = {
    ...(replyTo !== null && { replyTo }),
    ...(before.length > 0 && { inReplyTo: before.at(-1), references: before }),
  };
  const messageId = idOf(mail.message_id);
  const letter = { from, to, bouncesTo, subject, html, text, messageId, headers, ...thread };
  return transport.deliver(letter, lost);
}

/**
 * Returns the headers of RFC 8058, and the list's id (RFC 2919). Email clients offer the button
 * only if the site uses https. Otherwise only the plain link remains.
 */
export function unsubscribeHeaders(
  { unsubscribePath, listId }: Pick<WrittenMail, 'unsubscribePath' | 'listId'>,
  { origin }: Pick<MailSite, 'origin'>,
): Record<string, string> {
  if (unsubscribePath === null) return {};
  const link = {
    'List-Unsubscribe': `<${origin}${unsubscribePath}>`,
    ...(listId !== undefined && { 'List-Id': `<list-${listId}.${new URL(origin).hostname}>` }),
  };
  return origin.startsWith('https:')
    ? { ...link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : link;
}
