import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The fake server's behavior for one email. */
export type SmtpBehaviour =
  | 'accept'
  /** Rejects with this status code, at the recipient or after the whole email. */
  | { at: 'recipient' | 'data'; code: number; words: string }
  | 'hang-up-before-data'
  | 'hang-up-after-data'
  /** Accepts the email after a delay. */
  | { at: 'data'; afterMs: number }
  /** Receives the email, but sends no reply until the test ends. */
  | 'say-nothing';

export interface SmtpStandIn {
  port: number;
  /** All completely received emails in raw form, whatever the reply. */
  mails: { from: string; to: string; raw: string; behaviour: SmtpBehaviour }[];
  /** Emails that were accepted with 250. */
  accepted: SmtpStandIn['mails'];
  /** Registers a function that is called with each completely received email. */
  onMail(listener: () => void): void;
  close(): Promise<void>;
}

/** Starts a mail server in this process whose behavior the test defines, by recipient and stage. */
export async function startSmtpStandIn(
  behave: (recipient: string, step: 'recipient' | 'data') => SmtpBehaviour = () => 'accept',
  options: { port?: number; host?: string; account?: { user: string; password: string } } = {},
): Promise<SmtpStandIn> {
  const { account } = options;
  const mails: SmtpStandIn['mails'] = [];
  const accepted: SmtpStandIn['mails'] = [];
  const listeners: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: account ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === account?.user && password === account?.password;
      done(isKnown ? null : new Error('no such account'), isKnown ? { user: username } : undefined);
    },
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, session, done) {
      const behaviour = behave(address, 'recipient');
      if (behaviour === 'hang-up-before-data') return hangUp(server, session.id);
      if (typeof behaviour === 'object' && behaviour.at === 'recipient') {
        return done(refusal(behaviour));
      }
      done();
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      const behaviour = behave(to, 'data');
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const mail = { from, to, raw: Buffer.concat(chunks).toString(), behaviour };
        mails.push(mail);
        for (const listener of listeners) listener();
        if (behaviour === 'say-nothing') return;
        if (behaviour === 'hang-up-after-data') return hangUp(server, session.id);
        if (typeof behaviour === 'object' && 'code' in behaviour) return done(refusal(behaviour));
        accepted.push(mail);
        const answer = () => done(null, `queued as ${accepted.length}`);
        if (typeof behaviour === 'object') setTimeout(answer, behaviour.afterMs);
        else answer();
      });
    },
  });
  server.on('error', () => {}); // the client was killed
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    accepted,
    onMail: (listener) => void listeners.push(listener),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal({ code, words }: { code: number; words: string }): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

function hangUp(server: SMTPServer, session: string): void {
  const connections = server.connections as Set<{ id: string; _socket: { destroy(): void } }>;
  // The fake server has no other way to close a single connection.
  for (const { id, _socket: line } of connections) {
    if (id === session) line.destroy();
  }
}
