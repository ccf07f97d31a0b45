import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { areCouponsUnannounced } from './collect-new-coupons.server.ts';
import { matchSearches } from './match-searches.server.ts';
import { type Cadence, hoursBetween } from './watch-cadence.ts';

const mailsARun = 500;
/** emails per owner and day (UTC), including price alerts */
const mailsADay = 10;

const isMailDue = sql`
  s.is_active and (s.waiting > 0 or s.waiting_coupons <> '{}') and s.next_mail_at <= now()
  and u.suspended_at is null and coalesce(u.email_verified, true)`;

/**
 * Whether rows or coupons were written since the last run, hits or changes of watched products are
 * queued, or an email is due.
 */
export const areSearchesDue = () => sql`not exists (
    select from watch_marks
     where seen_log >= coalesce((select max(id) from price_log), 0) and seen_deal >= coalesce((select max(id) from deals), 0))
  or ${areCouponsUnannounced()}
  or (select true from watched_filter_hits order by id limit 1)
  or (select true from product_checks where due_at <= now() order by due_at limit 1)
  or (select true from product_lows where done_to is not null order by id limit 1)
  or (select true from watched_searches s left join users u on u.id = s.user_id
       where ${isMailDue} order by s.next_mail_at limit 1)`;

/**
 * Finds news for watched searches, and queues due emails and their push messages. The job can be
 * killed at any point.
 */
export async function notifyOfSearches(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  await matchSearches(db, log, signal);
  let mails = 0;
  await inBatches(signal, async () => {
    mails += 1;
    return mails <= mailsARun && (await queueNext(db));
  });
}

interface DueSearch {
  id: number;
  user_id: string | null;
  watcher_id: number | null;
  email: string;
  cadence: Cadence;
  mails: number;
  /** Ids as text, since the driver returns arrays of bigints as text. */
  waiting_deals: string[];
  waiting_coupons: string[];
}

async function queueNext(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const due = await ask(tx).row<DueSearch>`
      select s.id, s.user_id, s.watcher_id, coalesce(u.email, w.email) as email, s.cadence, s.mails, s.waiting_deals,
             s.waiting_coupons
        from watched_searches s left join users u on u.id = s.user_id left join watchers w on w.id = s.watcher_id
       where ${isMailDue}
       order by s.next_mail_at limit 1 for update of s skip locked`;
    if (!due) return false;
    if (await hasHadEnough(tx, due)) {
      await setNextMail(
        tx,
        due.id,
        sql`((now() at time zone 'utc')::date + 1)::timestamp at time zone 'utc'`,
      );
      return true;
    }
    const mail = due.mails + 1;
    await sql`
      insert into watched_search_finds (search_id, deal_id, mail)
        select ${due.id}, id, ${mail} from deals where id = any(${due.waiting_deals}::bigint[]) for key share
      on conflict do nothing`.execute(tx);
    await sql`
      update watched_searches set mails = ${mail}, waiting = 0, waiting_deals = '{}', waiting_coupons = '{}' where id = ${due.id}`.execute(
      tx,
    );
    await setNextMail(
      tx,
      due.id,
      sql`now() + make_interval(hours => ${hoursBetween[due.cadence]})`,
    );
    await queueMail(tx, {
      key: `search-news:${due.id}:${mail}`,
      kind: 'search-news',
      to: due.email,
      userId: due.user_id,
      props: { searchId: due.id, mail, couponIds: due.waiting_coupons.map(Number) },
    });
    await sql`
      insert into push_outbox (key, kind, subscription_id, search_id, search_mail)
      select ${`search-news:${due.id}:${mail}:`}::text || id, 'search-news', id, ${due.id}, ${mail}
        from push_subscriptions where user_id = ${due.user_id} and ${due.waiting_deals.length > 0}`.execute(
      tx,
    );
    return true;
  });
}

/**
 * Counts the email against the owner's daily limit. Returns true if the limit is already reached.
 */
async function hasHadEnough(tx: Tx, { user_id, watcher_id }: DueSearch): Promise<boolean> {
  const owner = sql.ref(user_id === null ? 'watcher_id' : 'user_id');
  const counted = await ask(tx).value<number>`
    insert into alert_mail_days as d (${owner}, day, mails)
    values (${user_id ?? watcher_id}, (now() at time zone 'utc')::date, 1)
    on conflict (${owner}, day) do update set mails = d.mails + 1 where d.mails < ${mailsADay} returning mails`;
  return counted === null;
}

function setNextMail(tx: Tx, id: number, at: ReturnType<typeof sql>) {
  return sql`update watched_searches set next_mail_at = ${at} where id = ${id}`.execute(tx);
}
