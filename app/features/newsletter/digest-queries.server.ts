import { sql } from 'kysely';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import {
  hasKeptHistory,
  isEvident,
  liveScope,
  shownPercent,
} from '#app/features/deals/deal-conditions.server.ts';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { DigestContent, DigestKind } from './digest-content.ts';

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

/**
 * Returns the ids of live deals that fell to a real low in the last 24 hours. The deals furthest
 * below their usual price come first. Deals in an issue of the last seven days are omitted.
 */
export function listNewLowIds(db: Db, limit: number) {
  return ask(db).column<number>`
    select d.id from price_proofs p join deals d on d.id = p.deal_id
     where p.higher_until > now() - interval '1 day' and ${isEvident('low')}
       and ${liveScope} and ${hasKeptHistory} and d.availability <> 'out_of_stock'
       and d.id <> all(array(select unnest(i.deal_ids) from newsletter_issues i
             where i.kind = 'hot' and i.created_at > now() - interval '7 days'))
     order by p.below_usual desc nulls last, d.id desc limit ${limit}`;
}

/** Inserts an issue. Returns `null` if the issue already exists. */
export function insertDigestIssue(
  db: Db,
  {
    kind,
    issue,
    content,
    dealIds,
  }: { kind: DigestKind; issue: string; content: DigestContent; dealIds: number[] },
) {
  return ask(db).value<number>`
    insert into newsletter_issues (kind, week, content, deal_ids, queued_up_to)
    values (${kind}, ${issue}, ${JSON.stringify(content)}::jsonb, ${dealIds}, 0)
    on conflict (week) do nothing returning id`;
}

/** Returns an issue with its list. */
export function findDigest(db: Db, issueId: number) {
  return ask(db).row<{ kind: DigestKind; content: DigestContent; listId: number }>`
    select i.kind, i.content, l.id as "listId" from newsletter_issues i
      join newsletter_lists l on l.automatic = i.kind where i.id = ${issueId}`;
}

export function findDigestIssue(db: Db, issue: string) {
  return ask(db).row<{ id: number; isQueued: boolean }>`
    select id, queued_up_to is null as "isQueued" from newsletter_issues where week = ${issue}`;
}

/**
 * Queues emails to the next active subscribers on the issue's list, and stores the position.
 * Returns their number, or `null` once the whole issue is queued.
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
         and (select l.id from newsletter_lists l join newsletter_issues i on i.kind = l.automatic
               where i.id = ${issueId}) = any(list_ids)
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
