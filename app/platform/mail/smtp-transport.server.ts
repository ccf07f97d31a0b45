import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { MailEnv } from '#app/platform/env.server.ts';
import { errorMessage } from '#database/error-code.ts';
import { isHardReply } from './is-hard-bounce.ts';

export interface OutgoingMail {
  from: { name: string; address: string };
  to: string;
  /** The address for bounces, if it is not the sender. */
  bouncesTo?: string | undefined;
  subject: string;
  html: string;
  text: string;
  /** The Message-ID with its angle brackets. */
  messageId: string;
  headers: Record<string, string>;
  replyTo?: string;
  /**
   * The Message-ID of the previous email, with its angle brackets, and those of the whole thread.
   */
  inReplyTo?: string | undefined;
  references?: string[];
}

export type Delivery =
  | { outcome: 'sent'; words: string }
  /**
   * The server will never accept this email. If `isAddressRefused`, it will accept no other email
   * to the recipient either.
   */
  | { outcome: 'refused'; words: string; isAddressRefused: boolean }
  /**
   * The email is retried. If `isUncertain`, the email was sent completely, but the server's
   * response never arrived.
   */
  | { outcome: 'later'; words: string; isUncertain: boolean };

export interface MailTransport {
  /** The description for people, without credentials. */
  description: string;
  /** Sends an email. A failure is an outcome, so the promise never rejects. */
  deliver(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
  close(): void;
}

const usualTimeouts = { connectInMs: 10_000, silenceInMs: 30_000 };
let present: { key: string; transport: MailTransport } | null = null;

/**
 * Returns this process's transport to the mail server, or null if none is configured. A transport
 * to another server replaces the previous one.
 */
export function mailTransportOf(env: MailEnv): MailTransport | null {
  const key = JSON.stringify([env.smtp, env.dkim]);
  if (present?.key === key) return present.transport;
  present?.transport.close();
  present = env.smtp === null ? null : { key, transport: smtpTransport(env) };
  return present?.transport ?? null;
}

export function describeMail({ smtp }: MailEnv): string {
  if (smtp === null) return 'outbox at /admin/outbox';
  return `smtp ${'url' in smtp ? new URL(smtp.url).hostname : smtp.host}`;
}

/** Creates a pool of connections to the configured server. */
export function smtpTransport(env: MailEnv, timeouts = usualTimeouts): MailTransport {
  const pool = createTransport({
    ...serverOptions(env),
    pool: true,
    maxConnections: 5,
    maxMessages: 100,
    // The pool retries only before the first byte of a message, and the outbox handles other
    // failures.
    maxRequeues: 1,
    connectionTimeout: timeouts.connectInMs,
    greetingTimeout: timeouts.connectInMs,
    socketTimeout: timeouts.silenceInMs,
    // The content of our own templates must not name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...dkimOptions(env),
  } as Parameters<typeof createTransport>[0]);
  // Records when the connection has taken the last byte. Streams before the connection run ahead:
  // they have read a short message before the server has even accepted its recipient.
  pool.use('stream', ({ data, message }, done) => {
    const { onHandedOver } = data as { onHandedOver?: () => void };
    const read = message.createReadStream.bind(message);
    message.createReadStream = (options) => read(options).once('end', () => onHandedOver?.());
    done();
  });
  // A connection that drops while idle is ignored, since the next email opens another one.
  pool.on('error', () => {});
  return {
    description: describeMail(env),
    async deliver({ bouncesTo, ...mail }, signal) {
      let isHandedOver = false;
      try {
        const info = (await pool.sendMail({
          ...mail,
          to: { name: '', address: mail.to },
          envelope: { from: bouncesTo ?? mail.from.address, to: [mail.to] },
          signal,
          onHandedOver: () => (isHandedOver = true),
        } as Parameters<typeof pool.sendMail>[0])) as { response?: string };
        return { outcome: 'sent', words: words(info.response ?? 'accepted') };
      } catch (error) {
        return judge(error, isHandedOver);
      }
    },
    close: () => pool.close(),
  };
}

/** Connects and signs in without sending an email. Throws the reason for a failure. */
export async function verifySmtp(env: MailEnv, patienceMs: number): Promise<void> {
  const transport = createTransport({
    ...serverOptions(env),
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  } as Parameters<typeof createTransport>[0]);
  const tooLate = Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' });
  const patience = new AbortController();
  const late = sleep(patienceMs * 2, undefined, { signal: patience.signal }).then(
    () => Promise.reject(tooLate),
    () => {},
  );
  try {
    await Promise.race([transport.verify(), late]);
  } finally {
    patience.abort();
    transport.close();
  }
}

function serverOptions({ smtp }: MailEnv): object {
  if (smtp === null) throw new Error('no mail server is configured');
  if ('url' in smtp) return { url: smtp.url };
  const { host, port, user, password } = smtp;
  const auth = user === null ? undefined : { user, pass: password ?? '' };
  return { host, port, secure: port === 465, auth };
}

function dkimOptions({ dkim }: MailEnv): object {
  if (dkim === null) return {};
  return {
    dkim: {
      domainName: dkim.domain,
      keySelector: dkim.selector,
      privateKey: readFileSync(dkim.privateKeyFile, 'utf8'),
      // RFC 8058: an email client trusts the one-click header only if the signature covers both of
      // its lines.
      headerFieldNames:
        'From:To:Reply-To:Subject:Date:Message-ID:In-Reply-To:References:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post',
    },
  };
}

/**
 * Classifies a failure. A 5xx to the recipient or to the message itself is final. Other failures
 * (4xx, no connection, wrong password, unknown sender) may pass or can be fixed by the owner. The
 * email is retried.
 */
function judge(error: unknown, isHandedOver: boolean): Delivery {
  const failure: { responseCode?: number; command?: string; response?: string } = Object(error);
  const { responseCode, command, response } = failure;
  const said = words(response ?? errorMessage(error));
  const isToRecipient = command === 'RCPT TO';
  if ((responseCode ?? 0) >= 500 && (isToRecipient || command === 'DATA')) {
    const isAddressRefused = isToRecipient && isHardReply(said);
    return { outcome: 'refused', words: said, isAddressRefused };
  }
  return { outcome: 'later', words: said, isUncertain: isHandedOver && responseCode === undefined };
}

function words(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}
