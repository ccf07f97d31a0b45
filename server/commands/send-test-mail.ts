import { setTimeout as sleep } from 'node:timers/promises';
import { openMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { findOutboxMail } from '#app/platform/mail/outbox-queries.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { describeMail, mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import { loadEntry } from '#server/site-sources.ts';

/** ms; longer than the timeout of the mail server */
const patienceMs = 45_000;

/** Sends one email now, and describes the outcome. */
export async function sendTestMail(
  { db, env: given, log }: Pick<AppServices, 'db' | 'env' | 'log'>,
  to: string,
  waitMs = patienceMs,
): Promise<{ isSent: boolean; text: string }> {
  // Creates the transport first, so that no email remains in the outbox if the DKIM key cannot be
  // read.
  const env = { ...given, mail: await openMailEnv({ db, env: given }) };
  const transport = mailTransportOf(env.mail);
  const askedAt = new Date().toISOString();
  const queued = await queueMail(db, {
    key: `test:${askedAt}`,
    kind: 'test',
    to,
    props: { askedAt },
  });
  if (!queued.queued) throw new Error('You just sent a test email. Try again in a minute.');
  const { mails: kinds } = await loadEntry();
  await sendDueMails({ db, env, log }, { kinds, readSite: readMailSite, transport });
  transport?.close();
  const mail = await waitForOutcome(() => findOutboxMail(db, queued.id), waitMs);
  return {
    isSent: mail?.state === 'sent',
    text: describeOutcome(queued.id, mail, describeMail(env.mail)),
  };
}

type Outcome = Pick<OutboxMail, 'state' | 'recipient' | 'reply' | 'last_error'>;

/** Waits for the outcome, because a worker of the running site may have claimed the email first. */
async function waitForOutcome<Mail extends Outcome>(
  read: () => Promise<Mail | null>,
  waitMs: number,
): Promise<Mail | null> {
  for (const end = Date.now() + waitMs; ; await sleep(250)) {
    const mail = await read();
    if (mail?.state !== 'queued' || mail.last_error !== null || Date.now() >= end) return mail;
  }
}

function describeOutcome(id: number, mail: Outcome | null, by: string): string {
  if (mail === null) return `Email ${id} was removed before it was sent.`;
  const { state, recipient, reply, last_error: error } = mail;
  const shown = `\`deals mail show ${id}\` prints it`;
  if (state === 'sent') return `Sent to ${recipient} by ${by}. Server response: ${reply ?? 'none'}`;
  if (state === 'kept') {
    return `Not sent: no email server is configured (SMTP_URL, SMTP_HOST or the settings). Email ${id} waits at /admin/outbox; ${shown}.`;
  }
  if (state === 'queued' && error === null) {
    return `Not sent yet: another process of the site is sending email ${id}. \`deals mail list\` shows the result.`;
  }
  if (state === 'queued') return `Not sent by ${by}: ${error}. Email ${id} is queued and retried.`;
  return `Not sent by ${by}: ${error ?? state}. Email ${id} is ${state}.`;
}
