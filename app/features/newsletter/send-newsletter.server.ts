import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { mailEnvOf } from '#app/features/site-settings/mail-env.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { countAudience } from './audience.server.ts';
import { actOn } from './change-newsletter.server.ts';
import {
  findNewsletter,
  lockNewsletter,
  type Newsletter,
} from './managed-newsletter-queries.server.ts';
import { holdList } from './newsletter-lists.server.ts';
import type { SendProblem } from './newsletter-state.ts';
import { writeNewsletter, type WrittenNewsletter } from './write-newsletter.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;
const day = 86_400_000;

export type StartResult =
  | { ok: true; recipients: number }
  | { ok: false; reason: 'not-found' | 'begun' | 'changed-meanwhile' | SendProblem };

/** Returns the reason why the site cannot send any newsletter, or `null`. */
export async function findSendProblem(db: Db, env: Pick<Env, 'mail'>): Promise<SendProblem | null> {
  const settings = await readSiteSettings(db);
  if (settings.postalAddress === '') return 'no-postal-address';
  return mailEnvOf(env, settings).smtp === null ? 'no-mail-server' : null;
}

/**
 * Starts sending a newsletter that is unchanged since it was seen (`expectedVersion`), to the
 * subscribers counted at `until`. A second click does not send the newsletter again.
 */
export async function startNewsletter(
  services: Services,
  id: number,
  { actor, expectedVersion, until }: { actor: string; expectedVersion: number; until: Date },
): Promise<StartResult> {
  const { db, env } = services;
  const seen = await findNewsletter(db, id);
  if (!seen) return { ok: false, reason: 'not-found' };
  if (seen.state !== 'draft' && seen.state !== 'scheduled') return { ok: false, reason: 'begun' };
  const problem = await findSendProblem(db, env);
  if (problem) return { ok: false, reason: problem };
  const written = await writeNewsletter(services, seen, { isCounted: true });
  if (written.isEmpty) return { ok: false, reason: 'empty' };
  return db.transaction().execute(async (tx): Promise<StartResult> => {
    const newsletter = await lockNewsletter(tx, id);
    if (!newsletter) return { ok: false, reason: 'not-found' };
    if (newsletter.state !== 'draft' && newsletter.state !== 'scheduled') {
      return { ok: false, reason: 'begun' };
    }
    if (newsletter.version !== expectedVersion || seen.version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile' };
    }
    if (!(await holdList(tx, newsletter.list_id))) return { ok: false, reason: 'list-retired' };
    const recipients = await countAudience(tx, newsletter, until);
    if (recipients === 0) return { ok: false, reason: 'nobody' };
    await storeContent(tx, newsletter, written);
    await tx
      .updateTable('newsletters')
      .set({ audience_until: until, recipients, started_at: sql<Date>`now()`, send_at: null })
      .where('id', '=', id)
      .execute();
    await writeAudit(tx, { ...actOn(id, actor, 'send'), after: { recipients } });
    return { ok: true, recipients };
  });
}

/** Stores the content that is sent from now on. */
async function storeContent(
  tx: Tx,
  { id, version }: Newsletter,
  { letter, links }: WrittenNewsletter,
) {
  await tx
    .updateTable('newsletters')
    .set({
      state: 'sending',
      letter: JSON.stringify(letter),
      held_because: null,
      // A check constraint requires these values in this state.
      started_at: sql<Date>`coalesce(started_at, now())`,
      audience_until: sql<Date>`coalesce(audience_until, now())`,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
  await keepLinks(tx, id, links);
}

async function keepLinks(tx: Tx, newsletterId: number, links: WrittenNewsletter['links']) {
  if (links.length === 0) return;
  const rows = links.map(({ position, href, label }) => ({
    newsletter_id: newsletterId,
    position,
    href,
    label,
  }));
  await tx
    .insertInto('newsletter_links')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['newsletter_id', 'position']).doUpdateSet({
        href: (eb) => eb.ref('excluded.href'),
        label: (eb) => eb.ref('excluded.label'),
      }),
    )
    .execute();
}

/**
 * Stops sending immediately and cancels queued emails. Emails already with an email server cannot
 * be recalled.
 */
export async function pauseNewsletter(
  db: Db,
  id: number,
  actor: string,
  because: SendProblem | null = null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'sending') return false;
    await sql`
      with back as (
        delete from mail_outbox
         where kind = 'newsletter' and (payload ->> 'newsletterId')::bigint = ${id} and state = 'queued'
           and (lease_until is null or lease_until < now())
        returning (payload ->> 'subscriptionId')::bigint as subscription, payload ->> 'variant' as variant)
      update newsletters set
        state = 'paused', held_because = ${because}, version = version + 1,
        is_queued = is_queued and not exists (select from back),
        queued_up_to = least(queued_up_to, (select min(subscription) - 1 from back)),
        tested_at = case when winner is null and exists (select from back) then null else tested_at end,
        returned_ids = case when winner is null then returned_ids
          else returned_ids || array(select subscription from back where variant is not null) end
       where id = ${id}`.execute(tx);
    await writeAudit(tx, { ...actOn(id, actor, because ? 'hold' : 'pause'), after: { because } });
    return true;
  });
}

/** Resumes with the current content and prices, for the remaining subscribers. */
export async function resumeNewsletter(
  services: Services,
  id: number,
  actor: string,
): Promise<{ ok: true } | { ok: false; reason: 'not-paused' | 'changed-meanwhile' | SendProblem }> {
  const { db, env } = services;
  const seen = await findNewsletter(db, id);
  if (seen?.state !== 'paused') return { ok: false, reason: 'not-paused' };
  const problem = await findSendProblem(db, env);
  if (problem) return { ok: false, reason: problem };
  const written = await writeNewsletter(services, seen, { isCounted: true });
  if (written.isEmpty) return { ok: false, reason: 'empty' };
  return db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'paused') return { ok: false, reason: 'not-paused' };
    if (newsletter.version !== seen.version) return { ok: false, reason: 'changed-meanwhile' };
    await storeContent(tx, newsletter, written);
    await writeAudit(tx, actOn(id, actor, 'resume'));
    return { ok: true };
  });
}

/** Schedules a newsletter for `sendAt`, within a year. */
export async function scheduleNewsletter(
  services: Services,
  id: number,
  { actor, expectedVersion, sendAt }: { actor: string; expectedVersion: number; sendAt: Date },
): Promise<
  { ok: true } | { ok: false; reason: 'begun' | 'changed-meanwhile' | 'past' | SendProblem }
> {
  const { db, env, now } = services;
  const ahead = sendAt.getTime() - now().getTime();
  if (ahead <= 0 || ahead > 366 * day) return { ok: false, reason: 'past' };
  const problem = await findSendProblem(db, env);
  if (problem) return { ok: false, reason: problem };
  return db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'draft' && newsletter?.state !== 'scheduled') {
      return { ok: false, reason: 'begun' };
    }
    if (newsletter.version !== expectedVersion) return { ok: false, reason: 'changed-meanwhile' };
    if (!(await holdList(tx, newsletter.list_id))) return { ok: false, reason: 'list-retired' };
    await tx
      .updateTable('newsletters')
      .set({ state: 'scheduled', send_at: sendAt, held_because: null })
      .set({ version: expectedVersion + 1 })
      .where('id', '=', id)
      .execute();
    await writeAudit(tx, { ...actOn(id, actor, 'schedule'), after: { send_at: sendAt } });
    return { ok: true };
  });
}

/**
 * Turns a scheduled newsletter back into a draft, either manually or because it could not start.
 */
export async function unscheduleNewsletter(
  db: Db,
  id: number,
  actor: string,
  because: string | null = null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'scheduled') return false;
    await tx
      .updateTable('newsletters')
      .set({ state: 'draft', send_at: null, held_because: because })
      .set({ version: newsletter.version + 1 })
      .where('id', '=', id)
      .execute();
    const verb = because === null ? 'unschedule' : 'hold';
    await writeAudit(tx, { ...actOn(id, actor, verb), after: because ? { because } : null });
    return true;
  });
}

/** Sends the current user a test email. */
export async function testNewsletter(
  services: Services,
  id: number,
  { id: actor, email }: { id: string; email: string },
): Promise<number | null> {
  const newsletter = await findNewsletter(services.db, id);
  if (!newsletter) return null;
  const { letter, links } = await writeNewsletter(services, newsletter, { isCounted: true });
  return services.db.transaction().execute(async (tx) => {
    await keepLinks(tx, id, links);
    const key = `newsletter-test:${id}:${randomUUID()}`;
    const { variantB, ...first } = letter;
    const props = { letter: first };
    const mail = await queueMail(tx, { key, kind: 'newsletter-test', to: email, props });
    if (!mail.queued) return null;
    if (variantB) {
      const second = { letter: { ...first, ...variantB } };
      const about = { key: `${key}:b`, kind: 'newsletter-test', to: email, props: second } as const;
      await queueMail(tx, about);
    }
    await writeAudit(tx, actOn(id, actor, 'test'));
    return mail.id;
  });
}
