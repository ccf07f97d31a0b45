import { sql } from 'kysely';
import type { PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { DigestContent } from './digest-content.ts';

/** Ids of the live deals that came in during the last seven days, the largest saving that may be claimed first. */
export async function listBestNewDealIds(
  db: Db,
  priceClaims: PriceClaims,
  limit: number,
): Promise<number[]> {
  const saving =
    priceClaims === 'observed' ? sql.ref('observed_percent') : sql.ref('discount_percent');
  const { rows } = await sql<{ id: number }>`
    select id from deals
     where ${liveScope} and availability <> 'out_of_stock' and created_at > now() - interval '7 days'
     order by ${saving} desc, id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Null when this week's is there already. */
export async function insertDigestIssue(
  tx: Tx,
  week: string,
  content: DigestContent,
): Promise<number | null> {
  const row = await tx
    .insertInto('newsletter_issues')
    .values({ week, content: JSON.stringify(content) })
    .onConflict((conflict) => conflict.column('week').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findDigestContent(db: Db, issueId: number): Promise<DigestContent | null> {
  const row = await db
    .selectFrom('newsletter_issues')
    .select((eb) => eb.ref('content').$castTo<DigestContent>().as('content')) // jsonb keeps a Date as text
    .where('id', '=', issueId)
    .executeTakeFirst();
  return row?.content ?? null;
}

export async function hasDigestIssue(db: Db, week: string): Promise<boolean> {
  const row = await db
    .selectFrom('newsletter_issues')
    .select('id')
    .where('week', '=', week)
    .executeTakeFirst();
  return row !== undefined;
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
