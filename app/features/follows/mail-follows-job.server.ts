import { sql } from 'kysely';
import type { PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { findNewDeals, type Week } from './find-followed-deals.server.ts';
import { getsWeeklyMail, listFollows } from './follow-queries.server.ts';

const mostDeals = 12;
/** users per transaction; each takes one query of a few milliseconds */
const usersALot = 50;

/**
 * Queues the weekly email for each user whose week is over, batch by batch. The transaction that
 * queues an email also advances the user's week, so that no later batch, run or process repeats the
 * email.
 */
export async function mailFollows(
  { db }: Pick<AppServices, 'db'>,
  signal?: AbortSignal,
  most = usersALot,
): Promise<void> {
  const { priceClaims } = await readSiteSettings(db);
  await inBatches(signal, () => mailNext(db, priceClaims, most));
}

interface DueUser extends Week {
  id: string;
  email: string;
}

/** Queues the next batch of emails. Returns `false` once none is due. */
function mailNext(db: Db, priceClaims: PriceClaims, most: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Weeks missed while the site was down share one email. Advancing by whole weeks keeps the
    // user's time of day. A week is 168 hours, since days in the database's time zone may be longer
    // or shorter.
    const due = await ask(tx).rows<DueUser>`
      select id, email, follows_mailed_at as since,
             follows_mailed_at + interval '168 hours' * floor(extract(epoch from now() - follows_mailed_at) / 604800) as until
        from users
       where ${getsWeeklyMail} and follows_mailed_at <= now() - interval '168 hours'
       order by follows_mailed_at limit ${most} for no key update skip locked`;
    for (const user of due) await mailOne(tx, user, priceClaims);
    return due.length === most;
  });
}

async function mailOne(tx: Tx, user: DueUser, priceClaims: PriceClaims): Promise<void> {
  const { id, email, until } = user;
  const follows = await listFollows(tx, id);
  const dealIds = await findNewDeals(tx, follows, user, priceClaims, mostDeals);
  if (dealIds.length > 0) {
    await queueMail(tx, {
      key: `follows-weekly:${id}:${until.getTime()}`,
      kind: 'follows-weekly',
      to: email,
      userId: id,
      props: { dealIds },
      isBulk: true,
    });
  }
  await sql`update users set follows_mailed_at = ${until} where id = ${id}`.execute(tx);
}
