import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';
import { maskMailAddress, readMailAddress } from './mail-address.server.ts';
import {
  findFault,
  type MailKind,
  type MailSite,
  type OutboxMail,
  type WrittenMail,
} from './mail-kind.server.ts';
import type { Delivery, MailTransport } from './smtp-transport.server.ts';
import { errorWords } from '#database/error-code.ts';

export interface MailWorker {
  kinds: Readonly<Record<string, MailKind>>;
  readSite(db: Db, env: Env): Promise<MailSite>;
  /** Null: no mail server, so due mails are kept for the administrator to read. */
  transport: MailTransport | null;
  signal?: AbortSignal;
  limits?: Partial<MailLimits>;
  /** 0 up to 1, for the jitter. */
  random?: () => number;
}

interface MailLimits {
  leaseSeconds: number;
  batch: number;
  atOnce: number;
  firstPauseSeconds: number;
  longestPauseSeconds: number;
  giveUpAfterHours: number;
}

const usualLimits: MailLimits = {
  leaseSeconds: 60,
  batch: 20,
  atOnce: 5,
  firstPauseSeconds: 60,
  longestPauseSeconds: 4 * 3600,
  giveUpAfterHours: 48,
};

/** What became of a mail; `refusing`: its recipient's server knows no such address. */
type Verdict = Delivery | 'unwanted' | 'refusing' | 'kept';

/** One claimed batch. */
interface Lease {
  owner: string;
  /** Aborted when the lease can no longer be trusted: nothing may be sent under it then. */
  lost: AbortSignal;
}

/**
 * Sends every mail that is due, in batches. Any number of processes may do so at once: a mail belongs to whoever
 * holds its lease. A process that dies lets its lease run out, and the next one sends the same mail again with the
 * same Message-ID (R08). Answers how many mails it claimed.
 */
export async function sendDueMails(
  services: { db: Db; env: Env; log: Log },
  worker: MailWorker,
): Promise<number> {
  const limits = { ...usualLimits, ...worker.limits };
  let claimed = 0;
  while (!worker.signal?.aborted) {
    const owner = randomUUID();
    const mails = await claim(services.db, owner, limits);
    if (mails.length === 0) break;
    claimed += mails.length;
    await sendBatch(services, worker, limits, owner, mails);
  }
  return claimed;
}

async function claim(db: Db, owner: string, limits: MailLimits): Promise<OutboxMail[]> {
  const { rows } = await sql<OutboxMail>`
    update mail_outbox
       set lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${limits.leaseSeconds}),
           attempts = attempts + 1
     where id in (
       select id from mail_outbox
        where state = 'queued' and due_at <= now() and (lease_until is null or lease_until < now())
        order by is_bulk, due_at limit ${limits.batch} for update skip locked)
    returning *`.execute(db);
  return rows.toSorted((a, b) => Number(a.is_bulk) - Number(b.is_bulk) || a.id - b.id);
}

async function sendBatch(
  services: { db: Db; env: Env; log: Log },
  worker: MailWorker,
  limits: MailLimits,
  owner: string,
  mails: OutboxMail[],
): Promise<void> {
  const { db, env } = services;
  const heart = keepLease(db, owner, limits.leaseSeconds);
  const lease: Lease = { owner, lost: heart.lost };
  const waiting = [...mails];
  try {
    const site = await worker.readSite(db, env);
    const work = async () => {
      for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
        if (worker.signal?.aborted || lease.lost.aborted) {
          waiting.unshift(mail);
          return;
        }
        await sendOne(services, worker, limits, lease, site, mail);
      }
    };
    await Promise.all(Array.from({ length: limits.atOnce }, work));
  } finally {
    heart.stop();
    await release(
      db,
      owner,
      waiting.map(({ id }) => id),
    );
  }
}

async function sendOne(
  { db, env, log }: { db: Db; env: Env; log: Log },
  worker: MailWorker,
  limits: MailLimits,
  lease: Lease,
  site: MailSite,
  mail: OutboxMail,
): Promise<void> {
  const facts = { mail: mail.id, kind: mail.kind, to: maskMailAddress(mail.recipient) };
  let delivery: Verdict;
  try {
    const written = await write(db, worker, mail, site);
    if (written === null) delivery = 'unwanted';
    else if (await isRefusing(db, worker, mail)) delivery = 'refusing';
    else if (worker.transport === null) delivery = 'kept';
    else delivery = await deliver(worker.transport, env, lease, site, mail, written);
  } catch (error) {
    log.error({ ...facts, err: error }, 'a mail could not be written');
    delivery = { outcome: 'later', words: errorWords(error).slice(0, 500), isUnsure: false };
  }
  if (typeof delivery === 'object') log.info({ ...facts, outcome: delivery.outcome }, 'mail');
  const pause = pauseSeconds(mail.attempts, limits, worker.random ?? Math.random);
  const isNoted = await insist(lease, () =>
    note(db, lease.owner, mail.id, delivery, pause, limits.giveUpAfterHours),
  );
  if (!isNoted) log.warn(facts, 'the lease of a mail ran out before its outcome could be noted');
}

const refusedForDays = 30;

/** Whether the recipient's server knows no such address. Mails about the account are tried all the same (R37). */
async function isRefusing(db: Db, { kinds }: MailWorker, mail: OutboxMail): Promise<boolean> {
  if (kinds[mail.kind]?.isAboutAccount) return false;
  const { rows } = await sql`
    select from mail_outbox
     where recipient = ${mail.recipient}
       and address_refused_at > now() - make_interval(days => ${refusedForDays}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

async function write(
  db: Db,
  { kinds }: MailWorker,
  mail: OutboxMail,
  site: MailSite,
): Promise<WrittenMail | null> {
  const kind = kinds[mail.kind];
  if (!kind) throw new Error(`no template is called ${mail.kind}`);
  const written = await kind.write(db, mail, site, 'send');
  const fault = written && findFault(kind, written, site);
  if (fault) throw new Error(`the mail was held back: ${fault}`);
  return written;
}

async function deliver(
  transport: MailTransport,
  env: Env,
  lease: Lease,
  site: MailSite,
  mail: OutboxMail,
  written: WrittenMail,
): Promise<Delivery> {
  const to = readMailAddress(mail.recipient);
  if (to === null) {
    return { outcome: 'refused', words: 'not one plain e-mail address', isAddressRefused: true };
  }
  return transport.deliver(
    {
      from: { name: site.name, address: env.mail.from },
      to,
      subject: written.subject,
      html: written.html,
      text: written.text,
      messageId: `<${mail.message_id}@${new URL(env.origin).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(written, site) },
    },
    lease.lost,
  );
}

/** RFC 8058. Mailboxes press the button for their user only over https; without it the plain link remains. */
export function unsubscribeHeaders(
  { unsubscribePath }: Pick<WrittenMail, 'unsubscribePath'>,
  { origin }: Pick<MailSite, 'origin'>,
): Record<string, string> {
  if (unsubscribePath === null) return {};
  const link = { 'List-Unsubscribe': `<${origin}${unsubscribePath}>` };
  return origin.startsWith('https:')
    ? { ...link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : link;
}

/** A minute, then twice as long each time, up to four hours, a quarter more or less so that a crowd disperses. */
export function pauseSeconds(
  attempts: number,
  limits: Pick<MailLimits, 'firstPauseSeconds' | 'longestPauseSeconds'>,
  random: () => number,
): number {
  const plain = limits.firstPauseSeconds * 2 ** Math.min(attempts - 1, 20);
  return Math.min(plain, limits.longestPauseSeconds) * (0.75 + random() * 0.5);
}

/** Answers false when the lease is no longer ours, so that the row is another's to judge. */
async function note(
  db: Db,
  owner: string,
  id: number,
  delivery: Verdict,
  pause: number,
  giveUpAfterHours: number,
): Promise<boolean> {
  const outcome = typeof delivery === 'object' ? delivery.outcome : delivery;
  const words =
    typeof delivery === 'object'
      ? delivery.words
      : delivery === 'refusing'
        ? 'The address refused a mail before.'
        : null;
  const isAddressRefused =
    typeof delivery === 'object' && delivery.outcome === 'refused' && delivery.isAddressRefused;
  const isUnsure =
    typeof delivery === 'object' && delivery.outcome === 'later' && delivery.isUnsure;
  const { rows } = await sql<{ recipient: string }>`
    update mail_outbox set
      state = case
        when ${outcome} = 'sent' then 'sent'
        when ${outcome} = 'refused' then 'failed'
        when ${outcome} in ('unwanted', 'refusing') then 'cancelled'
        when ${outcome} = 'kept' then 'kept'
        when trying_since < now() - make_interval(hours => ${giveUpAfterHours}) then 'failed'
        else 'queued' end,
      sent_at = case when ${outcome} = 'sent' then now() end,
      reply = case when ${outcome} = 'sent' then ${words} else reply end,
      last_error = case when ${outcome} in ('refused', 'refusing', 'later') then ${words} else last_error end,
      unsure_count = unsure_count + ${isUnsure ? 1 : 0},
      address_refused_at = case when ${isAddressRefused} then now() end,
      due_at = case when ${outcome} = 'later' then now() + make_interval(secs => ${pause}) else due_at end,
      lease_until = null, lease_owner = null
    where id = ${id} and lease_owner = ${owner} and state = 'queued'
    returning recipient`.execute(db);
  const [noted] = rows;
  if (noted && outcome === 'sent') await liftRefusal(db, noted.recipient);
  return noted !== undefined;
}

/** There is such an address after all. */
async function liftRefusal(db: Db, recipient: string): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ address_refused_at: null })
    .where('recipient', '=', recipient)
    .where('address_refused_at', 'is not', null)
    .execute();
}

/** What the server said must not be forgotten for a short trouble of the database: a forgotten 250 is a double. */
async function insist(lease: Lease, act: () => Promise<boolean>): Promise<boolean> {
  for (let pause = 200; ; pause *= 2) {
    try {
      return await act();
    } catch (error) {
      if (lease.lost.aborted || pause > 20_000) throw error;
      await sleep(pause);
    }
  }
}

/** Renews a lease at a third of its time; `lost` is aborted when no renewal came through in time. */
function keepLease(db: Db, owner: string, seconds: number): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const lastFor = seconds * 900; // milliseconds, a tenth less than the database grants
  let trustedUntil = performance.now() + lastFor;
  const beat = setInterval(
    () => {
      const askedAt = performance.now();
      if (askedAt > trustedUntil) {
        lost.abort();
        return;
      }
      sql`update mail_outbox set lease_until = now() + make_interval(secs => ${seconds})
         where lease_owner = ${owner} and state = 'queued'`
        .execute(db)
        .then(
          () => (trustedUntil = askedAt + lastFor),
          () => {}, // the next beat tries again, or finds that it is too late
        );
    },
    (seconds * 1000) / 3,
  );
  return { lost: lost.signal, stop: () => clearInterval(beat) };
}

/** Mails that were claimed and not begun go back untried. */
async function release(db: Db, owner: string, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('mail_outbox')
    .set((eb) => ({ lease_until: null, lease_owner: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('lease_owner', '=', owner)
    .execute();
}
