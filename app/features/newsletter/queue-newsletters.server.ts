import { sql } from 'kysely';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inAudience } from './audience.server.ts';
import { advanceTest } from './choose-subject.server.ts';
import {
  findNewsletter,
  lockNewsletter,
  type Newsletter,
} from './managed-newsletter-queries.server.ts';
import {
  findSendProblem,
  pauseNewsletter,
  startNewsletter,
  unscheduleNewsletter,
} from './send-newsletter.server.ts';
import { isTest } from './subject-test.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;

const day = 86_400_000;
/**
 * maximum seconds for which a delayed job catches up, so that the emails of an hour of downtime are
 * not sent at once
 */
const mostSecondsAtOnce = 10;
/**
 * maximum minutes of emails in the outbox, so that it does not fill up while an email server is
 * down
 */
const mostMinutesWaiting = 10;

export const areNewslettersDue = () => sql`exists (
  select from newsletters where state = 'sending' or (state = 'scheduled' and send_at <= now()))`;

/** Starts due newsletters, queues the next emails, and marks completed ones as sent. */
export async function queueNewsletters(services: Services): Promise<void> {
  const { db, env, now } = services;
  await startDue(services);
  const ids = await ask(db).column<number>`
    select id from newsletters where state = 'sending' order by started_at, id`;
  if (ids.length === 0) return;
  const problem = await findSendProblem(db, env);
  const { newsletterPerHour } = await readSiteSettings(db);
  let isBusy = false;
  for (const id of ids) {
    if (problem) await pauseNewsletter(db, id, 'system', problem);
    else {
      await advanceTest(db, id, now());
      // Newsletters are sent one after another, since the rate applies to the whole site.
      if (!isBusy) isBusy = await queueNext(db, id, newsletterPerHour);
    }
    await finish(db, id);
  }
}

async function startDue(services: Services): Promise<void> {
  const { db, now } = services;
  const due = await ask(db).column<number>`
    select id from newsletters where state = 'scheduled' and send_at <= ${now()} order by send_at, id`;
  for (const id of due) {
    const newsletter = await findNewsletter(db, id);
    if (newsletter?.state !== 'scheduled' || !newsletter.send_at) continue;
    const isTooLate = now().getTime() - newsletter.send_at.getTime() > day;
    const started = isTooLate
      ? { ok: false as const, reason: 'too-late' as const }
      : await startNewsletter(services, id, {
          actor: 'system',
          expectedVersion: newsletter.version,
          until: now(),
        });
    // The newsletter was saved at the same time, or another process is starting it. The next run
    // will see the result.
    if (started.ok || started.reason === 'changed-meanwhile' || started.reason === 'begun')
      continue;
    await unscheduleNewsletter(db, id, 'system', started.reason);
  }
}

/**
 * Queues as many emails as the rate allows now, and stores the position in the same transaction.
 * Returns `true` if there are more.
 */
function queueNext(db: Db, id: number, perHour: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'sending' || newsletter.is_queued) return false;
    const count = await countAllowed(tx, id, perHour);
    if (count === 0) return true;
    const audience = inAudience(newsletter, newsletter.audience_until ?? new Date(0));
    const { isDue, variant } = dealOut(newsletter);
    const looked = await ask(tx).row<{ seen: number; last: number | null }>`
      with next as (
        select s.id, s.email, ${variant} as variant from newsletter_subscriptions s, newsletters n
         where n.id = ${id} and s.id > n.queued_up_to and ${audience} and ${isDue}
           and not exists (select from mail_outbox m where m.key = 'newsletter:' || ${id}::bigint || ':' || s.id)
         order by s.id limit ${count}
      ), queued as (
        insert into mail_outbox (key, kind, recipient, payload, is_bulk)
        select 'newsletter:' || ${id}::bigint || ':' || id, 'newsletter', email,
               jsonb_strip_nulls(jsonb_build_object('newsletterId', ${id}::bigint, 'subscriptionId', id, 'variant', variant)), true
          from next order by id
        on conflict (key) do nothing)
      select count(*) as seen, max(id) as last from next`;
    const { seen = 0, last = null } = looked ?? {};
    const isQueued = seen < count;
    await sql`
      update newsletters set queued_up_to = coalesce(${last}, queued_up_to), is_queued = ${isQueued},
             paced_at = ${paceOf(perHour)} + make_interval(secs => ${(count * 3600) / perHour})
       where id = ${id}`.execute(tx);
    return !isQueued;
  });
}

/**
 * Returns which subscribers are due, and their variant. A test assigns variants by a hash of the
 * newsletter and the subscriber, so a restart changes nothing. Subscribers outside the test get no
 * variant, nor do those whose test email was canceled.
 */
function dealOut(newsletter: Newsletter) {
  const { test_percent: percent, winner } = newsletter;
  const none = { isDue: sql`true`, variant: sql`null::text` };
  if (!isTest(newsletter)) return none;
  const share = percent * 2; // The audience is split into 200 parts, two for each percent.
  const place = sql`('x' || substr(md5(n.id || ':' || s.id), 1, 7))::bit(28)::integer % 200`;
  if (winner !== null) {
    return { ...none, isDue: sql`(${place} >= ${share * 2} or s.id = any(n.returned_ids))` };
  }
  return {
    isDue: sql`${place} < ${share * 2}`,
    variant: sql`case when ${place} < ${share} then 'a' else 'b' end`,
  };
}

/**
 * Returns the start of the rate's period: the time of the last email, but at most a few seconds or
 * one email's interval ago.
 */
function paceOf(perHour: number) {
  const most = Math.max(mostSecondsAtOnce, 3600 / perHour);
  return sql`greatest(coalesce(paced_at, '-infinity'), now() - make_interval(secs => ${most}))`;
}

/** Returns how many emails of this newsletter the rate and the outbox allow now. */
async function countAllowed(tx: Tx, id: number, perHour: number): Promise<number> {
  const room = Math.max(20, Math.ceil((perHour / 60) * mostMinutesWaiting));
  const allowed = await ask(tx).value<number>`
    select least(
      floor(extract(epoch from now() - ${paceOf(perHour)}) * ${perHour} / 3600 + 0.0001),
      ${room} - (select count(*) from mail_outbox
                  where kind = 'newsletter' and (payload ->> 'newsletterId')::bigint = n.id and state = 'queued'))::integer
      from newsletters n where n.id = ${id}`;
  return Math.max(0, allowed ?? 0);
}

/**
 * Marks a newsletter as sent once no emails are queued; failed and skipped ones do not matter. A
 * test with remaining subscribers waits for its winner.
 */
async function finish(db: Db, id: number): Promise<void> {
  await sql`
    update newsletters n set state = 'sent', finished_at = now(), version = version + 1
     where id = ${id} and state = 'sending' and is_queued
       and ((subject_b = '' and preview_b = '') or winner is not null or test_percent >= 50)
       and not exists (
       select from mail_outbox where kind = 'newsletter' and (payload ->> 'newsletterId')::bigint = n.id
          and state = 'queued')`.execute(db);
}
