import { sql } from 'kysely';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { liveScope, shownPercent } from '#app/features/deals/deal-conditions.server.ts';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { DigestContent } from './digest-content.ts';

/** Returns the ids of live deals of the last seven days, the largest claimable saving first. */
export async function listBestNewDealIds(
  db: Db,
  priceClaims: SiteSettings['priceClaims'],
  limit: number,
) {
  const saving = sql.ref(shownPercent[priceClaims]);
  return ask(db).column<number>`
    select id from deals
     where ${liveScope} and availability <> 'out_of_stock' and created_at > now() - interval '7 days'
     order by ${saving} desc, id desc limit ${limit}`;
}

/** Inserts this week's issue. Returns `null` if it exists. */
export function insertDigestIssue(db: Db, week: string, content: DigestContent) {
  return ask(db).value<number>`
    insert into newsletter_issues (week, content, queued_up_to) values (${week}, ${JSON.stringify(content)}::jsonb, 0)
    on conflict (week) do nothing returning id`;
}

export function findDigestContent(db: Db, issueId: number) {
  return ask(db).value<DigestContent>`select content from newsletter_issues where id = ${issueId}`;
}

export function findDigestIssue(db: Db, week: string) {
  return ask(db).row<{ id: number; isQueued: boolean }>`
    select id, queued_up_to is null as "isQueued" from newsletter_issues where week = ${week}`;
}

/**
 * Queues an email for each of the next active subscribers on the digest's list, and stores the position. Returns their
 * number, or `null` once the whole issue is queued.
 */
export async function queueNextDigestMails(
  tx: Tx,
  issueId: number,
  most: number,
): Promise<number | null> {
  const reached = await ask(tx).value<number>`
    select queued_up_to from newsletter_issues where id = ${issueId} for update`;
  if (reached === null) return null;
  const queued = await ask(tx).row<{ mails: number; last: number | null }>`
    with next as (
      select id, email from newsletter_subscriptions where is_active and id > ${reached}
         and (select l.id from newsletter_lists l where l.is_digest) = any(list_ids)
         and not ${isSuspended(sql.ref('email'))} order by id limit ${most}
    ), queued as (
      insert into mail_outbox (key, kind, recipient, payload, is_bulk)
      select 'newsletter-digest:' || ${issueId}::bigint || ':' || id, 'newsletter-digest', email,
             jsonb_build_object('issueId', ${issueId}::bigint, 'subscriptionId', id), true
        from next order by id
      on conflict (key) do nothing returning 1)
    select (select count(*) from queued) as mails, max(id) as last from next`;
  const last = queued?.last ?? null;
  await sql`update newsletter_issues set queued_up_to = ${last} where id = ${issueId}`.execute(tx);
  return last === null ? null : (queued?.mails ?? 0);
}
