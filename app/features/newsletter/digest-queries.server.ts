import { sql } from 'kysely';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { liveScope, shownPercent } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { DigestContent } from './digest-content.ts';

/** Ids of the live deals that came in during the last seven days, the largest saving that may be claimed first. */
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

/** Null when this week's is there already. */
export function insertDigestIssue(tx: Tx, week: string, content: DigestContent) {
  return ask(tx).value<number>`
    insert into newsletter_issues (week, content) values (${week}, ${JSON.stringify(content)}::jsonb)
    on conflict (week) do nothing returning id`;
}

export function findDigestContent(db: Db, issueId: number) {
  return ask(db).value<DigestContent>`select content from newsletter_issues where id = ${issueId}`;
}

export async function hasDigestIssue(db: Db, week: string): Promise<boolean> {
  return (await ask(db).value`select id from newsletter_issues where week = ${week}`) !== null;
}

/** One mail for each active subscriber, in one statement however many they are. */
export async function queueDigestMails(tx: Tx, issueId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into mail_outbox (key, kind, recipient, payload, is_bulk)
    select 'newsletter-digest:' || ${issueId}::bigint || ':' || id, 'newsletter-digest', email,
           jsonb_build_object('issueId', ${issueId}::bigint, 'subscriptionId', id), true
      from newsletter_subscriptions where is_active
    on conflict (key) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
