import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface LinkToCheck {
  id: number;
  deal_url: string;
}

/** The result of a link check: the page exists, is gone, or unknown. */
export type LinkAnswer = 'there' | 'gone' | 'unclear';

const hoursBetweenChecks = 24;
const hoursUntilConfirmed = 12;

/** Returns a few live deals per merchant that were not checked for a day, longest-waiting first. */
export async function listDueLinks(db: Db, now: Date, most: { perMerchant: number; all: number }) {
  const before = new Date(now.getTime() - hoursBetweenChecks * 3_600_000);
  return ask(db).rows<LinkToCheck>`
    select due.id, due.deal_url
      from merchants m
     cross join lateral (
       select d.id, d.deal_url, d.link_checked_at from deals d
        where d.merchant_id = m.id and d.is_active and not d.is_expired and not d.is_demo
          and (d.link_checked_at is null or d.link_checked_at < ${before})
        order by d.link_checked_at nulls first, d.id
        limit ${most.perMerchant}) due
     order by due.link_checked_at nulls first, due.id
     limit ${most.all}`;
}

/**
 * Records a result. A link is broken after two "gone" results half a day apart, and works again
 * after one success. An unclear result only updates the time. A result for a URL that the deal
 * no longer has is dropped.
 */
export async function noteLinkAnswer(
  db: Db,
  { id, deal_url }: LinkToCheck,
  answer: LinkAnswer,
  now: Date,
): Promise<void> {
  const confirmedBefore = new Date(now.getTime() - hoursUntilConfirmed * 3_600_000);
  const noted = {
    there: sql`link_missed_at = null, link_broken_since = null, link_trusted_at = null`,
    gone: sql`
      link_broken_since = coalesce(link_broken_since,
        case when link_missed_at <= ${confirmedBefore} then link_missed_at end),
      link_missed_at = coalesce(link_missed_at, ${now})`,
    unclear: sql`link_missed_at = link_missed_at`,
  };
  await sql`
    with noted as (
      update deals set link_checked_at = ${now}, ${noted[answer]}
       where id = ${id} and deal_url = ${deal_url} returning id
    )
    -- Earlier reports that the deal has expired are outdated, since the page exists.
    delete from deal_reports r using noted
     where r.deal_id = noted.id and r.about = 'over' and r.reported_at <= ${now} and ${answer === 'there'}`.execute(
    db,
  );
}

/** Returns a deal's link, or `null` if there is none. */
export async function findLink(db: Db, id: number): Promise<LinkToCheck | null> {
  return ask(db).row<LinkToCheck>`select id, deal_url from deals where id = ${id}`;
}

/** Counts the live deals that the list's "Broken link" view shows. */
export async function countBrokenLinks(db: Db): Promise<number> {
  return (
    (await ask(db).value<number>`
    select count(*) as count from deals
     where link_broken_since is not null and link_trusted_at is null and is_active and not is_expired`) ??
    0
  );
}
